"""Secrets, numbers and addresses of people are shown nowhere: not in reports, JSON, explanations or texts of errors."""

import json

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from statemem import analyze
from statemem.cli import main
from statemem.ir.diagnostics import StatememError
from statemem.masking import mask_text

#: Made up, and put together here so that no scanner takes this file for a leak; each with what must be seen nowhere.
SECRETS = {
    "cloud key": "AKIA" + "Q7W2E9R4T6Y1U8I3",
    "token of three parts": "ey" + "JhbGciOiJIUzI1NiJ9.ey" + "JzdWIiOiI0MiJ9.c2lnbmF0dXJl",
    "key of an interface": "sk-" + "a1b2c3d4e5f6g7h8i9",
    "key of a forge": "ghp_" + "a1b2c3d4e5f6g7h8i9j0",
    "phone": "+49 151 2345 6789",
    "phone in China": "138" + "0013" + "8000",
    "mail": "orla.quinn@shop.example",
    "card": "4539 " + "5787 6362 1486",
}
PEM = "-----BEGIN " + "PRIVATE KEY-----\nMIIEfakefakefake\n-----END PRIVATE KEY-----"


def put(name, value, **fields):
    return {"op": "set", "name": name, "value": value, **fields}


def use(name, **fields):
    return {"op": "use", "name": name, **fields}


#: Where a secret may stand in a turn.
PLACES = {
    "value": lambda s: [put("a", s), use("a")],
    "prose": lambda s: [put("a", f"it is {s}, is it?"), put("a", "x")],
    "end of a sentence": lambda s: [put("a", f"it is {s}.")],
    "Chinese text": lambda s: [put("a", f"我的是{s}，谢谢")],
    "list": lambda s: [put("a", {"x": ["y", s]})],
    "field": lambda s: [put("a", {s: 1})],
    "key": lambda s: [put(f'a["{s}"].b', 1), put(f'a["{s}"].b', 2), use(f'a["{s}"].c')],
    "id": lambda s: [put("a", 1, id=s), use("a", was=s), put("a", 2)],
    "unknown id": lambda s: [put("a", 1), use("a", was=s)],
    "stale use": lambda s: [put("a", s, id="old"), put("a", "new"), use("a", was="old", **{"for": f"tell {s}"})],
    "effect": lambda s: [{"op": "effect", "name": s, "args": ["a"], "key": s}] * 2,
    "operation": lambda s: [{"op": s, "name": "a"}, put("a", 1)],
    "name that is none": lambda s: [put(f"{s}//", 1), put("a", 1)],
    "scope that is none": lambda s: [put("x", 1, scope=s), put("a", 1)],
    "task": lambda s: [{"op": "enter", "name": s}, {"op": "leave", "name": f"other {s}"}],
    "conclusion": lambda s: [
        put("a", s),
        {"op": "derive", "name": "b", "value": f"hm, {s}", "from": ["a"]},
        put("a", 1),
    ],
}
HEADS = ("time", "actor", "task")


def told(turn):
    """All that people read of a log of one turn."""
    try:
        report = analyze([turn])
    except StatememError as error:
        return [str(error)]
    shown = [str(report), json.dumps(report.to_dict(), ensure_ascii=False), *map(str, report.problems)]
    return [*shown, *(explained(report, cell) for cell in ("a", "b", "nothing", "a/x"))]


def explained(report, cell):
    try:
        return report.explain(cell)
    except StatememError as error:
        return str(error)


def turn_with(*ops, **fields):
    return {"turn": 1, "actor": "user", "scope": "session:1", "ops": list(ops), **fields}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", SECRETS)
def test_wherever_it_stands_it_is_shown_nowhere(kind, place):
    secret = SECRETS[kind]
    assert not [text for text in told(turn_with(*PLACES[place](secret))) if secret in text]


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("kind", SECRETS)
def test_nor_in_the_head_of_a_turn(kind, head):
    secret = SECRETS[kind]
    assert not [text for text in told(turn_with(put("a", 1), use("b"), **{head: secret})) if secret in text]


@pytest.mark.parametrize("kind", ["cloud key", "key of an interface", "card"])
def test_nor_as_the_id_of_a_turn_in_the_proof_of_a_repeated_effect(kind):
    secret = SECRETS[kind]
    texts = told(turn_with(*[{"op": "effect", "name": "pay", "key": "p-1"}] * 2, turn=secret))
    assert not [text for text in texts if secret in text]


MISTAKEN = 'program "p"\ntask main in session:1/ {\n  block a user {\n    note = set "%s" oops\n    open\n  }\n}\n'


def test_of_a_text_that_cannot_be_read_the_command_line_shows_the_line_masked(tmp_path):
    file = tmp_path / "mistaken.smir"
    file.write_text(MISTAKEN % SECRETS["cloud key"], encoding="utf-8")
    output = CliRunner().invoke(main, ["analyze", str(file)]).output
    assert "[secret]" in output
    assert SECRETS["cloud key"] not in output


@pytest.mark.parametrize("place", ["value", "prose", "list", "stale use", "effect", "conclusion"])
def test_of_a_key_in_several_lines_no_line_is_shown(place):
    assert not [text for text in told(turn_with(*PLACES[place](PEM))) if "MIIE" in text]


@given(st.sampled_from(sorted(SECRETS)), st.sampled_from(sorted(PLACES)), st.sampled_from(sorted(PLACES)))
def test_nor_where_several_things_come_together(kind, one, other):
    secret = SECRETS[kind]
    texts = told(turn_with(*PLACES[one](secret), *PLACES[other](secret)))
    assert not [text for text in texts if secret in text]


def test_what_is_suggested_for_a_name_that_is_none_is_masked_too():
    secret = SECRETS["cloud key"]
    report = analyze([turn_with(put(f"a[{secret}].b", 1), put(f"c[{secret}].b", 1))])
    texts = [explained(report, name) for name in (f"a/{secret[:-1]}", f"{secret}/b", f"a/{secret}/x")]
    assert not [text for text in texts if secret in text]
    assert all("[secret]" in text for text in texts)


@pytest.mark.parametrize("command", [["analyze"], ["analyze", "--json"], ["explain", "a"], ["explain", "b"], ["lower"]])
@pytest.mark.parametrize("place", PLACES)
def test_the_command_line_shows_it_neither_in_results_nor_in_notes(tmp_path, command, place):
    file = tmp_path / "log.jsonl"
    for kind in ("cloud key", "card", "mail"):
        file.write_text(json.dumps(turn_with(*PLACES[place](SECRETS[kind])), ensure_ascii=False), encoding="utf-8")
        done = CliRunner().invoke(main, [command[0], str(file), *command[1:]])
        assert SECRETS[kind] not in done.output


def test_who_asks_to_see_values_sees_them():
    secret = SECRETS["cloud key"]
    report = analyze([turn_with(*PLACES["stale use"](secret), *PLACES["operation"](secret))], show_values=True)
    assert secret in report.explain("a")
    assert secret in str(report.problems[0])


@pytest.mark.parametrize("name", ["password", "user_password", "apiKey", "pin", "access_token", "客户.password"])
def test_what_is_secret_by_its_name_is_hidden_whatever_it_looks_like(name):
    texts = told(turn_with(put(name, "tulips"), put("a", {name.rpartition(".")[2]: "tulips"})))
    assert not [text for text in texts if "tulips" in text]


PROSE = [
    "I forgot my password again",
    "the password must have twelve characters, a token is no secret here",
    "我又忘了密码",
    "order W15-77 of 2026-03-29, 1 234 567 pieces, 99.95 each",
    "version 1.2.3.4, build 20260329120000, tracking 9400100000000000000000",
    "a risk-management-and-planning office, a task-sk-learn project",
    "AKIA is how such keys begin, and eyJ how such tokens do",
    "see mail@ or @home, 10-4, +1",
]


@pytest.mark.parametrize("text", PROSE)
def test_prose_is_left_as_it_is(text):
    assert text == mask_text(text)
    assert json.dumps(text, ensure_ascii=False)[1:-1] in analyze([turn_with(put("note", text))]).explain("note")


@pytest.mark.parametrize("kind", SECRETS)
@pytest.mark.parametrize(
    "around", ["{}", "({})", "是{}吗", "{}。", "{}.", "{}, ok", "«{}»", "a {}; b", "电话{}", "{}谢谢"]
)
def test_nothing_that_stands_around_it_lets_it_through(kind, around):
    assert SECRETS[kind] not in mask_text(around.format(SECRETS[kind]))


@pytest.mark.parametrize(
    "text", ["4539 5787 6362 1487", "v13800138000", "13800138000.5", "x-4539578763621486", "0.4539578763621486"]
)
def test_numbers_that_are_no_card_and_no_phone_are_left(text):
    assert text == mask_text(text)
