"""Pipelines as text: `liveness,aliases,next_use{horizon=20}`, and passes from files, `./my_pass.py:Untold{most=3}`.

Names and values are bare or in double quotes, in which a backslash keeps the sign behind it; a bare one ends at a
comma, a brace or, if it is the name of an option, an equals sign. Blanks around them mean nothing.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, NoReturn, TypeVar, Union, get_args, get_origin, get_type_hints

import attrs
from rich.cells import cell_len

from statemem.ir.diagnostics import UsageError, suggestion

from .analysis import Pass
from .registry import find, spelled

T = TypeVar("T")
#: What ends a bare word, and so is quoted where it is part of one.
_SIGNS = ',{}="'
_NAMED: dict[Any, dict[str, bool | None]] = {bool: {"true": True, "false": False}, NoneType: {"none": None}}


class Word(NamedTuple):
    """A name or a value, where it begins, and whether it stands in quotes."""

    text: str
    at: int = 0
    quoted: bool = False


def parse_pipeline(text: str) -> list[Pass]:
    """The passes that a text names, with their options.

    Raises `UsageError` with the column, what is wrong there and what could stand instead.

    >>> parse_pipeline("liveness, reaching{}")
    [Liveness(), Reaching()]
    """
    return list(_Reader(text).passes())


def pipeline_text(passes: Iterable[Pass]) -> str:
    """The text of some passes, from which `parse_pipeline` makes them again."""
    return ",".join(map(pass_text, passes))


def pass_text(one: Pass) -> str:
    """A pass with those of its options that differ from their defaults.

    >>> from statemem.passes import Liveness
    >>> pass_text(Liveness())
    'liveness'
    """
    return _quoted(spelled(type(one))) + _given_text(one)


def label(one: Pass) -> str:
    """A pass by its name and what differs from its defaults, for people."""
    return one.name + _given_text(one)


def _given_text(one: Pass) -> str:
    values = ((option, getattr(one, option.attribute)) for option in options_of(type(one)))
    given = [
        f"{option.name}={option.text(value)}"
        for option, value in values
        if option.is_required or value != option.default
    ]
    return f"{{{', '.join(given)}}}" if given else ""


class _Reader:
    """Reads a pipeline from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def passes(self) -> Iterator[Pass]:
        """Every pass, between commas; none in an empty text."""
        if not self._text.strip():
            return
        yield self._pass()
        while self._takes(","):
            yield self._pass()
        if self._at < len(self._text):
            self._fail(self._at, "a comma is expected between passes")

    def _pass(self) -> Pass:
        name = self._word(",{}", "a pass")
        kind = self._meant(name.at, lambda: find(name.text))
        known = self._meant(name.at, lambda: options_of(kind))
        given = self._given(kind, {option.name: option for option in known}) if self._takes("{") else {}
        missing = [option for option in known if option.is_required and option.name not in given]
        if missing:
            self._fail(name.at, f"pass {kind.name!r} needs a value for {missing[0].name!r}; {_told(kind)}")
        return self._made(kind, given, name.at)

    def _made(self, kind: type[Pass], given: dict[str, Any], at: int) -> Pass:
        try:
            return kind(**given)
        except (TypeError, ValueError) as error:  # a validator of the pass
            self._fail(at, f"pass {kind.name!r} refuses its options: {error}")

    def _given(self, kind: type[Pass], known: dict[str, Option]) -> dict[str, Any]:
        """The options up to the closing brace."""
        given: dict[str, Any] = {}
        while not self._takes("}"):
            if given and not self._takes(","):
                self._fail(self._at, "a comma or a closing brace is expected behind an option")
            name = self._word(_SIGNS, "an option or a closing brace")
            if name.text not in known:
                near = suggestion(name.text, known)
                self._fail(name.at, f"pass {kind.name!r} has no option {name.text!r}{near}; {_told(kind)}")
            if name.text in given:
                self._fail(name.at, f"the option {name.text!r} is given twice")
            given[name.text] = self._value(known[name.text])
        return given

    def _value(self, option: Option) -> Any:
        if not self._takes("="):
            self._fail(self._at, f"an equals sign and a value are expected behind {option.name!r}")
        word = self._word(",{}", f"a value for {option.name!r}")
        return self._meant(word.at, lambda: option.value(word))

    def _meant(self, at: int, ask: Callable[[], T]) -> T:
        """What is asked for; what is wrong with it is told with its place."""
        try:
            return ask()
        except UsageError as error:
            self._fail(at, str(error))

    # signs and words

    def _skip_blanks(self) -> None:
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1

    def _takes(self, sign: str) -> bool:
        """Whether a sign comes next; then it is read."""
        self._skip_blanks()
        is_there = self._text.startswith(sign, self._at)
        self._at += len(sign) if is_there else 0
        return is_there

    def _word(self, stops: str, expected: str) -> Word:
        """A bare word up to one of some signs, or a quoted one."""
        self._skip_blanks()
        begin = self._at
        if self._takes('"'):
            return Word("".join(self._inside(begin)), begin, True)
        while self._at < len(self._text) and self._text[self._at] not in stops:
            self._at += 1
        if self._at == begin:
            self._fail(begin, f"{expected} is expected here")
        return Word(self._text[begin : self._at].rstrip(), begin, False)

    def _inside(self, begin: int) -> Iterator[str]:
        """The characters up to the closing quote."""
        while not self._text.startswith('"', self._at):
            self._at += self._text.startswith("\\", self._at)
            if self._at >= len(self._text):
                self._fail(begin, "the quote that begins here is not closed")
            yield self._text[self._at]
            self._at += 1
        self._at += 1

    def _fail(self, at: int, message: str) -> NoReturn:
        raise UsageError(f"column {at + 1}: {message}\n{_pointed(self._text, at)}") from None


def _told(kind: type[Pass]) -> str:
    """What options a pass has."""
    found = ", ".join(map(str, options_of(kind)))
    return f"its options are {found}" if found else "it has no options"


def _pointed(text: str, at: int) -> str:
    """A text on one line, a caret below one of its characters."""
    shown = "".join(char if char.isprintable() else " " for char in text)
    return f"  {shown}\n  {' ' * cell_len(shown[:at])}^"


# options


@attrs.frozen
class Option:
    """An option of a pass: what it is called, what it takes, and its default, `attrs.NOTHING` where it has none."""

    name: str
    attribute: str
    kinds: tuple[Any, ...]
    default: Any

    @property
    def is_required(self) -> bool:
        """Whether it has no default."""
        return self.default is attrs.NOTHING

    @property
    def type(self) -> str:
        """What it takes, in words: `int`, `fast|slow`, `float|none`."""
        return "|".join(_kind_name(kind) for kind in self.kinds)

    def __str__(self) -> str:
        return f"{self.name}: {self.type}" + ("" if self.is_required else f" = {self.text(self.default)}")

    def value(self, word: Word) -> Any:
        """The value that a word means. Raises `UsageError` where it means none of the option's type."""
        for kind in sorted(self.kinds, key=_precedence):
            try:
                return _converted(word, kind)
            except ValueError:
                continue
        choices = [text for kind in self.kinds for text in (*_choices(kind), *_NAMED.get(kind, ()))]
        raise UsageError(f"{self.name!r} takes {self.type}, not {word.text!r}{suggestion(word.text, choices)}")

    def text(self, value: Any) -> str:
        """The text of a value, in quotes where it would mean something else without."""
        if value is None or isinstance(value, bool):
            return str(value).lower()
        found = str(value.value if isinstance(value, enum.Enum) else value)
        return _quoted(found, unless=self._means(found, value)) if isinstance(value, (str, enum.Enum)) else found

    def _means(self, text: str, value: Any) -> bool:
        try:
            return bool(self.value(Word(text)) == value)
        except UsageError:
            return False


def options_of(kind: type[Pass]) -> list[Option]:
    """The options of a pass, in the order in which its class has them."""
    fields: list[Any] = [field for field in getattr(kind, "__attrs_attrs__", ()) if field.init]
    try:
        hints = get_type_hints(kind) if fields else {}
    except NameError as error:
        raise UsageError(f"the options of pass {kind.name!r} have types that are not known: {error}") from None
    return [
        Option(field.alias, field.name, _kinds(hints.get(field.name, str)), _default(field.default)) for field in fields
    ]


def _default(default: Any) -> Any:
    """The default itself, where it is told by a function without arguments."""
    is_made = isinstance(default, attrs.Factory) and not default.takes_self  # type: ignore[arg-type]
    return default.factory() if is_made else default


def _kinds(annotation: Any) -> tuple[Any, ...]:
    """The alternatives of a union, or the one type."""
    return get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)


def _kind_name(kind: Any) -> str:
    return "none" if kind is NoneType else "|".join(_choices(kind)) or getattr(kind, "__name__", str(kind))


def _choices(kind: Any) -> dict[str, Any]:
    """The values there are to choose from, by their texts."""
    if get_origin(kind) is Literal:
        return {str(value): value for value in get_args(kind)}
    members: Any = kind.__members__.values() if isinstance(kind, enum.EnumMeta) else ()
    return {str(member.value): member for member in members}


def _precedence(kind: Any) -> int:
    """A word is taken as text only where it can mean nothing else."""
    order = (NoneType, bool, int, float)
    return order.index(kind) if kind in order else 5 if kind is str else 4


def _converted(word: Word, kind: Any) -> Any:
    """What a word means as a value of a type; ValueError where it means none."""
    choices = _choices(kind)
    if kind is str or word.text in choices:
        return choices.get(word.text, word.text)
    if not word.quoted and kind in _NAMED and word.text in _NAMED[kind]:
        return _NAMED[kind][word.text]
    if word.quoted or kind not in (int, float):
        raise ValueError(word.text)
    return kind(word.text)


def _quoted(text: str, *, unless: bool = True) -> str:
    """A text, in double quotes where it has to be or is not to stand bare."""
    is_bare = text and text == text.strip() and not any(sign in text for sign in _SIGNS)
    if is_bare and unless:
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
