"""Reading a domain file: every key and value is checked, and every mistake shown with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar, get_args

from ... import toml_file
from ...diagnostics import suggestion
from .rules import EntityRule, Extent, Form, ToolRule

T = TypeVar("T", bound=str)
_EXTENTS: tuple[Extent, ...] = get_args(Extent)
_FORMS: tuple[Form, ...] = get_args(Form)


def read(path: str | Path) -> dict[str, Any]:
    """What the fields of a domain are by its file. Raises `InputError` for anything that is not as described."""
    return _domain(_Table.load(path))


class _Table(toml_file.Table):
    """A table of a domain file."""

    code = "DO001"
    file_is = "the domain file"
    described = "the page on domain files in the docs shows every key"

    def tables(self) -> Iterator[_Table]:
        """The tables in this one."""
        return map(self.table, self._values)

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts, or one; none where the key is not given."""
        value = self._values.get(key, [])
        found = [value] if isinstance(value, str) else value
        if not isinstance(found, list) or not all(isinstance(one, str) and one for one in found):
            raise self.wrong(key, f"{key} is a list of texts, not {value!r}")
        return tuple(found)

    def text(self, key: str) -> str | None:
        """A text, if the key is given."""
        value = self._values.get(key)
        if value is None or (isinstance(value, str) and value):
            return value
        raise self.wrong(key, f"{key} is a text, not {value!r}")

    def flag(self, key: str) -> bool | None:
        """True or false, if the key is given."""
        value = self._values.get(key)
        if value is None or isinstance(value, bool):
            return value
        raise self.wrong(key, f"{key} is true or false, not {value!r}")

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """All keys with the texts they have."""
        return tuple((key, self.text(key) or "") for key in self._values)

    def is_true(self, key: str) -> bool:
        """Whether the key is given as `true`."""
        return self._values.get(key) is True

    def is_false(self, key: str) -> bool:
        """Whether the key is missing, or given as `false`."""
        return self._values.get(key, False) is False

    def one_of(self, key: str, known: tuple[T, ...]) -> T | None:
        """One of the words that are known, if the key is given."""
        text = self.text(key)
        found = next((one for one in known if one == text), None)
        if text is not None and found is None:
            raise self.wrong(key, f"unknown {key} {text!r}{suggestion(text, known)}; known are {', '.join(known)}")
        return found


def _domain(table: _Table) -> dict[str, Any]:
    table.only("tools", "entities", "fields", "names", "said")
    fields = table.table("fields")
    fields.only("sensitive", "lasting")
    entities = tuple(map(_entity, table.table("entities").tables()))
    _refuse_shared(table.table("entities"), entities)
    return {
        "tools": tuple(map(_tool, table.table("tools").tables())),
        "entities": entities,
        "sensitive": fields.texts("sensitive"),
        "lasting": fields.texts("lasting"),
        "names": _names(table.table("names")),
        "said": tuple(_said(table.table("said"))),
    }


def _tool(table: _Table) -> ToolRule:
    table.only("entity", "id", "result", "writes", "effect", "effect_key", "form", "concludes", "ignore")
    effect = _effect(table)
    if table.text("effect_key") and effect is None:
        raise table.wrong("effect_key", "effect_key is the key of an effect, and there is none; write effect = true")
    return ToolRule(
        name=table.name,
        entity=table.text("entity"),
        id=table.text("id"),
        result=table.one_of("result", _EXTENTS),
        writes=table.flag("writes"),
        effect=effect,
        effect_key=table.text("effect_key"),
        form=table.one_of("form", _FORMS),
        concludes=bool(table.flag("concludes")),
        ignore=bool(table.flag("ignore")),
    )


def _effect(table: _Table) -> str | None:
    """The name of an effect; an empty one stands for the tool's own."""
    if table.is_true("effect"):
        return ""
    return None if table.is_false("effect") else table.text("effect")


def _entity(table: _Table) -> EntityRule:
    table.only("ids", "sensitive", "lasting")
    return EntityRule(
        kind=table.name, ids=table.texts("ids"), sensitive=table.texts("sensitive"), lasting=table.texts("lasting")
    )


def _refuse_shared(table: _Table, entities: tuple[EntityRule, ...]) -> None:
    """Refuse a field that is to name entities of two kinds."""
    kinds: dict[str, str] = {}
    for entity in entities:
        for field in entity.ids:
            if kinds.setdefault(field, entity.kind) != entity.kind:
                raise table.table(entity.kind).wrong("ids", f"{field!r} is an id of {kinds[field]!r} already")


def _names(table: _Table) -> tuple[tuple[str, str], ...]:
    """Synonyms; what one leads to is no synonym itself, so that a name is looked up once."""
    pairs = table.pairs()
    for synonym, real in pairs:
        if real in dict(pairs):
            raise table.wrong(synonym, f"{real!r} is a synonym itself; name what it stands for")
    return pairs


def _said(table: _Table) -> Iterator[tuple[str, re.Pattern[str]]]:
    for kind, text in table.pairs():
        try:
            pattern = re.compile(text)
        except (re.error, RecursionError, OverflowError) as error:
            raise table.wrong(kind, f"this is no regular expression: {error}") from None
        if pattern.match(""):
            raise table.wrong(kind, "this expression finds the empty text")
        yield kind, pattern
