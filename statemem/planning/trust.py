"""Untrusted values that come to where they may do harm."""

from __future__ import annotations

from collections.abc import Iterator

from statemem.actions import Action, Kind
from statemem.ir import Cell, Definition, Effect
from statemem.passes.framework import GaveUp
from statemem.passes.trust.flows import Flow, Flows
from statemem.passes.trust.taint import Taint, as_made
from statemem.passes.trust.trails import Link, Step

from .situation import Situation

_LINKS = {Link.SOURCE: "written by", Link.DERIVED: "concluded by", Link.SHOWN: "written by one who was shown it,"}


def quarantines(situation: Situation) -> Iterator[Action]:
    """Values in force that reached a sink with a label that a rule forbids there, and that carry it still."""
    told: set[tuple[str, str, int]] = set()
    for flow in situation.manager.result(Flows(rules=situation.policy.trust)):
        subject = (flow.rule.code, flow.entry.id, flow.instruction)
        standing = situation.standing((flow.entry.instruction, flow.entry.leaf))
        if not situation.is_past(flow.instruction) or standing is None or not standing.in_force or subject in told:
            continue
        if _carries(flow, standing.cell, situation):
            told.add(subject)
            yield _quarantine(flow, standing.cell, situation)


def _carries(flow: Flow, cell: Cell, situation: Situation) -> bool:
    """Whether nobody who may has confirmed the value since it came there."""
    made = as_made(Definition(flow.entry.instruction, flow.entry.leaf, cell))
    return flow.label in situation.manager.solve(Taint(rules=situation.policy.trust)).value(made, situation.point)


def _quarantine(flow: Flow, cell: Cell, situation: Situation) -> Action:
    words, step = situation.words, situation.words.step(flow.instruction)
    way = () if isinstance(flow.path, GaveUp) else flow.path
    source = way[0].entry if way else flow.entry
    own = words.value(flow.entry.id)
    whence = "" if source is flow.entry else f", which comes from {words.value(source.id)},"
    who = " or ".join(flow.confirmers) or "a source without that label"
    return Action(
        kind=Kind.QUARANTINE,
        code=flow.rule.code,
        cell=cell,
        entry=flow.entry.id,
        other=None if source is flow.entry else source.id,
        reason=f"{own}{whence} is {words.text(flow.label)} and reaches {_sink(flow, situation)} at step {step}",
        basis="observation",
        unless=f"{who} stated the same, or the policy trusted who wrote it",
        step=step,
        instruction=flow.instruction,
        proof=(*(_told(one, situation) for one in way), f"step {step}: {_sink(flow, situation)}: {flow.rule.message}"),
    )


def _sink(flow: Flow, situation: Situation) -> str:
    instruction = situation.program.instructions[flow.instruction]
    if isinstance(instruction, Effect):
        return f"the effect {situation.words.text(instruction.action)}"
    where = "" if flow.cell is None else f" {situation.words.cell(flow.cell)}"
    return f"the {flow.sink.kind.value}{where}"


def _told(step: Step, situation: Situation) -> str:
    words, number = situation.words, step.entry.instruction
    actor = words.text(str(situation.manager.accesses.actor(number)))
    return f"step {words.step(number)}: {words.value(step.entry.id)} {_LINKS[step.link]} {actor}"
