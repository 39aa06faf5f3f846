"""How the sentences of a plan speak of values, entries and steps."""

from __future__ import annotations

import attrs

from statemem.ir import Cell, Definition, Derive, Effect, Program, Use
from statemem.masking import Masker
from statemem.passes import Ending
from statemem.passes.endings import How
from statemem.selectors import slashed

_WIDTH = 60


@attrs.frozen
class Wording:
    """The words for one program; what is sensitive is shown as `masker` shows it."""

    program: Program
    masker: Masker

    def text(self, text: str) -> str:
        """A text as people may see it."""
        return self.masker.text(text)

    def cell(self, cell: Cell) -> str:
        """A cell without its scope."""
        return self.text(slashed(cell))

    def value(self, entry: str) -> str:
        """`"card_12" (e3)`."""
        found = self.program.entry_named(entry)
        if found is None:
            return self.text(entry)
        shown = self.masker.shown(found.cell, found.value)
        return f"{_short(shown)} ({self.text(entry)})"

    def name(self, definition: Definition) -> str:
        """The entry of a definition, or the deletion."""
        entry = self.program.entry_of(definition)
        own = self.program.instructions[definition.instruction].id
        return self.text(entry.id if entry is not None else f"the deletion {own}")

    def id(self, definition: Definition) -> str | None:
        """The id of an entry, or of the instruction that left a tombstone."""
        entry = self.program.entry_of(definition)
        return self.program.instructions[definition.instruction].id if entry is None else entry.id

    def step(self, instruction: int) -> int:
        """The step at which an instruction happens."""
        return self.program.step_of(self.program.block_of(instruction))

    def block(self, instruction: int) -> str:
        """The block in which an instruction stands."""
        return self.text(self.program.blocks[self.program.block_of(instruction)].name)

    def ended(self, ending: Ending) -> str:
        """What took an entry out of force, and when."""
        step = self.step(ending.by.instruction)
        successor = self.program.entry_of(ending.by)
        if ending.how is How.OUTRANKED:
            return f"outranked when it came by {self.name(ending.by)} of step {step}"
        if successor is not None:
            return f"replaced at step {step} by {self.value(successor.id)}"
        if ending.how is How.LACKING:
            whole = self.program.instructions[ending.by.instruction].id
            return f"gone at step {step}: {self.text(str(whole))} sets the whole and lacks it"
        if ending.how is How.SCOPE:
            return f"ended at step {step} with its task"
        return f"deleted at step {step}"


def purpose_of(program: Program, number: int) -> str | None:
    """What an instruction reads for: a use's purpose, an effect, an entry derived; None where nothing says."""
    match program.instructions[number]:
        case Use(purpose=purpose):
            return purpose
        case Effect(action=action):
            return f"the effect {action}"
        case Derive(id=made):
            return f"the derivation of {made}"
    return None


def counted(number: int, noun: str) -> str:
    """`1 step`, `3 steps`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _short(text: str) -> str:
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"
