"""Programs of any kind: they can be written down, but need not be meant by anybody."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from ..blocks import Task
from ..declarations import Declaration, Requirement
from ..program import Program, Shape
from .parts import Strategy, blocks, cells, or_none, scopes, texts, values


@cache
def tasks() -> Strategy[Task]:
    """Tasks with parameters."""
    return st.builds(Task, texts(), scopes(), or_none(texts()), st.lists(texts(), max_size=2).map(tuple))


@cache
def declarations() -> Strategy[Declaration | Requirement]:
    """What is stated of cells, families and kinds of tasks."""
    depends = st.lists(cells(), max_size=2).map(tuple)
    required = st.builds(Requirement, texts(), st.lists(cells(), max_size=2).map(tuple))
    return st.builds(Declaration, cells(), st.booleans(), st.booleans(), depends) | required


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Programs of any shape, with several tasks whose blocks may alternate; they can be written, not always meant."""
    bodies = draw(st.lists(tasks(), min_size=1, max_size=3, unique_by=_name))
    shapes: list[Shape] = ["trace", "workflow"]
    program = Program(draw(texts()), bodies[0].scope, shape=draw(st.sampled_from(shapes)), task=bodies[0].name)
    for scope, parent in draw(st.dictionaries(scopes(), or_none(scopes()), max_size=4)).items():
        program.add_scope(scope, parent)
    for task in bodies:
        program.add_task(task)
    for declaration in draw(st.lists(declarations(), max_size=2)):
        program.declare(declaration)
    program.metadata.update(draw(st.dictionaries(texts(), st.dictionaries(texts(), values(), max_size=2), max_size=2)))
    for block in draw(st.lists(blocks(), max_size=4)):
        program.append(block, task=draw(st.sampled_from(bodies)).name)
    ends = [number for number, block in enumerate(program.blocks) if program.block_named(block.name) == number]
    stands = draw(st.booleans())
    if ends and stands:
        program.stand_at(draw(st.sampled_from(ends)))
    return program


def _name(task: Task) -> str:
    return task.name
