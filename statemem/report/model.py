"""What an analysis found of one conversation: standings, actions, and what the context carried for nothing."""

from __future__ import annotations

from functools import cached_property

import attrs

from statemem.actions import Action
from statemem.ir import Block, Program, tokens
from statemem.ir.diagnostics import Problem
from statemem.ir.flow.routes import path_to_end
from statemem.ir.instructions import Assignment
from statemem.masking import Masker
from statemem.passes import Conflict, Manager, StaleUse, Standing, Word
from statemem.passes.framework import Point, at_step
from statemem.planning import Planner
from statemem.policy import Baseline, Policy


@attrs.frozen
class Carried:
    """What a context that keeps everything in force carried, in tokens times steps."""

    token_steps: int
    before_last_use: int

    @property
    def share(self) -> float:
        """The part that lay before a last use; 0 where nothing was carried."""
        return self.before_last_use / self.token_steps if self.token_steps else 0.0


class Findings:
    """What is known of one conversation at a point: by default the end of its log.

    `at` is a step: facts are those at its end, and `now`, to which ages are counted, is that step even where the log
    ends before it, at `last`. `entries` holds the standing of every entry made so far, `actions` the plan.
    """

    def __init__(
        self,
        manager: Manager,
        *,
        policy: Policy | None = None,
        at: int | None = None,
        problems: list[Problem] | None = None,
        show_values: bool = False,
        baseline: Baseline | None = None,
    ) -> None:
        self.manager = manager
        self.program: Program = manager.program
        self.policy, self.baseline = policy or Policy(), baseline
        self.masker = Masker.of(self.program, show_values=show_values)
        self.problems = [_masked(one, self.masker) for one in problems or ()]
        self.at, self.last = at, _last_step(self.program)
        self.now = self.last if at is None else at
        self.point: Point | None = at_step(self.program, self.now)
        self.entries: list[Standing] = []
        self.actions: list[Action] = []
        self.stale_uses: list[StaleUse] = []
        self.conflicts: list[Conflict] = []
        #: How many findings are not told: suppressed by the policy, or known from the baseline.
        self.hidden = 0
        if self.point is not None:
            planner = Planner(manager, self.point, self.now, self.policy, self.masker, baseline)
            self.entries, self.actions, self.hidden = planner.standings, planner.actions, planner.hidden
            self.stale_uses, self.conflicts = planner.stale_uses, planner.conflicts

    @property
    def name(self) -> str:
        """The conversation."""
        return self.program.name

    @cached_property
    def blocks(self) -> list[Block]:
        """The blocks of the log up to now."""
        return [block for n, block in enumerate(self.program.blocks) if self.program.step_of(n) <= self.now]

    @property
    def tool_results(self) -> int:
        """How many of these are answers of tools."""
        return sum(block.actor.is_tool for block in self.blocks)

    @property
    def end(self) -> str:
        """What is known of the future: `open`, `closed`, `workflow NAME`, or `end` where the log is over."""
        block = self.program.current_end
        if self.manager.horizon.closed or block is None:
            return self.manager.horizon.name
        is_over = self.manager.horizon.future is None and self.manager.horizon.speaks_of_all(self.program, block)
        return "end" if is_over else self.manager.horizon.name

    def of(self, word: Word) -> list[Standing]:
        """The entries of one word."""
        return self._by_word.get(word, [])

    @cached_property
    def _by_word(self) -> dict[Word, list[Standing]]:
        found: dict[Word, list[Standing]] = {}
        for standing in self.entries:
            found.setdefault(standing.word, []).append(standing)
        return found

    def tokens_of(self, standings: list[Standing]) -> int:
        """What it costs to show these entries."""
        return sum(map(self._cost, standings))

    def _cost(self, standing: Standing) -> int:
        """What it costs to show an entry: what the log says, of a picture for instance, else by its text."""
        instruction = self.program.instructions[standing.entry.instruction]
        said = instruction.origin.tokens
        is_alone = isinstance(instruction, Assignment) and len(instruction.leaves) == 1
        return said if said is not None and is_alone else tokens.of_entry(standing.cell, standing.entry.value)

    @cached_property
    def carried(self) -> Carried:
        """From the step that made an entry to the one that ended it, or to now; and to its last use."""
        total = useful = 0
        for one in self.entries:
            cost = self._cost(one)
            total += cost * max(0, self._until(one) - one.created)
            useful += cost * max(0, min(one.last_used or 0, self._until(one)) - one.created)
        return Carried(total, useful)

    def _until(self, standing: Standing) -> int:
        ending = standing.ending
        return self.now if ending is None else self.program.step_of(self.program.block_of(ending.by.instruction))


def _last_step(program: Program) -> int:
    return max(map(program.step_of, path_to_end(program)), default=0)


def _masked(problem: Problem, masker: Masker) -> Problem:
    """A problem whose texts people may see."""
    hint = None if problem.hint is None else masker.text(problem.hint)
    return attrs.evolve(problem, message=masker.text(problem.message), hint=hint)
