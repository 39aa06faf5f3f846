"""The entries the product holds superseded at the end of a log, told as the reference tells lost values."""

import re
from dataclasses import dataclass

from benchmarks.lowering.tau_facts import Fields
from benchmarks.lowering.tau_log import canonical, leaves
from benchmarks.lowering.tau_product import Lowered, cell_of, message_of
from statemem.ir import Cell, Program, Segment
from statemem.ir.entries import Entry
from statemem.passes import Standing, Word, standings
from statemem.passes.endings import How
from statemem.passes.framework.points import BlockEnd

ENTITY_DEPTH = 2  # a kind and an id, as in order["W15"]
ELEMENTS = ("same", "product", "day")  # how the reference may name the list element a field stands in


@dataclass(frozen=True)
class Loss:
    """A superseded entry: what took it out of force, at which message, and the product its order line is of."""

    conversation: str
    file: str
    position: int
    message: int
    cell: Cell
    value: object
    how: How | None
    by_tool: bool
    product: str | None

    @property
    def entity(self) -> str:
        """The id of the entity; the tool and its arguments where a result names none."""
        return canonical(self.cell.path[min(1, len(self.cell.path) - 1)].text)

    @property
    def path(self) -> str:
        """The dotted path below the entity."""
        return ".".join(segment.text for segment in self.cell.path[ENTITY_DEPTH:])

    @property
    def values(self) -> list[str]:
        """The scalars lost, in canonical form; an empty list has none."""
        return [scalar for _, scalar in leaves(self.value)]

    @property
    def of_list(self) -> bool:
        """Whether a whole list left force as one entry."""
        return isinstance(self.value, list)


@dataclass(frozen=True)
class Naming:
    """A path by which the reference may call the field of a loss; `element` is one of `ELEMENTS`."""

    path: str
    element: str


def superseded(one: Lowered) -> list[Loss]:
    """The superseded entries at the end of a log, in order of creation."""
    end = BlockEnd(len(one.program.blocks) - 1)
    return [_loss(one, found) for found in standings(one.manager, end) if found.word is Word.SUPERSEDED]


def namings(loss: Loss, fields: Fields) -> list[Naming]:
    """The reference's paths that may be the field of a loss, those of the same name first.

    An element has the same key, that of its product, or its flight number with the day.
    """
    pattern = re.compile(_pattern(loss.cell.path[ENTITY_DEPTH:], loss.product) + (r"(.*\.)?" if loss.of_list else ""))
    found = [(path, match) for path in fields if (match := pattern.fullmatch(f"{path}."))]
    named = [Naming(path, _element(match)) for path, match in found if set(loss.values) & set(fields[path])]
    return sorted(named, key=lambda naming: ELEMENTS.index(naming.element))


def _loss(one: Lowered, found: Standing) -> Loss:
    program, entry = one.program, found.entry
    assert found.ending is not None
    by = program.block_of(found.ending.by.instruction)
    return Loss(
        conversation=one.raw.id,
        file=one.raw.file,
        position=one.raw.position,
        message=message_of(program, by),
        cell=cell_of(entry),
        value=entry.value,
        how=found.ending.how,
        by_tool=program.blocks[by].actor.is_tool,
        product=_product(program, entry),
    )


def _product(program: Program, entry: Entry) -> str | None:
    """The product of the order line that a leaf stands in: the `product_id` beside it."""
    line = _line(cell_of(entry).path)
    siblings = program.entries_of(entry.instruction) if line else []
    return next(
        (str(one.value) for one in siblings if cell_of(one).path == (*line, Segment("name", "product_id"))), None
    )


def _line(path: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """The path of the list element a leaf stands in."""
    keys = [depth for depth, segment in enumerate(path, 1) if segment.kind == "key" and depth > ENTITY_DEPTH]
    return path[: keys[0]] if keys else ()


def _pattern(path: tuple[Segment, ...], product: str | None) -> str:
    """A regular expression of the reference's paths, a dot after each name; the first element may have another name."""
    first = next((segment for segment in path if segment.kind == "key"), None)
    return "".join(_any_name(one.text, product) if one is first else re.escape(one.text) + r"\." for one in path)


def _any_name(element: str, product: str | None) -> str:
    own = re.escape(element)
    line = rf"|(?P<product>{re.escape(product)})\." if product else ""
    return rf"(?:(?P<same>{own})\.|(?P<day>{own}@[^.]+)\.{line})"


def _element(match: re.Match[str]) -> str:
    """How the element is named; a path without one is named the same in both."""
    return next((name for name, text in match.groupdict().items() if text is not None), "same")
