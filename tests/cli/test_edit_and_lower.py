"""`edit`, and what `lower` shows beside the text form."""

import json

import pytest
from click.testing import CliRunner

from statemem.cli import main
from statemem.ir.text import parse

CONTACT = """program "contact"
task main in user:7/ {
  block t1 user {
    phone = set "+33 6 55 50 19 87" as m1
    note = derive "call +33 6 55 50 19 87 at noon" from phone was m1 as m2
    mail = set "ann.b@shop.example" as m3
    same order["W15"], order["A-15"]
    open
  }
}
"""
OTHER = """program "other"
task main in user:8/ {
  block t1 user {
    city = set "Lyon" as m1
    open
  }
}
"""


@pytest.fixture
def statemem(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "contact.smir").write_text(CONTACT, encoding="utf-8")

    def call(*arguments, code=0):
        result = CliRunner().invoke(main, arguments)
        assert code == result.exit_code, result.output
        return result

    return call


def test_a_redacted_text_is_gone_and_what_is_shown_is_masked(statemem):
    result = statemem("edit", "contact.smir", "--redact", "+33 6 55 50 19 87")
    assert "55 50" not in result.stdout
    assert 'mail = set "a***@shop.example"' in result.stdout
    assert "redacted a text of 17 characters: changed block t1\n" == result.stderr


def test_an_edited_file_is_written_whole_and_unmasked(statemem, tmp_path):
    (tmp_path / "both.smir").write_text(CONTACT + OTHER, encoding="utf-8")
    statemem("edit", "both.smir", "--only", "other", "--retract", "m1", "-o", "both.smir")
    contact, other = parse((tmp_path / "both.smir").read_text(encoding="utf-8"))
    assert contact.same_as(parse(CONTACT)[0])
    assert [] == other.entries


def test_unions_are_withdrawn_by_either_order(statemem):
    assert "same " not in statemem("edit", "contact.smir", "--separate", "order[A-15]", "order[W15]").stdout


@pytest.mark.parametrize(
    ("said", "arguments"),
    [
        ("nothing to edit", []),
        ("no entry has the id 'm9'", ["--retract", "m9"]),
        ("nothing says that", ["--separate", "a", "b"]),
        ("is not a cell: at column 2", ["--separate", "a[", "b"]),
        ("would still be there", ["--redact", "user"]),
        ("no conversation is called 'x'", ["--redact", "Lyon", "--only", "x"]),
        ("names no file", ["--redact", "Lyon", "-o", ""]),
    ],
)
def test_an_edit_that_cannot_be_made_says_why_and_writes_nothing(statemem, tmp_path, said, arguments):
    result = statemem(
        "edit", "contact.smir", *(arguments if "-o" in arguments else [*arguments, "-o", "new.smir"]), code=2
    )
    assert said in result.stderr
    assert ["contact.smir"] == [file.name for file in tmp_path.iterdir()]


def test_a_picture_of_the_control_flow_is_masked_too(statemem):
    shown = statemem("lower", "--dot", "contact.smir").stdout
    assert shown.startswith('digraph "contact" {')
    assert "55 50" not in shown
    assert "peripheries=2" in shown


def test_two_ways_to_show_a_program_exclude_each_other(statemem):
    assert "give one of them" in statemem("lower", "--dot", "--explain", "contact.smir", code=2).stderr


def test_logs_of_one_user_become_one_program(statemem, tmp_path):
    for day, status in ((9, "delivered"), (2, "paid")):
        turn = {"turn": 1, "time": f"2026-03-0{day}T10:00:00", "scope": "session:chat", "ops": [
            {"op": "set", "scope": "user:7", "name": "order[W15].status", "value": status}]}  # fmt: skip
        (tmp_path / f"{day}.jsonl").write_text(json.dumps(turn), encoding="utf-8")
    text = statemem("lower", "--one-user", "ann", "--zone", "Europe/Paris", "9.jsonl", "2.jsonl").stdout
    [program] = parse(text)
    assert ["paid", "delivered"] == [entry.value for entry in program.entries]
    assert '"observed": "2026-03-02T10:00:00+01:00"' in text


def test_a_user_has_a_name(statemem):
    assert "names nobody" in statemem("lower", "--one-user", " ", "contact.smir", code=2).stderr


def test_an_unknown_zone_is_refused(statemem):
    assert "unknown time zone 'Europa/Paris'" in statemem("lower", "--zone", "Europa/Paris", "-", code=2).stderr


@pytest.mark.parametrize("command", [["analyze"], ["explain"]])
def test_a_workflow_has_no_report(statemem, tmp_path, command):
    (tmp_path / "flow.smir").write_text(CONTACT.replace('"contact"', '"flow" workflow').replace("open", "end"))
    cell = ["phone"] if command == ["explain"] else []
    assert "is a workflow" in statemem(*command, "flow.smir", *cell, code=2).stderr
    statemem("run", "-p", "liveness", "flow.smir")


SECRET = """program "m"
cell user:7/contact sensitive
task main in user:7/ {
  block a "ann@shop.example" {
    @it -> contact
    @it = set "HIDDEN-1" as e1
    same contact, reach
    reach = set "HIDDEN-2" as e2 with {"actor": "user:ann@shop.example", "rule": "by ann@shop.example"}
    password = add 20
    open
  }
}
"""


@pytest.mark.parametrize(
    "command", [["lower"], ["lower", "--dot"], ["lower", "--explain"], ["lower", "--one-user", "x"], ["analyze"],
                ["analyze", "--json"], ["explain"], ["run", "-p", "liveness"], ["edit", "--redact", "nowhere at all"]]
)  # fmt: skip
def test_what_is_sensitive_is_masked_by_whichever_name_it_is_written(statemem, tmp_path, command):
    (tmp_path / "m.smir").write_text(SECRET, encoding="utf-8")
    cell = ["contact"] if command == ["explain"] else []
    result = statemem(*command, "m.smir", *cell)
    assert "HIDDEN" not in result.stdout
    assert "ann@" not in result.stdout


def test_a_masked_program_is_still_one_that_can_be_read(statemem, tmp_path):
    (tmp_path / "m.smir").write_text(SECRET, encoding="utf-8")
    assert "?" == str(parse(statemem("lower", "m.smir").stdout)[0].entries[-1].value)


def test_an_unknown_value_within_a_list_is_told_in_json(statemem, tmp_path):
    (tmp_path / "u.smir").write_text(
        'program "u"\ntask main in user:7/ {\n block a user {\n  k = set [1, ?]\n  open\n }\n}\n'
    )
    assert '{"?":null}' in statemem("analyze", "--json", "u.smir").stdout


@pytest.mark.parametrize("command", [["lower"], ["edit", "--retract", "e1"]])
def test_a_log_is_not_replaced_by_what_was_made_of_it(statemem, tmp_path, command):
    text = '{"turn": 1, "scope": "session:1", "ops": [{"op": "set", "name": "x", "value": 1}]}'
    (tmp_path / "log.jsonl").write_text(text, encoding="utf-8")
    assert "would replace log.jsonl" in statemem(*command, "log.jsonl", "-o", "log.jsonl", code=2).stderr
    assert text == (tmp_path / "log.jsonl").read_text(encoding="utf-8")
