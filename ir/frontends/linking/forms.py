"""Forms: what the calls of a tool fill in, one call after another, where a domain says that they are of one form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from ...cells import Cell
from ...instructions import Delete, Instruction, Set
from ...origin import Origin
from ..opaque import costed, shortened
from .calls import SURE, Call, by, inside


def filled(call: Call, form: Cell, arguments: dict[str, Any], origin: Origin) -> Iterator[Instruction]:
    """Each argument replaces what its slot held; where a call states the whole form, the other slots are gone.

    A slot is set, not derived: that the value was found elsewhere too makes no conclusion of what somebody asks for.
    """
    at = by(origin, "5 form", SURE)
    if call.about.rule.form == "whole":
        named = ", ".join(call.names.values()) or None
        at = attrs.evolve(at, named=named)
        yield Set(target=form, value=shortened(arguments), origin=at) if arguments else Delete(target=form, origin=at)
        return
    for field, value in arguments.items():
        where = attrs.evolve(inside(at, call.written(field)), named=call.names.get(field))
        yield Set(target=form.child(field), value=shortened(value), origin=costed(where, value))
