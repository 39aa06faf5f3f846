"""Conversations to programs: a chain of messages, or a tree, in which each path knows what was said along it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...blocks import SYSTEM, Block
from ...diagnostics import Problem
from ...program import Program
from ...terminators import OPEN, Arm, Branch, Goto, Terminator
from ..messages import Conversation
from ..reader import Document
from .lowering import Lowering
from .path import Path
from .speakers import pieces
from .tree import Node, arranged, standing


def programs(conversations: Iterable[Conversation], document: Document, problems: list[Problem]) -> Iterator[Program]:
    """The program of each conversation that holds a message; names that repeat are numbered."""
    taken: dict[str, int] = {}
    for conversation in conversations:
        label = conversation.label
        taken[label] = taken.get(label, 0) + 1
        if taken[label] > 1:
            label = f"{label}-{taken[label]}"
        lowering = Lowering(label, conversation.user, problems, document.domain)
        if conversation.is_tree:
            nodes = arranged(list(pieces(conversation.messages)), problems)
            _add_tree(lowering, nodes, standing(nodes, conversation.current))
        else:
            for message in pieces(conversation.messages):
                lowering.add(message)
        if lowering.program.blocks:
            yield lowering.program
        del lowering  # only one conversation is held at a time


def _add_tree(lowering: Lowering, nodes: list[Node], stands: int | None) -> None:
    """Every message of a tree; a path is copied where several messages go on from one, or from the empty start."""
    roots = [number for number, node in enumerate(nodes) if node.before is None]
    tips: dict[int | None, Path] = {None: lowering.start}
    left: dict[int | None, int] = {number: len(node.after) for number, node in enumerate(nodes)}
    left[None] = len(roots)
    first = _add_start(lowering.program, roots)
    for number, node in enumerate(nodes):
        left[node.before] -= 1
        path = tips[node.before].copy() if left[node.before] else tips.pop(node.before)
        block = lowering.block(number + 1, node.message, path, _onward(node.after))
        lowering.learn(path, node.message, lowering.program.append(block))
        if node.after:
            tips[number] = path
    if stands is not None:
        lowering.program.stand_at(first + stands)


def _add_start(program: Program, roots: list[int]) -> int:
    """The block that says nothing, from which several beginnings branch; return the number of the first message's."""
    if len(roots) > 1:
        program.append(Block("start", SYSTEM, 0, terminator=_onward(roots)))
    return len(program.blocks)


def _onward(after: list[int]) -> Terminator:
    targets = [f"m{number + 1}" for number in after]
    if len(targets) > 1:
        return Branch(tuple(map(Arm, targets)))
    return Goto(targets[0]) if targets else OPEN
