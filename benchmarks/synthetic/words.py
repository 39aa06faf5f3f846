"""The words of one domain in one language: which entities there are, their fields and values, and what is done to them.

They are data, one TOML file a domain in `domains/`. Keys of entities and names of fields, tools and effects are English
in every language, as in most systems; what people read is not.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable
from functools import cache, cached_property
from pathlib import Path
from random import Random
from typing import Any

import attrs

from statemem.ir import Cell

DOMAINS = ("support", "coding", "travel", "operations")
LANGUAGES = ("en", "zh")

_FOLDER = Path(__file__).parent / "domains"
_SEAM = re.compile(r"(?<=[A-Za-z0-9])\0(?=[一-鿿])|(?<=[一-鿿])\0(?=[A-Za-z0-9])")


@attrs.frozen
class Entity:
    """One thing of a kind, with its key: `order["W1004"]`."""

    kind: str
    key: str


@attrs.frozen(eq=False)
class Words:
    """A domain in a language. All that is drawn comes from the generator that is handed in."""

    domain: str
    language: str
    data: dict[str, Any] = attrs.field(repr=False)

    # what there is

    def entity(self, number: int, draw: Random, kind: str | None = None) -> Entity:
        """An entity of any kind, or of one; the number makes its key one of its own."""
        own = kind or str(draw.choice(list(self.data["entities"])))
        return Entity(own, self.data["entities"][own]["key"].format(number=1000 + number))

    def conclusion(self, number: int) -> Entity:
        """The entity of which a conclusion is told: an estimate, a plan."""
        return Entity(self.data["conclusion"]["kind"], self.data["conclusion"]["key"].format(number=1000 + number))

    def field(self, kind: str, draw: Random) -> str:
        """A field of a kind of entity that anybody may change."""
        return str(draw.choice(list(self._fields(kind))))

    def guarded(self) -> tuple[str, str]:
        """A kind of entity and its field that may change only if the user agrees."""
        return self.data["guarded"]["kind"], self.data["guarded"]["field"]

    def effect(self, draw: Random) -> str:
        """Something that is done to the world."""
        return str(draw.choice(list(self.data["effects"])))

    def task(self, draw: Random) -> tuple[str, list[str]]:
        """A kind of task and the names of what it needs."""
        kind = draw.choice(list(self.data["tasks"]))
        return kind, list(self.data["tasks"][kind]["requires"])

    # values

    def value(self, kind: str, field: str, draw: Random) -> Any:
        """A value that a field may have."""
        return self._drawn(self.spec(kind, field), draw)

    def note(self, draw: Random) -> tuple[str, str]:
        """Something that is worth a note, and the same in other words."""
        first, other = draw.choice(self._own(self.data["notes"]))
        number = str(draw.randint(2, 9_999))
        return first.replace("{number}", number), other.replace("{number}", number)

    def injected(self, draw: Random) -> str:
        """What somebody who means harm puts into a page or a mail."""
        pattern = draw.choice(self._own(self.data["injected"]))
        return self._filled(pattern.replace("{number}", str(draw.randint(100, 9_999))), draw)

    def spec(self, kind: str, field: str) -> dict[str, Any]:
        """What is said of a field: its title, and where its values come from. A task may be named by its own name."""
        own = self.task_kind(kind) if (kind, field) not in self._specs else kind
        return dict(self._specs[own, field])

    @cached_property
    def _specs(self) -> dict[tuple[str, str], dict[str, Any]]:
        """The fields of entities, of the conclusion and of what tasks require, and the guarded one."""
        guarded, conclusion = self.data["guarded"], self.data["conclusion"]
        fields = {kind: self._fields(kind) for kind in self.data["entities"]}
        fields[conclusion["kind"]] = conclusion["fields"]
        fields |= {kind: task["requires"] for kind, task in self.data["tasks"].items()}
        told = {(kind, field): spec for kind, own in fields.items() for field, spec in own.items()}
        return told | {(guarded["kind"], guarded["field"]): guarded}

    def task_kind(self, task: str) -> str:
        """The kind of a task by its name, which begins with it: `return` of `return12`."""
        return max((kind for kind in self.data["tasks"] if task.startswith(kind)), key=len, default=task)

    def _fields(self, kind: str) -> dict[str, Any]:
        return dict(self.data["entities"][kind]["fields"])

    def _drawn(self, spec: dict[str, Any], draw: Random) -> Any:
        if "between" in spec:
            return draw.randint(*spec["between"])
        if "amount" in spec:
            return round(draw.randint(*spec["amount"]) + draw.randint(1, 99) / 100, 2)
        pattern = draw.choice(self._own(spec["one_of"]))
        return self._filled(pattern, draw)

    def _filled(self, pattern: str, draw: Random) -> str:
        """A pattern with its gaps filled: `{number}`, or the name of a list."""
        for name, choices in self.data["lists"].items():
            while f"{{{name}}}" in pattern:
                pattern = pattern.replace(f"{{{name}}}", draw.choice(self._own(choices)), 1)
        while "{number}" in pattern:
            pattern = pattern.replace("{number}", str(draw.randint(2, 999)), 1)
        return pattern

    # what people read

    def title(self, spec: dict[str, Any]) -> str:
        """What something is called."""
        return str(self._own(spec["title"]))

    def spoken(self, cell: Cell) -> str:
        """A cell as one speaks of it: a field of an entity or a task, an entity, something that is all text."""
        *owner, last = cell.path
        if last.kind == "key":
            return self.named(cell.path[0].text, last.text)
        if len(owner) == 2 and self.is_text(owner[0].text):
            return self.named(owner[0].text, owner[1].text)
        named = self.named(owner[0].text, owner[1].text) if len(owner) == 2 else self.spoken_task(cell.scope.key)
        return self.field_of(self.spec(owner[0].text if owner else cell.scope.key, last.text), named)

    def is_text(self, kind: str) -> bool:
        """Whether things of a kind have nothing but their text: notes, pages."""
        return kind in self._common["texts"]

    def field_of(self, spec: dict[str, Any], named: str) -> str:
        """A field of something that has a name."""
        if self.language == "zh":
            return _seamless(f"{_gap(named)}的{self.title(spec)}")
        return f"the {self.title(spec)} of {named}"

    def named(self, kind: str, key: str) -> str:
        """An entity as one speaks of it: `order W1004`."""
        conclusion = self.data["conclusion"]
        kinds = self.data["entities"] | self._common["texts"] | {conclusion["kind"]: conclusion}
        return self.title(kinds[kind]).replace("{key}", key)

    def spoken_task(self, task: str) -> str:
        """A task as one speaks of it, with what tells it from others of its kind: `the return 12`."""
        kind = self.task_kind(task)
        if kind not in self.data["tasks"]:
            return task
        own = task.removeprefix(kind).strip("-")
        return f"{self.title(self.data['tasks'][kind])} {own}".rstrip()

    def chatter(self, draw: Random) -> tuple[str, str]:
        """Small talk: what a person says, and the answer."""
        said, answered = draw.choice([*self._own(self.data["chatter"]), *self._own(self._common["chatter"])])
        return said, answered

    def sentence(self, form: str, turn: int = 0, /, **gaps: Any) -> str:
        """A sentence with its gaps filled, a question for instance; of several ways to say it each has its turn."""
        ways = self._own(self._common["sentences"][form])
        said = _seamless(str(ways[turn % len(ways)]).format(**{name: _gap(value) for name, value in gaps.items()}))
        return said[:1].upper() + said[1:] if self.language == "en" else said

    def joined(self, how: str, parts: Iterable[str]) -> str:
        """Parts of a sentence joined by `either` or `since`."""
        return _seamless(str(self._own(self._common["joins"][how])).join(map(_gap, parts)))

    @property
    def _common(self) -> dict[str, Any]:
        return _sentences()

    def _own(self, value: Any) -> Any:
        """The part of a value that is in this language; one that has no languages is the same in all."""
        return value[self.language] if isinstance(value, dict) and self.language in value else value


@cache
def words(domain: str, language: str) -> Words:
    """The words of a domain in a language."""
    return Words(domain, language, _read(domain))


@cache
def _sentences() -> dict[str, Any]:
    """What is said in every domain."""
    return _read("sentences")


def _read(name: str) -> dict[str, Any]:
    with (_FOLDER / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)


def _gap(value: Any) -> str:
    """A value as it fills a gap, between two seams, without a full stop of its own."""
    return f"\0{str(value).strip().rstrip('.。')}\0"


def _seamless(text: str) -> str:
    """A text without its seams: where Latin letters or digits meet Chinese ones there, a space is due."""
    return _SEAM.sub(" ", text).replace("\0", "")


def respelled(value: Any) -> Any:
    """The same value written in another way: a number with a point, letters taken apart, space around a text."""
    if isinstance(value, int):
        return float(value)
    if isinstance(value, float):
        return value
    apart = unicodedata.normalize("NFD", value)
    return apart if apart != value else f" {value} "


def lookalike(entity: Entity) -> Entity:
    """The entity under a key that a person may take for the same: in small letters."""
    return attrs.evolve(entity, key=entity.key.lower())
