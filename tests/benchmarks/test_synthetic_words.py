"""The words of synthetic dialogues: every domain has in both languages what stories are told with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from random import Random
from typing import Any

import pytest

from benchmarks.synthetic.dialogue import SESSION, USER
from benchmarks.synthetic.story import task_cell
from benchmarks.synthetic.words import DOMAINS, LANGUAGES, Entity, Words, words
from statemem.ir import Cell, key, name
from statemem.ir.frontends.linking.distinctive import is_distinctive, is_identifier
from statemem.ir.identity import singular

CHINESE = re.compile(r"[一-鿿]")


@pytest.fixture(params=[(domain, language) for domain in DOMAINS for language in LANGUAGES], ids="-".join)
def own(request: pytest.FixtureRequest) -> Words:
    """The words of one domain in one language."""
    return words(*request.param)


def specs(own: Words) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """All that has values, by kind and field."""
    groups = [*own.data["entities"].items(), (own.data["conclusion"]["kind"], own.data["conclusion"])]
    fields = {kind: group["fields"] for kind, group in groups}
    fields |= {kind: task["requires"] for kind, task in own.data["tasks"].items()}
    yield from ((kind, field, own.spec(kind, field)) for kind, told in fields.items() for field in told)
    kind, field = own.guarded()
    yield kind, field, own.spec(kind, field)


def texts(own: Words, draw: Random) -> Iterator[str]:
    """One of everything that is drawn as text."""
    yield from own.note(draw)
    yield from own.chatter(draw)
    yield own.injected(draw)
    yield from (value for kind, field, _ in specs(own) if isinstance(value := own.value(kind, field, draw), str))


def test_what_is_drawn_is_never_empty_and_has_no_gaps(own: Words) -> None:
    draw = Random(1)
    for text in chain.from_iterable(texts(own, draw) for _ in range(200)):
        assert text.strip()
        assert not re.search(r"[{}\0]", text)


def test_the_same_draw_gives_the_same(own: Words) -> None:
    assert list(texts(own, Random(7))) == list(texts(own, Random(7)))


def test_a_cell_can_have_many_values(own: Words) -> None:
    draw = Random(2)
    for kind, field, _ in specs(own):
        assert len({own.value(kind, field, draw) for _ in range(400)}) >= 50, field


def test_most_values_tell_by_themselves_what_they_are(own: Words) -> None:
    draw = Random(3)
    values = [own.value(kind, field, draw) for kind, field, _ in specs(own) for _ in range(100)]
    assert sum(map(is_distinctive, values)) >= 0.75 * len(values)


def test_each_domain_is_rich_enough(own: Words) -> None:
    data = own.data
    assert len(data["entities"]) >= 2
    assert all(len(entity["fields"]) >= 3 for entity in data["entities"].values())
    assert len(data["tasks"]) >= 2
    assert all(len(task["requires"]) >= 2 for task in data["tasks"].values())
    assert len(data["effects"]) >= 2
    assert len(data["notes"][own.language]) >= 6
    assert len(data["injected"][own.language]) >= 4


def test_small_talk_is_varied(own: Words) -> None:
    draw = Random(4)
    assert len({own.chatter(draw) for _ in range(500)}) >= 8


def test_a_field_belongs_to_one_kind(own: Words) -> None:
    fields = [field for _, field, _ in specs(own)]
    assert len(set(fields)) == len(fields)


def test_keys_are_identifiers_of_their_own(own: Words) -> None:
    draw = Random(5)
    made = [own.entity(number, draw) for number in range(100)] + [own.conclusion(number) for number in range(100, 200)]
    keys = [one.key for one in made]
    assert len(set(keys)) == len(keys)
    assert all(map(is_identifier, keys))


def test_kinds_have_plain_plurals(own: Words) -> None:
    """Tools that list things are named after them, and the singular is found by leaving out the s."""
    kinds = [*own.data["entities"], own.data["conclusion"]["kind"]]
    assert kinds == [singular(f"{kind}s") for kind in kinds]


def test_an_entity_may_be_asked_for_by_its_kind(own: Words) -> None:
    kind, _ = own.guarded()
    assert kind == own.entity(1, Random(1), kind).kind


def test_the_same_in_other_words_is_neither_part_of_the_other(own: Words) -> None:
    for first, other in own.data["notes"][own.language]:
        assert first.strip(".。") not in other
        assert other.strip(".。") not in first


def test_titles_are_in_the_language(own: Words) -> None:
    titles = [own.title(spec) for _, _, spec in specs(own)]
    titles += [own.spoken_task(task) for task in own.data["tasks"]]
    assert all(bool(CHINESE.search(title)) == (own.language == "zh") for title in titles)


def test_everything_can_be_spoken_of(own: Words) -> None:
    draw = Random(6)
    entity = own.entity(4, draw)
    of_entity = Cell(USER, (name(entity.kind), key(entity.key)))
    task, (field, *_) = own.task(draw)
    for cell in (
        of_entity,
        of_entity.child(own.field(entity.kind, draw)),
        of_conclusion(own).child(next(iter(own.data["conclusion"]["fields"]))),
        task_cell(f"{task}12", field),
        task_cell(f"{task}-12-at-hand", field),
        Cell(SESSION, (name("note"), key("N7"), name("text"))),
        Cell(SESSION, (name("page"), key("P7"), name("text"))),
    ):
        spoken = own.spoken(cell)
        assert spoken
        assert bool(CHINESE.search(spoken)) == (own.language == "zh")


def of_conclusion(own: Words) -> Cell:
    """An entity of which something is concluded."""
    entity: Entity = own.conclusion(4)
    return Cell(USER, (name(entity.kind), key(entity.key)))


@pytest.mark.parametrize(
    ("language", "form", "gaps", "expected"),
    [
        ("en", "holds", {"cell": "the fee of estimate E7"}, "What is the fee of estimate E7 now?"),
        ("zh", "holds", {"cell": "估算 E7 的费用"}, "估算 E7 的费用现在是什么？"),
        ("en", "presumed", {"cell": "the fee", "value": 3}, "Given that the fee is 3, what follows?"),
        ("zh", "trusted", {"cell": "费用"}, "费用还可信吗？"),
        ("en", "rests_on", {"cell": "the fee", "value": 3}, "What was concluded from the fee being 3?"),
        ("en", "noted", {"value": "Bites."}, "Please note: Bites."),
    ],
)
def test_sentences(language: str, form: str, gaps: dict[str, Any], expected: str) -> None:
    assert expected == words("support", language).sentence(form, **gaps)


def test_a_space_stands_between_latin_and_chinese() -> None:
    assert "订单 W1 和订单 W2 其实是同一个。" == words("support", "zh").sentence(
        "same", left="订单 W1", right="订单 W2"
    )


def test_several_ways_to_say_it_take_turns() -> None:
    own = words("support", "en")
    assert own.sentence("told", 0, cell="x", value=1) != own.sentence("told", 1, cell="x", value=1)


def test_every_sentence_is_there_in_both_languages() -> None:
    common = words("support", "en")._common["sentences"]
    assert all({"en", "zh"} == set(form) and form["en"] and form["zh"] for form in common.values())
