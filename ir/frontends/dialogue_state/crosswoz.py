"""CrossWOZ: what the user wants, in numbered sub-goals, and the state that the system keeps of each domain.

The goal stands before the first turn: `goal["ID"].SLOT`. A sub-goal is a task that is entered where the user turns to
it; what the user speaks of there for the first time is used. A value that a sub-goal takes from another ("id=2", "found
near the hotel of id=1") derives from that one's slot once both are known. The state of a system turn is what the user's
turn before it came to, and is put there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import attrs

from ...cells import Cell
from ...instructions import Delete, Instruction, Operand
from ...origin import Origin
from ...values import Value, equal
from .. import fields
from .ledger import ASSISTANT, USER, Ledger, below, used

SELECTED = "selectedResults"
NAME = "名称"
_REFERENCE = re.compile(r"id=(\d+)(?:的(周边[^里]+)里)?")
_TELLING = frozenset(["Inform", "Recommend", "Select"])
_NO_VALUES: tuple[Value, ...] = ("", "none", None, [])


class _Goal(NamedTuple):
    """A line of a goal: what the user wants of a slot, and whether it was spoken of."""

    id: str
    domain: str
    slot: str
    value: Value
    done: bool

    @property
    def key(self) -> tuple[str, str, str]:
        """What it is the same line by, in another state."""
        return self.id, self.domain, self.slot


_Goals = dict[tuple[str, str, str], _Goal]


class CrossWOZ:
    """The family of CrossWOZ."""

    @staticmethod
    def takes(value: dict[str, Any]) -> bool:
        """Whether a record is a dialogue of this family."""
        messages = value.get("messages")
        first = messages[0] if isinstance(messages, list) and messages else None
        return isinstance(first, dict) and first.get("role") in ("usr", "sys") and "content" in first

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._goals: _Goals = {}
        self._selected: dict[str, Value] = {}

    def lower(self, dialogue: dict[str, Any]) -> None:
        """The goal, then every turn, that of the user with the state of the one after it."""
        self._aim(dialogue)
        turns = list(self._ledger.objects(dialogue, "messages", ""))
        for step, (pointer, turn) in enumerate(turns, 1):
            if turn.get("role") == "usr":
                following = turns[step] if step < len(turns) else None
                self._user(step, pointer, turn, following)
            else:
                self._system(step, pointer, turn)

    def _aim(self, dialogue: dict[str, Any]) -> None:
        """What the user wants before the first turn."""
        self._goals = self._read(dialogue, "goal", "")
        wanted = [goal for goal in self._goals.values() if goal.value not in _NO_VALUES]
        origin = self._ledger.origin("/goal")
        made = [self._ledger.put(self._cell(goal), goal.value, origin) for goal in wanted]
        if made:
            self._ledger.add("goal", USER, 0, made, origin)

    def _read(self, record: dict[str, Any], field: str, pointer: str) -> _Goals:
        goals: _Goals = {}
        for position, line in enumerate(fields.items(record, field)):
            if not (isinstance(line, list) and len(line) == 5 and all(isinstance(one, str) for one in line[1:3])):
                message = "a line of a goal is [id, domain, slot, value, done]; it is left out"
                self._ledger.warn("FE134", message, f"{pointer}/{field}/{position}")
                continue
            goal = _Goal(str(line[0]), line[1], line[2], line[3], line[4] is True)
            goals[goal.key] = goal
        return goals

    def _cell(self, goal: _Goal) -> Cell:
        return self._ledger.slot("goal").at(goal.id).child(goal.slot)

    # the user

    def _user(
        self, step: int, pointer: str, turn: dict[str, Any], following: tuple[str, dict[str, Any]] | None
    ) -> None:
        origin = self._ledger.origin(pointer, event=f"t{step}")
        goals = self._read(turn, "user_state", pointer) if "user_state" in turn else self._goals
        at = self._ledger.origin(f"{pointer}/user_state")
        spoken = [goal for key, goal in goals.items() if goal.done and not self._done(key)]
        made = self._turned(spoken, origin)
        made += list(self._filled(goals, at))
        made += used((cell for cell in map(self._cell, spoken) if self._ledger.holds(cell)), "said", at)
        self._goals = goals
        if following is not None:
            made += self._state(*following, spoken, self._acts(pointer, turn))
        self._ledger.add(f"t{step}", USER, step, made, origin)

    def _done(self, key: tuple[str, str, str]) -> bool:
        return key in self._goals and self._goals[key].done

    def _turned(self, spoken: list[_Goal], origin: Origin) -> list[Instruction]:
        """To which sub-goal the user turns: the first new one that is spoken of."""
        new = next((goal for goal in spoken if f"goal {goal.id}" != self._ledger.task), None)
        return [] if new is None else self._ledger.move(f"goal {new.id}", new.domain, origin)

    def _filled(self, goals: _Goals, origin: Origin) -> Iterator[Instruction]:
        """What the user has learned since, or wants otherwise."""
        for goal in goals.values():
            cell = self._cell(goal)
            if goal.value in _NO_VALUES:
                if self._ledger.holds(cell):
                    yield self._ledger.drop(cell, origin)
            elif not self._ledger.states(cell, goal.value):
                source, rule = self._learned(goal)
                yield self._ledger.put(cell, goal.value, attrs.evolve(origin, rule=rule), source)

    def _learned(self, goal: _Goal) -> tuple[Cell | None, str]:
        """Where the value of a goal comes from: the sub-goal it refers to, else what the system told."""
        before = self._goals.get(goal.key)
        reference = _REFERENCE.search(before.value) if before and isinstance(before.value, str) else None
        if reference is not None:
            source = self._ledger.slot("goal").at(reference[1]).child(reference[2] or NAME)
            if self._ledger.holds(source):
                return source, "refers"
        values = goal.value if isinstance(goal.value, list) else [goal.value]
        told = (self._ledger.told(goal.domain, goal.slot, value) for value in values)
        learned = next((cell for cell in told if self._ledger.holds(cell)), None)
        return learned, "wanted" if learned is None else "told"

    def _state(
        self, pointer: str, turn: dict[str, Any], spoken: list[_Goal], acts: list[list[str]]
    ) -> Iterator[Instruction]:
        state = self._ledger.object(turn, "sys_state", pointer)
        for domain in state:
            at = below(f"{pointer}/sys_state", domain)
            values = self._ledger.object(state, domain, f"{pointer}/sys_state")
            for slot, value in values.items():
                if slot != SELECTED:
                    yield from self._changed(domain, slot, value, spoken, acts, below(at, slot))

    def _changed(
        self, domain: str, slot: str, value: Value, spoken: list[_Goal], acts: list[list[str]], at: str
    ) -> Iterator[Instruction]:
        cell = self._ledger.slot(domain, slot)
        if value in _NO_VALUES:
            if self._ledger.holds(cell):
                yield self._ledger.drop(cell, self._ledger.origin(at))
        elif not self._ledger.states(cell, value):
            source, rule = self._source(cell, domain, slot, value, spoken, acts)
            yield self._ledger.put(cell, value, self._ledger.origin(at, rule=rule), source)

    def _source(
        self, cell: Cell, domain: str, slot: str, value: Value, spoken: list[_Goal], acts: list[list[str]]
    ) -> tuple[Cell | None, str]:
        """Where a value of the state comes from, and the name of the reason."""
        goal = next((one for one in spoken if (one.domain, one.slot) == (domain, slot) and _means(one, value)), None)
        if goal is not None and self._ledger.holds(self._cell(goal)):
            return self._cell(goal), "goal"
        if any(act[1:3] == [domain, slot] for act in acts):
            return None, "stated"
        return self._ledger.earlier(cell, domain, slot, value)

    # the system

    def _system(self, step: int, pointer: str, turn: dict[str, Any]) -> None:
        origin = self._ledger.origin(pointer, event=f"t{step}")
        made = [*self._found(pointer, turn), *self._reply(pointer, turn)]
        self._ledger.add(f"t{step}", ASSISTANT, step, made, origin)

    def _found(self, pointer: str, turn: dict[str, Any]) -> Iterator[Instruction]:
        """The results that the system chose, which derive from the slots of their domain."""
        state = self._ledger.object(turn, "sys_state", pointer)
        for domain, values in state.items():
            found = values.get(SELECTED) if isinstance(values, dict) else None
            before = self._selected.pop(domain, None)
            at = self._ledger.origin(f"{below(f'{pointer}/sys_state', domain)}/{SELECTED}")
            if found in _NO_VALUES:
                if before is not None:
                    yield Delete(target=self._results(domain), origin=at)
                continue
            self._selected[domain] = found
            if before is None or not equal(before, found):
                yield self._chosen(domain, found, at)

    def _chosen(self, domain: str, found: Value, origin: Origin) -> Instruction:
        asked = tuple(map(Operand, self._ledger.slots_of(domain)))
        return self._ledger.result(self._results(domain), found, asked, origin, domain)

    def _results(self, domain: str) -> Cell:
        return self._ledger.slot(domain, SELECTED)

    def _reply(self, pointer: str, turn: dict[str, Any]) -> Iterator[Instruction]:
        """What the system told: of a slot, or something new, which stays true whatever it chooses later."""
        cells: list[Cell] = []
        for act in self._acts(pointer, turn):
            intent, domain, slot, value = act
            if intent not in _TELLING or value in _NO_VALUES:
                continue
            cell, told = self._ledger.slot(domain, slot), self._ledger.told(domain, slot, value)
            if self._ledger.holds(told):
                cells.append(told)
                continue
            if self._ledger.states(cell, value):
                cells.append(cell)
                continue
            yield self._ledger.put(told, value, self._ledger.origin(f"{pointer}/dialog_act", rule="told"))
        yield from used(cells, "reply", self._ledger.origin(f"{pointer}/dialog_act"))

    def _acts(self, pointer: str, turn: dict[str, Any]) -> list[list[str]]:
        """The acts of a turn: intent, domain, slot, value."""
        found: list[list[str]] = []
        for position, act in enumerate(fields.items(turn, "dialog_act")):
            if isinstance(act, list) and len(act) == 4 and all(isinstance(one, str) for one in act):
                found.append(act)
            else:
                message = "an act is [intent, domain, slot, value]; what is none is left out"
                self._ledger.warn("FE135", message, f"{pointer}/dialog_act/{position}")
        return found


def _means(goal: _Goal, value: Value) -> bool:
    """Whether a value of the state is the one a goal wants, or one of several."""
    wanted = goal.value if isinstance(goal.value, list) else [goal.value]
    return any(equal(one, value) for one in wanted)
