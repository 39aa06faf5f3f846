"""What passes found as text, as JSON and as a picture: all of it true, and nothing where there is no fact."""

import json
import shutil
import subprocess

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statemem.ir import Open, build, workflow
from statemem.ir.testing import traces, workflows
from statemem.ir.text import Fact, read
from statemem.ir.text import to_dot as graph
from statemem.ir.text.dot import Note, Notes
from statemem.passes import Analysis, Conflicts, Endings, Horizon, LastUse, Liveness, Manager, Reaching, StaleUses
from statemem.passes.framework import Estimate, NoFact, PassError, Powerset
from statemem.passes.framework.expectations import unmet
from statemem.passes.rendering import Found, View, facts_of, json_schema, render, to_json, to_text
from statemem.passes.rendering import to_dot as picture
from statemem.passes.rendering.text import MOST

PASSES = [Liveness(), Reaching(), LastUse()]


class Prose(Analysis):
    """Facts whose texts are hard to tell from what is around them."""

    facts = Powerset()

    def on_write(self, cell, mode, state, at):
        state.gen(f'{cell.path[-1].text}, "two" ;; after prose = {at.number}\n#')
        state.gen(" ")


def found(program, passes=PASSES, horizon=None, **more):
    return Found.by(Manager(program, horizon), passes, **more)


def lost_program():
    """Two ways that meet, and a block to which nothing leads."""
    builder = build("session:1/", name="tea").block("user").set("color", "black", id="e1").branch("yes", "no")
    builder.block("assistant", name="yes").set("color", "white", id="e2").goto("join")
    builder.block("tool:find", name="no").use("color").goto("join")
    builder.block("assistant", name="join").use("color", purpose="reply").stays_open()
    return builder.block("user", name="lost").use("color").open()


class TestText:
    @given(traces() | workflows(), st.sampled_from([*PASSES, Prose()]), st.booleans(), st.booleans())
    @settings(max_examples=60)
    def test_what_is_printed_is_read_back_and_holds(self, program, one, every, closed):
        manager = Manager(program, Horizon(closed=closed))
        text = to_text(Found.by(manager, [one]), every=every)
        document = read(text)
        assert document.programs[0].same_as(program)
        assert [] == unmet(program, document.facts, Horizon(closed=closed), known=[one])
        reached = {number for number in range(len(program.blocks)) if number in manager.graph.segments}
        assert {fact.block for fact in document.facts} <= reached

    @given(traces() | workflows(), st.sampled_from(PASSES))
    @settings(max_examples=30)
    def test_every_change_is_told_and_no_other(self, program, one):
        solution = Manager(program).solve(one)
        told = {(fact.block, fact.after) for fact in facts_of(solution, every=True)}
        for number, block in enumerate(program.blocks):
            for position in range(len(block.instructions)):
                at = program.executed(number).start + position
                if (number, position) not in told and number in solution.graph.segments:
                    assert one.show(solution.before(at)) == one.show(solution.after(at))

    def test_many_facts_are_told_by_what_changed(self):
        builder = build("session:1/").block("user")
        for number in range(MOST + 1):
            builder.set(f"x{number}", 1)
        program = builder.block("user").set("y", 1).open()
        first, second = facts_of(Manager(program).solve(Reaching))
        assert ("+=", MOST + 1) == (first.relation, len(first.texts))
        assert Fact(0, 1, 1, "reaching", "+=", ("session:1/y <- 9",)) == second

    def test_blocks_that_nothing_reaches_are_named_and_have_no_facts(self):
        text = to_text(found(lost_program(), [Liveness()]))
        assert "    use color\n    open\n" in text
        assert text.endswith("# tea, not reached and so without facts: lost")

    def test_findings_stand_behind_the_program(self):
        program = lost_program()
        assert ["# tea, conflicts: 0 found"] == render(Conflicts(), [], program).split("\n")
        text = to_text(found(program, [Endings()]))
        assert "# tea, endings: 1 found\n#   e1 replaced by e2" == text

    def test_passes_of_one_name_are_told_apart(self):
        class Most(Analysis):
            """Cells, up to some."""

            most: int = 1

        text = to_text(found(lost_program(), [Most(), Most(most=2), Liveness()]))
        assert ["# tea, most, liveness", "# tea, most{most=2}"] == [
            line for line in text.split("\n") if line.startswith("# tea, most")
        ]
        assert 2 == text.count('program "tea"')

    @pytest.mark.parametrize("shown", [7, None, "text", [1]])
    def test_texts_that_are_none_are_refused_by_the_name_of_the_pass(self, shown):
        class Mute(Analysis):
            """Shows no texts."""

            def show(self, fact):
                return shown

        with pytest.raises(PassError, match="pass 'mute': its `show` gives"):
            to_text(found(lost_program(), [Mute()]))


class TestJson:
    @given(traces() | workflows(), st.sampled_from([*PASSES, Prose(), StaleUses(), Endings(), Conflicts()]))
    @settings(max_examples=60)
    def test_it_follows_its_schema_and_says_what_the_solution_holds(self, program, one):
        manager = Manager(program)
        line = to_json(Found.by(manager, [one]))
        record = json.loads(line)
        jsonschema.validate(record, json_schema())
        [said] = record["passes"]
        if one.name in ("liveness", "reaching", "last_use"):
            self.check(said, one, manager.solve(one))

    def check(self, said, one, solution):
        program, flow = solution.program, solution.graph.flow
        reached = {(block["name"], block["landing"]) for block in said["blocks"]}
        lost = {(block["name"], block["landing"]) for block in said["unreached"]}
        assert (set(), len(flow.successors)) == (reached & lost, len(reached | lost))
        for block in said["blocks"]:
            number = program.block_named(block["name"])
            if not block["landing"]:
                assert one.show(solution.at_start(number)) == block["before"]
                assert one.show(solution.at_end(number)) == block["after"]
            for row in block["instructions"]:
                before, after = (one.show(ask(row["number"])) for ask in (solution.before, solution.after))
                assert [text for text in after if text not in before] == row["gained"]
                assert [text for text in before if text not in after] == row["lost"]

    def test_one_program(self):
        record = json.loads(to_json(found(lost_program(), [Liveness()], Horizon(closed=True))))
        [said] = record.pop("passes")
        assert {"schema": "statemem.facts/1", "program": "tea", "horizon": "closed"} == record
        assert ("liveness", "analysis", "backward", {}) == tuple(
            said[name] for name in ("name", "kind", "direction", "options")
        )
        assert ("packed", None, [{"name": "lost", "landing": False}]) == (
            said["statistics"]["way"], said["records"], said["unreached"],
        )  # fmt: skip
        assert {
            "name": "t1", "landing": False, "step": 1, "before": [], "after": ["session:1/color"],
            "instructions": [
                {"number": 0, "id": "e1", "statement": 'color = set "black" as e1',
                 "gained": ["session:1/color"], "lost": []}
            ],
        } == said["blocks"][0]  # fmt: skip

    def test_findings_are_texts_and_records(self):
        [said] = json.loads(to_json(found(lost_program(), [Endings()])))["passes"]
        cell = {"cell": "session:1/color", "leaf": 0, "yields": False}
        assert ["e1 replaced by e2"] == said["texts"]
        assert [{"entry": {**cell, "instruction": 0}, "by": {**cell, "instruction": 1}, "how": "replaced"}] == said[
            "records"
        ]
        assert (None, None, None) == tuple(said[name] for name in ("direction", "blocks", "unreached"))

    def test_estimates_and_all_their_options_are_told(self):
        class Distance(Estimate):
            """How far."""

            rate: float = 0.5

            def estimate(self, program, manager):
                return {"x": 1.5}

        [said] = json.loads(to_json(found(lost_program(), [Distance()])))["passes"]
        assert ("estimate", {"rate": 0.5}, ["x: 1.5"], []) == tuple(
            said[name] for name in ("kind", "options", "texts", "records")
        )

    def test_what_is_hidden_in_the_view_is_hidden_in_every_form(self):
        program = build("session:1/").block("user").set("phone", "555").block("user").use(("phone", "e1")).open()
        shown = build("session:1/").block("user").set("phone", "***").block("user").use(("phone", "e1")).open()
        view = View(shown, lambda text: text.replace("phone", "p***"), lambda cell, value: "***")
        for write in (to_text, to_json, picture):
            text = write(found(program, [Reaching(), Endings()], view=view))
            assert (False, True) == ("555" in text, "session:1/p***" in text)

    def test_an_entry_s_value_is_shown_as_values_of_its_cell_are(self):
        builder = (
            build("session:1/").block("user").set("phone", "555", id="e1").block("user").set("phone", "556", id="e2")
        )
        program = builder.block("assistant").use(("phone", "e1"), purpose="call").open()
        view = View(program, value=lambda cell, value: "***")
        text = to_json(found(program, [StaleUses()], view=view))
        assert (False, True) == ("55" in text, '"value":"***"' in text)


class TestPicture:
    def test_a_node_tells_what_holds_and_what_changes(self):
        text = picture(found(lost_program(), [Liveness(), Endings()]))
        [first] = [line for line in text.split("\n") if line.lstrip().startswith("n0 [")]
        assert first.index("t1 user") < first.index("nothing") < first.index("set &quot;black&quot;")
        assert first.index("set &quot;black&quot;") < first.index("+ session:1/color")
        assert r"endings: 1 found\l  e1 replaced by e2\l" in text

    def test_blocks_that_nothing_reaches_are_grey_and_say_so(self):
        text = picture(found(lost_program(), [Liveness()]))
        [lost] = [line for line in text.split("\n") if "lost user" in line]
        assert (True, True, False) == ("no control leads here" in lost, "fillcolor" in lost, "nothing" in lost)
        assert 1 == text.count("no control leads here")

    def test_a_finding_is_marked_at_its_instruction(self):
        builder = build("session:1/").block("user").set("x", 1, id="e1").block("user").set("x", 2, id="e2")
        program = builder.block("assistant").use(("x", "e1"), purpose="call").open()
        text = picture(found(program, [StaleUses()]))
        [last] = [line for line in text.split("\n") if line.lstrip().startswith("n2 [")]
        assert last.index("use x was e1") < last.index("! step 3: e1 replaced by e2")

    def test_what_happens_on_the_way_back_from_a_call_has_a_node(self):
        builder = workflow("user:7/").block("user", name="a").call("ship", then="b", result="res")
        builder.block("user", name="b").use("res").ends().task("ship").block("tool", name="s").set("out", 1).returns(
            "out"
        )
        text = picture(found(builder.program, [Liveness()]))
        [landing] = [line for line in text.split("\n") if "back in a" in line]
        assert "+ user:7/res" in landing

    def test_the_graph_without_notes_is_as_it_was(self):
        program = lost_program()
        assert "TABLE" not in graph(program)
        noted = graph(program, notes=lambda node: Notes(start=[Note("<here> & there", "red")]), title=["above"])
        assert ('<FONT COLOR="red">&lt;here&gt; &amp; there</FONT>' in noted, r'label="above\l"' in noted) == (
            True,
            True,
        )

    @pytest.mark.skipif(shutil.which("dot") is None, reason="needs graphviz")
    @given(traces() | workflows())
    @settings(max_examples=10)
    def test_graphviz_takes_it(self, program):
        text = picture(found(program, [Liveness(), Prose(), Conflicts()]))
        done = subprocess.run(["dot", "-Tsvg"], input=text, capture_output=True, text=True, check=False, timeout=60)
        assert (0, "", True) == (done.returncode, done.stderr, "<svg" in done.stdout)


def test_of_a_point_that_nothing_reaches_no_form_says_that_nothing_holds():
    solution = Manager(lost_program()).solve(Liveness)
    with pytest.raises(NoFact):
        solution.at_end(4)
    assert isinstance(solution.program.blocks[4].terminator, Open)
    assert 4 not in {fact.block for fact in facts_of(solution, every=True)}
