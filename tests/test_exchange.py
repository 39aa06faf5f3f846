"""An exchange that makes two orders of one: of which of them is the address to change?"""

import json

import pytest
from click.testing import CliRunner

from statemem import analyze
from statemem.actions import Kind
from statemem.cli import main
from statemem.policy import load

ORDER, EXCHANGE = "order[SD-204]", "exchange[XG-31]"
GUARDED = "".join(f'[[guarded]]\ncells = "{family}[*].address"\n' for family in ("order", "exchange", "订单", "换货单"))


@pytest.fixture(name="policy")
def _policy(tmp_path):
    file = tmp_path / "statemem.toml"
    file.write_text(GUARDED, encoding="utf-8")
    return file


def turn(number, actor, session, *ops, task=None):
    return {"turn": number, "actor": actor, "scope": session, "ops": list(ops), **({"task": task} if task else {})}


def put(name, value, entry, **fields):
    return {"op": "set", "name": name, "value": value, "id": entry, **fields}


def bind(target, **fields):
    return {"op": "bind", "name": "@it", "to": f"user:juno/{target}", **fields}


def conversation(
    order=ORDER, exchange=EXCHANGE, address="address", old="4 Mill Lane", new="9 Harbour Row", color="white"
):
    """An order, its exchange for another colour, and on the next day the wish to change the delivery address."""
    bought = {"item": "headphones", "color": "black", address: old}
    return [
        turn(1, "tool:place_order", "session:mon", put(order, bought, "order", scope="user:juno")),
        turn(2, "user", "session:mon", put("remedy", "exchange", "remedy"), put("wanted", color, "wanted")),
        turn(3, "tool:open_exchange", "session:mon",
             {"op": "derive", "scope": "user:juno", "name": exchange, "value": {"item": "headphones", "color": color, address: old},
              "from": [f"{order}.item", "session:mon/wanted"], "id": "exchange"}),
        turn(4, "user", "session:tue", put("wish", "change the delivery address", "wish"),
             bind(order), bind(exchange, maybe=True)),
        turn(5, "user", "session:tue", put(f"@it.{address}", new, "moved")),
        turn(6, "assistant", "session:tue", {"op": "effect", "name": "change_delivery", "args": [f"@it.{address}"]}),
    ]  # fmt: skip


def answered(meant, address="address", new="9 Harbour Row"):
    """The user says which, and it is done there."""
    return [
        turn(7, "user", "session:tue", bind(meant), put(f"@it.{address}", new, "settled")),
        turn(8, "assistant", "session:tue", {"op": "effect", "name": "change_delivery", "args": [f"@it.{address}"]}),
    ]


def asked(report):
    return [one for one in report.actions if one.kind is Kind.ASK]


def codes(report):
    return [(one.code, one.step) for one in asked(report)]


BOTH = {
    'order/SD-204: item "headphones", color "black", address "4 Mill Lane"',
    'exchange/XG-31: item "headphones", color "white", address "4 Mill Lane"',
}


class TestWhichOrderTheAddressIsOf:
    def test_the_plan_asks_and_names_both_so_that_a_person_can_tell_them_apart(self, source, policy):
        report = analyze(source(conversation()), policy=load(policy))
        assert [("SM912", 6), ("SM913", 5)] == codes(report)
        assert all(set(one.candidates) == BOTH for one in asked(report))
        assert all("which may mean exchange/XG-31 or order/SD-204" in one.reason for one in asked(report))

    def test_an_effect_is_asked_about_without_a_guard(self, source, policy):
        assert [("SM912", 6)] == codes(analyze(source(conversation())))

    def test_a_guarded_change_is_asked_about_before_anything_is_done(self, source, policy):
        report = analyze(source(conversation()), at=5, policy=load(policy))
        assert [("SM913", 5)] == codes(report)
        assert "a change of the guarded @it.address depends on @it" in asked(report)[0].reason

    def test_before_the_wish_nothing_is_asked(self, source, policy):
        assert [] == codes(analyze(source(conversation()), at=3, policy=load(policy)))

    @pytest.mark.parametrize("meant", [ORDER, EXCHANGE])
    def test_once_the_user_says_which_the_question_is_gone(self, source, policy, meant):
        log = source([*conversation(), *answered(meant)])
        asked_until = [codes(analyze(log, at=step, policy=load(policy))) for step in (6, 7, 8)]
        assert [[("SM912", 6), ("SM913", 5)], [], []] == asked_until

    @pytest.mark.parametrize(("meant", "other"), [(ORDER, EXCHANGE), (EXCHANGE, ORDER)])
    def test_then_that_one_has_the_new_address_and_what_was_meant_of_the_other_is_open(
        self, source, policy, meant, other
    ):
        report = analyze(source([*conversation(), *answered(meant)]), policy=load(policy))
        held = {}
        for one in report.entries:
            if one.in_force and one.cell.path[-1].text == "address":
                held.setdefault(f"{one.cell.path[0].text}[{one.cell.path[1].text}]", set()).add(one.entry.value)
        assert {"9 Harbour Row"} == held[meant]
        assert "4 Mill Lane" in held[other]

    def test_a_word_that_comes_to_mean_a_third_thing_is_no_answer(self, source, policy):
        third = turn(7, "user", "session:tue", put("order[SD-300]", {"item": "cable"}, "cable", scope="user:juno"),
                     bind("order[SD-300]"))  # fmt: skip
        report = analyze(source([*conversation(), third]), policy=load(policy))
        assert [("SM912", 6), ("SM913", 5)] == codes(report)

    def test_where_there_never_was_an_exchange_nothing_is_asked(self, source, policy):
        log = conversation()
        del log[2]
        del log[2]["ops"][-1]
        assert [] == codes(analyze(source(log), policy=load(policy)))

    def test_where_it_may_mean_nothing_too_that_is_told(self, source, policy):
        log = conversation()
        log[3]["ops"][1]["maybe"] = True
        (ask,) = asked(analyze(source(log)))
        assert "which may mean exchange/XG-31 or order/SD-204 or nothing" in ask.reason

    def test_in_chinese(self, source, policy):
        words = {
            "order": "订单[甲-17]",
            "exchange": "换货单[乙-03]",
            "old": "磨坊巷4号",
            "new": "海港路9号",
            "color": "白色",
        }
        log = conversation(**words)
        report = analyze(source(log), policy=load(policy))
        assert [("SM912", 6), ("SM913", 5)] == codes(report)
        assert {
            '订单/甲-17: item "headphones", color "black", address "磨坊巷4号"',
            '换货单/乙-03: item "headphones", color "白色", address "磨坊巷4号"',
        } == set(asked(report)[0].candidates)
        ended = analyze(source([*log, *answered("换货单[乙-03]", new="海港路9号")]), policy=load(policy))
        assert [] == codes(ended)
        assert 'now, step 8: "海港路9号"' in ended.explain("换货单/乙-03/address")


class TestTheCommandLine:
    def run(self, log, tmp_path, *arguments):
        file = tmp_path / "exchange.jsonl"
        file.write_text("\n".join(json.dumps(one, ensure_ascii=False) for one in log), encoding="utf-8")
        return CliRunner().invoke(main, [arguments[0], str(file), *arguments[1:]])

    def test_analyze_counts_the_question_and_a_script_can_stop_at_it(self, tmp_path, policy):
        done = self.run(conversation(), tmp_path, "analyze", "--policy", str(policy), "--check", "SM913")
        assert 1 == done.exit_code
        assert "ask             2" in done.output
        settled = [*conversation(), *answered(EXCHANGE)]
        assert 0 == self.run(settled, tmp_path, "analyze", "--policy", str(policy), "--check", "SM912,SM913").exit_code

    def test_the_json_has_both_as_candidates(self, tmp_path, policy):
        told = json.loads(self.run(conversation(), tmp_path, "analyze", "--json", "--policy", str(policy)).stdout)
        assert [BOTH, BOTH] == [set(one["candidates"]) for one in told["actions"] if one["kind"] == "Ask"]

    @pytest.mark.parametrize("cell", ["exchange/XG-31", "order/SD-204"])
    def test_explain_says_of_either_what_it_may_be_and_what_would_settle_it(self, tmp_path, policy, cell):
        text = self.run(conversation(), tmp_path, "explain", f"{cell}/address", "--policy", str(policy)).stdout
        assert "Ask (SM913): step 5: a change of the guarded @it.address depends on @it" in text
        assert 'may be: order/SD-204: item "headphones", color "black", address "4 Mill Lane"' in text
        assert "would change if @it pointed to one of them alone" in text
