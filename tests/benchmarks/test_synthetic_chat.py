"""Synthetic dialogues as chat messages: that they are well formed, and that statemem finds in them what tools say."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

import statemem
from benchmarks.synthetic.dialogue import SESSION, USER, Dialogue, Entry, Plant, Turn
from benchmarks.synthetic.forms import chat
from benchmarks.synthetic.generator import Recipe, generate
from benchmarks.synthetic.levels import LEVELS
from benchmarks.synthetic.stories import STORIES
from benchmarks.synthetic.story import Story, reference, task_cell
from benchmarks.synthetic.words import DOMAINS, LANGUAGES, words
from benchmarks.synthetic.world import World
from statemem.actions import Kind
from statemem.ir import Cell, Use, key, name
from statemem.ir.cells import path_text
from statemem.ir.diagnostics import Problem
from statemem.ir.frontends import lower
from statemem.passes.chains import slice_forward


class Told:
    """A dialogue told act by act, each in a turn of its own."""

    def __init__(self, domain: str = "support", language: str = "en") -> None:
        world = World(words(domain, language), Random(1), LEVELS["easy"])
        self.story = Story(world, Plant("test 1", "test"))
        self._turns: list[Turn] = []
        self._next()

    def _next(self) -> None:
        self.story.world.now = len(self._turns) + 1

    def turn(self) -> None:
        """End the turn at hand."""
        self._turns.append(self.story.turn())
        self._next()

    def sets(self, cell: Cell, value: Any = None, **how: Any) -> Entry:
        """A fact is stated."""
        entry = self.story.sets(cell, value, **how)
        self.turn()
        return entry

    def derives(self, *premises: Entry, cell: Cell | None = None, **how: Any) -> Entry:
        """A conclusion is drawn."""
        entry = self.story.derives(cell or self.story.conclusion(), *premises, **how)
        self.turn()
        return entry

    def telling(self) -> Cell:
        """A cell whose values are long texts: the first field of the first kind is one in all domains."""
        kind, entity = next(iter(self.story.world.words.data["entities"].items()))
        return self.story.cell(self.story.entity(kind), next(iter(entity["fields"])))

    def chats(self, actor: str) -> None:
        """Small talk."""
        self._turns.append(Turn(self.story.now, actor, (), "chatter"))
        self._next()

    def dialogue(self) -> Dialogue:
        """All that was told."""
        world = self.story.world
        return Dialogue("told", world.words, tuple(self._turns), (), world.ledger.entries, {})

    def messages(self) -> list[dict[str, Any]]:
        """The messages of the last turn."""
        return chat.messages(self._turns[-1], self.dialogue())

    def said(self) -> str:
        """The one sentence of the last turn."""
        (message,) = self.messages()
        return str(message["content"])


Writer = Callable[[Told], Path]


@pytest.fixture(params=[(domain, language) for domain in DOMAINS for language in LANGUAGES], ids="-".join)
def told(request: pytest.FixtureRequest) -> Told:
    """A dialogue of one domain in one language."""
    return Told(*request.param)


@pytest.fixture
def english() -> Told:
    """A dialogue at the support desk, with an order to speak of."""
    return Told()


def order(number: int = 4, field: str = "status") -> Cell:
    """A field of an order."""
    return Cell(USER, (name("order"), key(f"W100{number}"), name(field)))


def rich(told: Told) -> Dialogue:
    """A dialogue in which everything is done that stories do."""
    story = told.story
    cell = story.cell()
    first = told.sets(cell)
    told.chats("user")
    said = told.sets(story.cell(), by="user")
    told.sets(said.cell, by="user")
    page = told.sets(Cell(SESSION, (name("page"), key("P9"), name("text"))), "Do it.", by="tool:open_page")
    note = told.sets(story.note(), story.world.words.note(story.draw)[0], by="user")
    conclusion = told.derives(first, page, note)
    story.uses(conclusion, note)
    told.turn()
    second = told.sets(cell)
    story.uses(first, purpose="message")
    told.turn()
    story.acts(story.effect(), second, key="k1")
    told.turn()
    story.says("user")
    story.binds("it7", Cell(USER, cell.path[:2]))
    told.turn()
    told.sets(cell, by="user", at=reference("it7", cell.path[-1].text))
    story.says("user")
    story.unites(Cell(USER, cell.path[:2]), Cell(USER, said.cell.path[:2]))
    told.turn()
    kind, (field, *_) = story.world.words.task(story.draw)
    story.says("user")
    story.enters(f"{kind}5")
    told.turn()
    told.sets(task_cell(f"{kind}5", field), story.required(kind, field), by="user")
    story.says("user")
    story.ends(f"{kind}5")
    told.turn()
    story.withdraws(second.cell)
    told.turn()
    told.chats("assistant")
    return told.dialogue()


# the messages


def test_it_is_json_with_a_message_a_line(told: Told) -> None:
    dialogue = rich(told)
    text = chat.text(dialogue)
    found = json.loads(text)
    assert len(found) == len(text.splitlines()) - 2
    assert found == [one for turn in dialogue.turns for one in chat.messages(turn, dialogue)]
    assert all(one["role"] in ("system", "user", "assistant", "tool") for one in found)


def test_no_message_is_empty_or_has_gaps(told: Told) -> None:
    for one in json.loads(chat.text(rich(told))):
        assert one.get("tool_calls") or one["content"].strip()
        assert "{" not in (one["content"] or "") or one["role"] == "tool"


def test_each_call_is_answered_at_once(told: Told) -> None:
    found = json.loads(chat.text(rich(told)))
    called = [call["id"] for one in found for call in one.get("tool_calls", ())]
    assert len(set(called)) == len(called)
    assert called == [one["tool_call_id"] for one in found if one["role"] == "tool"]
    for one, following in pairwise(found):
        if "tool_calls" in one:
            assert [call["id"] for call in one["tool_calls"]] == [following.get("tool_call_id")]


def test_each_message_belongs_to_a_turn(told: Told) -> None:
    dialogue = rich(told)
    turns = chat.turns_of_messages(dialogue)
    assert len(turns) == len(json.loads(chat.text(dialogue)))
    assert sorted(turns) == turns
    assert {one.number for one in dialogue.turns} == set(turns)


def test_the_same_dialogue_gives_the_same_text() -> None:
    assert chat.text(rich(Told())) == chat.text(rich(Told()))


def test_what_came_before_is_the_same_whatever_comes_after() -> None:
    dialogue = rich(Told())
    upto = dialogue.upto(dialogue.turns[8].number)
    assert json.loads(chat.text(upto)) == json.loads(chat.text(dialogue))[: len(chat.turns_of_messages(upto))]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("domain", DOMAINS)
def test_every_story_can_be_told(domain: str, language: str) -> None:
    dialogue = generate(Recipe("all", dict.fromkeys(STORIES, 1), 90, "easy", domain, language), 1)
    found = json.loads(chat.text(dialogue))
    assert len(chat.turns_of_messages(dialogue)) == len(found)
    assert not [one for one in found if "{" in (one["content"] or "") and one["role"] != "tool"]


# sentences


def test_a_fact_said_first_once_more_and_against_it(english: Told) -> None:
    english.sets(order(), "lost", by="user")
    assert "You should know that the status of order W1004 is lost." == english.said()
    english.sets(order(), "lost", by="user")
    assert "Yes, the status of order W1004 is lost." == english.said()
    english.sets(order(), "found", by="user")
    assert "Correction: the status of order W1004 is found." == english.said()


def test_what_a_word_means(english: Told) -> None:
    told = english.sets(order(), "lost", by="user")
    english.story.says("user")
    english.story.binds("it", Cell(USER, told.cell.path[:2]), Cell(USER, order(5).path[:2]))
    english.turn()
    assert "When I say it, I mean, you know, order W1004 or order W1005." == english.said()
    english.sets(told.cell, "found", by="user", at=reference("it", "status"))
    assert "Correction: the status of it is found." == english.said()


def test_tasks(english: Told) -> None:
    expected = ["Let us begin with the return 7.", "Let us leave the return 7 for later."]
    expected += ["Where were we with the return 7?", "So the return 7 is done."]
    story, said = english.story, []
    acts = (story.enters, story.leaves, story.enters, story.ends)
    for act in acts:
        story.says("user")
        act("return7")
        english.turn()
        said.append(english.said())
    assert expected == said


def test_a_withdrawal(english: Told) -> None:
    english.sets(order(), "lost")
    english.story.withdraws(order())
    english.turn()
    assert "Forget the status of order W1004; that is withdrawn." == english.said()


def test_a_note_is_said_as_it_stands(english: Told) -> None:
    english.sets(english.story.note(), "Has 9 steps.", by="user")
    assert "Please note: Has 9 steps." == english.said()


# calls


def call_and_result(told: Told) -> tuple[str, dict[str, Any], Any]:
    """The tool that was called in the last turn, its arguments and its result."""
    call, result = told.messages()
    function = call["tool_calls"][0]["function"]
    content = result["content"]
    return function["name"], json.loads(function["arguments"]), content if content == "ok" else json.loads(content)


def test_a_tool_tells_one_field(english: Told) -> None:
    english.sets(order(), "lost")
    expected = ("get_order_status", {"order_id": "W1004"}, {"order_id": "W1004", "status": "lost"})
    assert expected == call_and_result(english)


def test_a_page_is_opened(english: Told) -> None:
    english.sets(Cell(SESSION, (name("page"), key("P9"), name("text"))), "Do it.", by="tool:open_page")
    assert ("open_page", {"page_id": "P9"}, {"page_id": "P9", "text": "Do it."}) == call_and_result(english)


def test_a_conclusion_is_made_of_its_premises(english: Told) -> None:
    one, other = english.sets(order(4), "lost"), english.sets(order(5), "found")
    cell = Cell(USER, (name("estimate"), key("E1007"), name("fee")))
    english.derives(one, other, cell=cell, value=12.5)
    arguments = {"status": "lost", "status_2": "found", "estimate_id": "E1007"}
    assert ("update_estimate_fee", arguments, {"estimate_id": "E1007", "fee": 12.5}) == call_and_result(english)


def test_an_effect_takes_what_holds(english: Told) -> None:
    english.sets(order(), "lost")
    english.sets(order(), "found")
    english.story.says("user")
    english.story.binds("it", Cell(USER, order().path[:2]))
    english.turn()
    english.story.acts("refund", key="k1", through=reference("it", "status"))
    english.turn()
    assert ("refund", {"status": "found", "request_id": "k1"}, {"ok": True}) == call_and_result(english)


def test_a_use_passes_on_what_it_saw(english: Told) -> None:
    old = english.sets(order(), "lost")
    english.sets(order(), "found")
    english.story.uses(old, purpose="message")
    english.turn()
    assert ("send_message", {"status": "lost"}, "ok") == call_and_result(english)


@pytest.mark.parametrize(
    ("actor", "expected"),
    [
        ("user", "said by a person"),
        ("tool:get_status", "result of a tool"),
        ("assistant", "said by the assistant"),
        ("system", "said by the system"),
    ],
)
def test_how_an_entry_comes_into_the_chat(english: Told, actor: str, expected: str) -> None:
    assert expected == chat.surface(english.sets(order(), "lost", by=actor))


def test_how_a_conclusion_comes_into_the_chat(english: Told) -> None:
    fact = english.sets(order(), "lost")
    assert "concluded by a tool" == chat.surface(english.derives(fact))
    assert "concluded by a person" == chat.surface(english.derives(fact, by="user"))


# what statemem makes of it


@pytest.fixture
def written(tmp_path: Path) -> Writer:
    """Writes a dialogue to a file."""

    def write(told: Told) -> Path:
        path = tmp_path / "log.json"
        path.write_text(chat.text(told.dialogue()), encoding="utf-8")
        return path

    return write


def test_it_is_lowered_without_a_problem(told: Told, written: Writer) -> None:
    rich(told)
    problems: list[Problem] = []
    (program,) = lower(written(told), problems)
    assert [] == problems
    assert len(chat.turns_of_messages(told.dialogue())) == len(program.blocks)


def test_an_update_by_tools_is_found(told: Told, written: Writer) -> None:
    cell = told.story.cell()
    old, new = told.sets(cell), told.sets(cell)
    report = statemem.analyze(written(told), show_values=True)
    found = [one for one in report.actions if one.kind is Kind.SUPERSEDE]
    assert [path_text(cell.path)] == [path_text(one.cell.path) for one in found if one.cell is not None]
    values = {one.entry.id: one.entry.value for one in report.entries}
    assert [(old.value, new.value)] == [(values[one.entry or ""], values[one.other or ""]) for one in found]


def test_other_fields_stand_when_one_is_read_again(told: Told, written: Writer) -> None:
    cell = told.story.cell()
    kind = cell.path[0].text
    fields = list(told.story.world.words.data["entities"][kind]["fields"])
    others = [told.sets(Cell(USER, (*cell.path[:2], name(field)))) for field in fields]
    again = told.sets(others[0].cell)
    report = statemem.analyze(written(told), show_values=True)
    held = {path_text(one.cell.path): one.entry.value for one in report.entries if one.in_force}
    expected = {path_text(one.cell.path): one.value for one in (*others[1:], again)}
    assert expected == {path: value for path, value in held.items() if path in expected}


def test_what_rests_on_a_fact_is_found(told: Told, written: Writer) -> None:
    one, other = told.sets(told.telling()), told.sets(told.telling())
    below = told.derives(one, other)
    above = told.derives(below)
    report = statemem.analyze(written(told), show_values=True)
    by_path = {path_text(each.cell.path): each.entry for each in report.entries}
    expected = {path_text(each.cell.path) for each in (below, above)}
    for root in (one, other):
        found = slice_forward(report.manager, by_path[path_text(root.cell.path)])
        assert expected <= {path for path, entry in by_path.items() if entry in found}


def test_a_stale_use_in_a_call_is_found(told: Told, written: Writer) -> None:
    story = told.story
    kind, field = story.world.words.guarded()
    cell = story.cell(story.entity(kind), field)
    old = told.sets(cell)
    told.sets(cell)
    story.uses(old, purpose="message")
    told.turn()
    report = statemem.analyze(written(told), show_values=True)
    assert 1 == sum(one.kind is Kind.FLAG_STALE_USE for one in report.actions)


def test_a_value_quoted_in_a_reply_is_a_use(told: Told, written: Writer) -> None:
    story = told.story
    entry = told.sets(told.telling())
    story.uses(entry)
    told.turn()
    done = [one for block in statemem.lower(written(told)).blocks for one in block.instructions]
    quoted = [place for one in done if isinstance(one, Use) and one.purpose == "reply" for place, _ in one.operands]
    assert path_text(entry.cell.path) in [path_text(place.path) for place in quoted]
