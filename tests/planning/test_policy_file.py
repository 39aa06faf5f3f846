"""Policy files: what they say, and every mistake with its line."""

import pytest

from statemem import analyze
from statemem.actions import Kind
from statemem.ir import build, parse_cell
from statemem.ir.cells import Scope
from statemem.ir.diagnostics import InputError
from statemem.policy import CellPattern, Generation, Policy, Promotion, load

WHOLE = """
[generations.session]
cold_after = 3

[[guarded]]
cells = "order[*].address"

[[guarded]]
cells = "user:*/phone"
by = ["user", "assistant:checker"]

[trust]
trusted = ["tool:get_*"]

[[trust.source]]
label = "secret"
cell = "*/salary"

[[trust.sanitiser]]
who = "tool:escape"

[[trust.rule]]
code = "TR001"
message = "a secret leaves the house"
labels = ["secret"]
sinks = [{kind = "effect", what = "send_*"}]

[authority]
order = ["system", "tool", "user", "assistant"]

[promotion]
collections = 2

[[suppress]]
code = "SM101"
cells = "order[*]"
conversation = "desk"
reason = "known, see the wiki"

[[suppress]]
code = "TR001"
"""


@pytest.fixture(name="read")
def _read(tmp_path):
    def read(text):
        file = tmp_path / "policy.toml"
        file.write_text(text, encoding="utf-8")
        return load(file)

    return read


def test_a_whole_policy_is_read(read):
    policy = read(WHOLE)
    assert Generation(cold_after=3, archive_factor=2) == policy.generations["session"]
    assert [("user",), ("user", "assistant:checker")] == [guard.by for guard in policy.guards]
    assert Promotion(collections=2, every=5) == policy.promotion
    assert "TR001" == policy.trust.flows[-1].code
    assert ["SM101", "TR001"] == [one.code for one in policy.suppressions]
    assert policy.authority is not None


def test_an_empty_file_is_the_default(read):
    assert Policy() == read("")


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("[generations.sesion]\n", 1, "unknown key 'sesion', did you mean 'session'?"),
        ("\n[generations.turn]\ncold_after = -1\n", 3, "cold_after is a whole number of at least 0, not -1"),
        ("[generations.turn]\narchive_factor = true\n", 2, "archive_factor is a whole number"),
        ("[[guarded]]\ncells = 'a'\n[[guarded]]\nby = 'user'\n", 3, "cells is missing"),
        ("[[guarded]]\ncells = 'a..b'\n", 2, ""),
        ("[[guarded]]\ncells = 7\n", 2, "cells is a text, not 7"),
        ("guarded = 3\n", 1, "guarded are tables"),
        (f"guarded = {'[' * 5_000}{']' * 5_000}\n", None, "nested too deeply"),
        (f"[generations.turn]\ncold_after = {'9' * 5_000}\n", None, "the policy is not TOML"),
        ("[[guarded]]\ncells = 'a'\nby = []\n", 3, "by is a list of texts, not []"),
        ("[trust]\ntrusted = [1]\n", 2, "trusted is a list of texts, not [1]"),
        ("[trust]\nstandard = 'no'\n", 2, "standard is true or false"),
        ("[[trust.sanitiser]]\nlabels = ['untrusted']\n", 2, "without either all would"),
        ("[[trust.rule]]\ncode = 'SM811'\nmessage = 'x'\nlabels = ['a']\nsinks = [{kind = 'effect'}]\n", 2, "is taken"),
        ("[[trust.rule]]\ncode = 'no code'\n", 2, "'no code' is taken or no code"),
        ("[[trust.rule]]\ncode = 'T1'\nmessage = 'x'\nlabels = ['a']\n", 1, "sinks is missing"),
        ("[[trust.rule]]\ncode = 'T1'\nmessage = 'x'\nlabels = ['a']\nsinks = [{kind = 'efect'}]\n", 5, "did you mean 'effect'"),
        ("[[guarded]]\ncells = 'a'\nby = 'usr'\n", 3, "no actor is of the kind 'usr', did you mean 'user'?"),
        ("[trust]\ntrusted = ['tol:x']\n", 2, "did you mean 'tool'?"),
        ("[[trust.source]]\nlabel = 'l'\nwho = 'assistent'\n", 3, "did you mean 'assistant'?"),
        ("[authority]\norder = ['tool', 'tool']\n", 2, "'tool' stands in order more than once"),
        ("[[trust.rule]]\ncode = 'T1'\nmessage = 'x'\nlabels = ['untrustd']\nsinks = [{kind = 'pin'}]\n", 4, "'untrusted'"),
        ("[promotion]\nevery = 0\n", 2, "every is a whole number of at least 1, not 0"),
        ("[[suppress]]\ncode = 'SM602'\n", 2, "SM602 is an action and no finding"),
        ("[[suppress]]\ncode = 'SM999'\n", 2, "unknown code 'SM999'"),
        ("[[suppress]]\ncode = 'SM101'\n\n[[suppress]]\ncode = 'SM102'\n", 5, "unknown code 'SM102'"),
        ("[supress]\n", 1, "did you mean 'suppress'?"),
        ("a = \n", 1, "the policy is not TOML"),
    ],
)  # fmt: skip
def test_a_mistake_is_shown_with_its_line(read, text, line, told):
    with pytest.raises(InputError) as caught:
        read(text)
    (problem,) = caught.value.problems
    assert ("PO001", line) == (problem.code, problem.location.line)
    assert told in problem.message


@pytest.mark.parametrize(
    ("pattern", "cell", "scope", "covered"),
    [
        ("order[*].address", 'order["A"].address', "session:1", True),
        ("order[*].address", 'order["A"].address.city', "user:7", True),
        ("order[*].address", 'order["A"]', "user:7", False),
        ("order[*]", "orders", "user:7", False),
        ("user:*/phone", "phone", "user:7", True),
        ("user:*/phone", "phone", "session:7", False),
        ("user:7/phone", "phone", "user:8", False),
        ("user:7/*", "anything.at[all]", "user:7", True),
    ],
)  # fmt: skip
def test_a_pattern_covers_a_family_and_all_below_it(pattern, cell, scope, covered):
    kind, _, key = scope.partition(":")
    assert covered == CellPattern.parse(pattern).covers(parse_cell(cell, Scope(kind, key)))


def stale():
    return (
        build(name="desk").set("order[A].card", "c1", id="e1").block().set("order[A].card", "c2")
        .block("assistant").use(("order[A].card", "e1"), purpose="pay").open()
    )  # fmt: skip


def kinds(report):
    return [one.kind for one in report.actions if one.kind is Kind.FLAG_STALE_USE]


def test_a_suppressed_finding_is_counted_and_not_told(read):
    report = analyze(stale(), policy=read(WHOLE))
    assert ([], [], 1) == (kinds(report), report.stale_uses, report.hidden)
    assert "1 finding not told: suppressed by the policy, or known from the baseline" in str(report)


@pytest.mark.parametrize("place", ["cells = 'order[B]'", "conversation = 'another'"])
def test_a_suppression_of_another_place_hides_nothing(read, place):
    report = analyze(stale(), policy=read(f"[[suppress]]\ncode = 'SM101'\n{place}\n"))
    assert ([Kind.FLAG_STALE_USE], 0) == (kinds(report), report.hidden)


def test_authority_of_the_policy_makes_weaker_sources_conflict(read):
    program = build().block("tool").set("price", 10).block("assistant").set("price", 12).open()
    policy = read("[authority]\norder = ['tool', 'assistant']\n")
    assert ["SM205"] == [one.code for one in analyze(program, policy=policy).actions if one.kind is Kind.FLAG_CONFLICT]
    assert [] == [one for one in analyze(program).actions if one.kind is Kind.FLAG_CONFLICT]
