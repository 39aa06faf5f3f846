"""Why the product's superseded entries and stale uses differ from the reference's lists, case by case.

A loss of the product and an overwrite of the reference are one change where file, position, message, entity,
field and old value agree, as far as both name the field alike. Every other case has a cause, proved on the case
itself: by what the reference knew of the entity before and after the message, or by what the product linked.
"""

import enum
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from benchmarks.lowering.tau_facts import Fields, Overwrite, ReplacedArgument, overwritten, replaced_arguments, replay
from benchmarks.lowering.tau_log import Conversation, canonical
from benchmarks.lowering.tau_losses import Loss, Naming, namings, superseded
from benchmarks.lowering.tau_product import Lowered, argument, argument_place, message_of
from statemem.ir import Use
from statemem.passes import StaleUses
from statemem.passes.endings import How

OverwriteKey = tuple[int, str, str]
"""Message, entity id and path: of one conversation's overwrites, no two share it."""


class Cause(enum.Enum):
    """What a case is, in a sentence."""

    SAME = "in both: one change"
    OTHER_LINE = "in both: list element keyed by item_id in the product, by product_id in the reference"
    OTHER_DAY = "in both: flight keyed by number in the product, by number and day in the reference"
    WHOLE_LIST = "in both: a list without ids is one entry in the product, field by field in the reference"
    CONFIRMED = "product only: one more entry of a fact already listed, all its entries are superseded at once"
    KEPT_ON_LINE = "product only: exchanged line keyed by item_id, the field is the same on the product's line"
    GREW = "product only: a list without ids that only grew"
    ELEMENT_GONE = "product only: gone with its list element, the reference lists fields that hold another value"
    OTHER_FLIGHT_DAY = "product only: flight keyed by number moved to another day, two flights in the reference"
    CALL_AGAIN = "product only: arguments of two calls that the log gives one id"
    RESTATED = "reference only: an argument equals a replaced value, but the product used a field that still holds it"
    STALE = "in both: an argument equals a replaced value that no field holds"
    UNEXPLAINED = "unexplained"


@dataclass(frozen=True)
class Case:
    """One entry of either list, or of both, with its cause."""

    cause: Cause
    conversation: str
    file: str
    position: int
    message: int
    entity: str
    path: str
    value: str


@dataclass
class Changes:
    """What the reference knows of one conversation: each entity before and after a message, and the overwrites."""

    around: dict[tuple[int, str], tuple[Fields, Fields]] = field(default_factory=dict)
    overwrites: dict[OverwriteKey, Overwrite] = field(default_factory=dict)

    @classmethod
    def of(cls, raw: Conversation) -> "Changes":
        """Replay a conversation by the reference's own rules."""
        around = {(message.index, found.entity.id): (before, found.fields) for message, _, found, before in replay(raw)}
        listed = {(one.message, one.fact.entity.id, one.fact.path): one for one in overwritten(raw)}
        return cls(around, listed)


def cases(one: Lowered) -> list[Case]:
    """Every case of one conversation: lost values and stale uses, those of both lists once."""
    return [*lost_values(one), *stale_uses(one)]


def lost_values(one: Lowered) -> Iterator[Case]:
    """The product's losses with their causes, then what the reference alone lists."""
    changes = Changes.of(one.raw)
    matched: set[OverwriteKey] = set()
    seen: set[tuple[object, ...]] = set()
    for loss in superseded(one):
        fact = (loss.message, loss.cell, tuple(loss.values))
        cause, overwrites = (Cause.CONFIRMED, ()) if fact in seen else _judged(loss, changes)
        seen.add(fact)
        matched.update(overwrites)
        yield Case(cause, *_place(loss), loss.entity, loss.path, ", ".join(loss.values))
    for key, overwrite in changes.overwrites.items():
        if key not in matched:
            yield Case(Cause.UNEXPLAINED, *_place(overwrite), key[1], key[2], overwrite.old)


def _judged(loss: Loss, changes: Changes) -> tuple[Cause, Iterable[OverwriteKey]]:
    """The cause of a loss, with the overwrites of the reference that are the same change."""
    if not loss.by_tool:
        return (Cause.CALL_AGAIN if loss.cell.path[0].text == "call" else Cause.UNEXPLAINED), ()
    before, now = changes.around.get((loss.message, loss.entity), ({}, {}))
    names = namings(loss, before)
    keys = [(loss.message, loss.entity, naming.path) for naming in names]
    same = [key for key in keys if key in changes.overwrites and _tells(changes.overwrites[key], loss)]
    if same:
        return _agreed(loss, names[keys.index(same[0])]), same
    return (_alone(loss, names, now) if names else Cause.UNEXPLAINED), ()


def _tells(overwrite: Overwrite, loss: Loss) -> bool:
    """Whether an overwrite has one of the values lost among those that left."""
    return not set(overwrite.old.split(", ")).isdisjoint(", ".join(loss.values).split(", "))


def _agreed(loss: Loss, naming: Naming) -> Cause:
    """How a change that both list is named in the reference."""
    if loss.of_list:
        return Cause.WHOLE_LIST
    named = {"same": Cause.SAME, "product": Cause.OTHER_LINE, "day": Cause.OTHER_DAY}
    return named.get(naming.element, Cause.UNEXPLAINED)


def _alone(loss: Loss, names: list[Naming], now: Fields) -> Cause:
    """Why the reference lists no overwrite of a field it knows: the value stands, or its place is gone."""
    naming = names[0]
    stands = set(loss.values) <= {value for name in names for value in now.get(name.path, ())}
    if stands and loss.of_list:
        return Cause.GREW
    if stands:
        return Cause.KEPT_ON_LINE if naming.element == "product" else Cause.UNEXPLAINED
    if naming.path in now or loss.of_list:
        return Cause.UNEXPLAINED
    if loss.how is How.REPLACED:
        return Cause.OTHER_FLIGHT_DAY if naming.element == "day" else Cause.UNEXPLAINED
    return Cause.ELEMENT_GONE


def stale_uses(one: Lowered) -> Iterator[Case]:
    """The reference's arguments equal to a replaced value, then the product's stale uses that are none of them."""
    found = _stale(one)
    for listed in replaced_arguments(one.raw):
        stale = found.pop((listed.message, listed.value), None)
        cause = Cause.STALE if stale and not listed.in_force else _excused(one, listed)
        held = listed.held_by[0]
        yield Case(cause, *_place(listed), held.entity.id, held.path, listed.value)
    for (message, value), cell in found.items():
        place = (one.raw.id, one.raw.file, one.raw.position, message)
        yield Case(Cause.UNEXPLAINED, *place, cell, "", value)


def _excused(one: Lowered, listed: ReplacedArgument) -> Cause:
    """Why the product finds no stale use: it linked the argument to what is in force."""
    uses = [use for use in _uses_at(one, listed.message) if _is_at(use, one, listed)]
    if listed.in_force and any(read.was is None for use in uses for read in use.reads()):
        return Cause.RESTATED
    return Cause.UNEXPLAINED


def _stale(one: Lowered) -> dict[tuple[int, str], str]:
    """The product's stale uses by message and value."""
    program = one.program
    found = one.manager.result(StaleUses)
    return {
        (message_of(program, program.block_of(use.instruction)), canonical(use.entry.value)): str(use.entry.cell)
        for use in found
    }


def _uses_at(one: Lowered, message: int) -> Iterator[Use]:
    blocks = (number for number in range(len(one.program.blocks)) if message_of(one.program, number) == message)
    items = (item for block in blocks for item in one.program.blocks[block].instructions)
    return (item for item in items if isinstance(item, Use) and (item.origin.rule or "").startswith("5"))


def _is_at(use: Use, one: Lowered, listed: ReplacedArgument) -> bool:
    """Whether a Use stands at the listed argument; the reference leaves positions in lists out of its name."""
    names = [step for step in argument_place(use)[2] if not step.isdecimal()]
    return ".".join(names) == listed.parameter and argument(one.raw, use) == listed.value


def _place(of: Loss | Overwrite | ReplacedArgument) -> tuple[str, str, int, int]:
    return of.conversation, of.file, of.position, of.message
