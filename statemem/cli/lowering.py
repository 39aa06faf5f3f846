"""What `lower --explain` prints: for every instruction, what linked it and how surely."""

from __future__ import annotations

from collections.abc import Iterator

from statemem.ir import Program
from statemem.ir.text import statement
from statemem.report.layout import cut, pad

_STEP, _RULE, _SURE = 6, 22, 6


def explain_links(program: Program) -> Iterator[str]:
    """A line an instruction: step, rule, confidence, statement."""
    yield f"{program.name}"
    yield f"{'step':>{_STEP}}  {pad('rule', _RULE)}{'sure':>{_SURE}}  statement"
    for number in range(len(program.blocks)):
        for _, instruction in program.numbered(number):
            origin = instruction.origin
            sure = "" if origin.rule is None else f"{1.0 if origin.confidence is None else origin.confidence:.1f}"
            text = statement(instruction, program.scope_of(number))
            rule = cut(origin.rule or "stated by the log", _RULE - 1)
            yield f"{program.step_of(number):>{_STEP}}  {pad(rule, _RULE)}{sure:>{_SURE}}  {text}"
