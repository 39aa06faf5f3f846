"""Annotated dialogues with their annotation hidden: the independent readers, and what is counted, on logs read by hand."""

import json
from typing import Any

import pytest

from benchmarks.lowering import carried_links, requeried_star, slots_figures
from benchmarks.lowering.dialogues import DOMAINS
from benchmarks.lowering.slots_log import Dialogue, multiwoz, norm, sgd
from benchmarks.lowering.slots_parsed import agreement

Record = dict[str, Any]


def act(kind: str, slot: str, said: str, written: str | None = None) -> Record:
    return {"act": kind, "slot": slot, "values": [said], "canonical_values": [written or said]}


def user(text: str, service: str, values: Record, *acts: Record) -> Record:
    state = {"active_intent": "Find", "slot_values": values}
    return {"speaker": "USER", "utterance": text, "frames": [{"service": service, "actions": acts, "state": state}]}


def system(text: str, service: str, call: Record | None = None, results: Any = ()) -> Record:
    frame: Record = {"service": service, "actions": []}
    if call is not None:
        frame |= {"service_call": {"method": f"Find{service}", "parameters": call}, "service_results": list(results)}
    return {"speaker": "SYSTEM", "utterance": text, "frames": [frame]}


TOWN = act("INFORM", "town", "NYC", "New York")
TALK = [
    user("Tea in NYC.", "Tea", {"town": ["NYC"]}, TOWN),
    system("Which day?", "Tea"),
    user("On Monday.", "Tea", {"town": ["NYC"], "day": ["Monday"]}, act("INFORM", "day", "Monday")),
    system(
        "Blue Pot?", "Tea", {"town": "New York", "day": "Monday"}, [{"name": "Blue Pot", "street": "5 Long Street"}]
    ),
    user("Yes. And a bus there.", "Bus", {"to": ["NYC"]}),
    system("Done.", "Bus", {"to": "New York", "stop": "5 Long Street", "day": "Monday"}, [{"line": "M2"}]),
]


def dialogue(*turns: Record) -> Record:
    return {"dialogue_id": "d_1", "turns": list(turns)}


def test_the_log_has_utterances_and_calls_and_no_annotation():
    found = sgd(dialogue(*TALK))
    assert ["user", "assistant", "user", "assistant", "tool"] == [one["role"] for one in found.messages[:5]]
    assert {3: "Tea", 4: "Tea", 7: "Bus", 8: "Bus"} == found.services
    assert "INFORM" not in json.dumps(found.as_record())


def test_the_gold_has_every_way_to_write_a_value():
    points = sgd(dialogue(*TALK)).points
    assert [2, 6, 10] == [point.messages for point in points]
    assert {("Tea", "town"): {"nyc", "new york"}} == points[0].slots
    assert {("Tea", "town"), ("Tea", "day"), ("Bus", "to")} == set(points[2].slots)


def test_slots_are_found_once_a_call_was_given_them():
    figures = slots_figures.measure([sgd(dialogue(*TALK))])
    assert (6, 5, 5) == (figures.gold, figures.right, figures.named)
    assert {"said": 1} == figures.missed


def test_a_value_that_was_changed_and_is_in_force_still_is_too_much():
    turns = [
        user("Tea in Rome.", "Tea", {"town": ["Rome"]}),
        system("None.", "Tea", {"town": "Rome"}),
        user("Then Pisa.", "Tea", {"town": ["Pisa"]}),
        system("One.", "Tea", {"town": "Pisa"}),
    ]
    figures = slots_figures.measure([sgd(dialogue(*turns))])
    assert (2, 2, 2) == (figures.gold, figures.right, figures.found_right)
    assert {"changed": figures.found - figures.found_right} == figures.surplus


def test_a_form_holds_what_is_wanted_now():
    turns = [
        user("Tea in Rome on Monday.", "Tea", {"town": ["Rome"], "day": ["Monday"]}),
        system("None.", "Tea", {"town": "Rome", "day": "Monday"}),
        user("Then Pisa.", "Tea", {"town": ["Pisa"], "day": ["Monday"]}),
        system("One.", "Tea", {"town": "Pisa"}),
    ]
    figures = slots_figures.measure([sgd(dialogue(*turns))], DOMAINS / "sgd.toml")
    assert (4, 4, 4, 4) == (figures.gold, figures.right, figures.found, figures.found_right)


def test_carried_values_are_links_between_services():
    found = sgd(dialogue(*TALK))
    assert [("Bus", "to")] == [one.slot for one in found.carried]
    links = carried_links.measure([found])
    assert (1, 1, 1, 3) == (links.gold, links.called, links.right, links.found)
    assert {"result": 1, "other": 1} == links.surplus


def test_without_calls_nothing_is_found_that_no_pattern_knows():
    slots = {"semi": {"area": "north", "stars": "not mentioned", "name": ""}, "book": {"booked": [], "day": "monday"}}
    log = [
        {"text": "a room in the north on monday", "metadata": {}, "dialog_act": {}},
        {"text": "ok", "metadata": {"hotel": slots}, "dialog_act": {}},
    ]
    found = multiwoz("MUL1", {"log": log})
    assert {("hotel", "area"): {"north"}, ("hotel", "day"): {"monday"}} == found.points[0].slots
    figures = slots_figures.measure([found])
    assert (2, 0, {"said": 2}) == (figures.gold, figures.right, figures.missed)
    assert figures.precision is None


def test_the_parser_gives_the_annotation_back():
    record = dialogue(*TALK)
    found = agreement([sgd(record)], [record])
    assert (6, 6, 0) == (found.gold, found.right, found.surplus)


def event(action: str, agent: str = "Wizard", **rest: Any) -> Record:
    return {"Action": action, "Agent": agent, **rest}


def query(**constraints: str) -> list[Record]:
    listed = [{slot: text} for slot, text in constraints.items()]
    asked = event("query", APIName="ride", Constraints=listed)
    return [asked, event("return_item", "KnowledgeBase", APIName="ride", Item={"Message": "No."})]


CHANGED = [
    event("instruct", "UserGuide", Text="Say Rome, then Pisa."),
    event("utter", "User", Text="A taxi to Rome"),
    *query(To='"Rome"', Seats="2", RequestType='"Check"'),
    event("utter", "User", Text="No, Pisa"),
    *query(To='api.is_equal_to("Pisa")', Seats="2", RequestType='"Book"'),
]


def star_dialogue() -> Dialogue:
    return requeried_star.star({"DialogueID": 7, "Events": CHANGED})


def test_instructions_are_hidden():
    assert ["user", "assistant", "tool", "user", "assistant", "tool"] == [
        one["role"] for one in star_dialogue().messages
    ]
    assert "Say" not in json.dumps(star_dialogue().messages)


def test_constraints_that_changed_are_told_from_those_that_stayed():
    found = [(one.slot, one.before, one.now) for one in requeried_star.repeated(star_dialogue())]
    assert [("To", "rome", "pisa"), ("Seats", "2.0", "2.0")] == found


def test_what_a_repeated_query_changed_is_counted():
    figures = requeried_star.measure([{"DialogueID": 7, "Events": CHANGED}])
    assert (2, 1, 1, 1) == (figures.queries, figures.repeated, figures.changed, figures.stayed)
    assert figures.overwritten + sum(figures.missed.values()) == figures.changed
    assert 0 == figures.overwritten_wrongly


def test_with_a_form_what_changed_is_overwritten_and_what_stayed_is_not():
    figures = requeried_star.measure([{"DialogueID": 7, "Events": CHANGED}], DOMAINS / "star.toml")
    assert (1, 1, 1, 0) == (figures.changed, figures.overwritten, figures.stayed, figures.overwritten_wrongly)


@pytest.mark.parametrize(("left", "right"), [("5", 5.0), (" Rome", "rome"), ("True", True)])
def test_values_are_compared_without_case_and_numbers_by_value(left: Any, right: Any):
    assert norm(left) == norm(right)
