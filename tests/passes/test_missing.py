from hypothesis import given, settings

from statemem.ir import Program, build, run, workflow
from statemem.ir.testing import traces
from statemem.passes import Manager, Missing
from statemem.passes.framework import BlockEnd
from statemem.passes.missing import MissingCell, UnclearReference, missing_at
from statemem.passes.testing import SCOPE, graphs


def shown(program):
    return [text.replace("session:1/", "") for text in Missing().show(Manager(program).result(Missing), program)]


def cells(program, block=None):
    found = missing_at(Manager(program), BlockEnd(program.current_end if block is None else block))
    return [(one.task, str(one.cell)) for one in found]


def opened(*, size=True, address=True):
    builder = build(parent="user:7/").scope("user:7/").requires("return", "address", "size").enter("f1", "return")
    builder.block(task="f1")
    if size:
        builder.set("size", 42)
    if address:
        builder.set("address", {"city": "Lyon"})
    return builder


@given(graphs())
@settings(max_examples=50)
def test_where_nothing_is_required_no_cell_is_missing(program):
    assert not [one for one in Manager(program).result(Missing) if isinstance(one, MissingCell)]


@given(traces())
@settings(max_examples=100)
def test_what_is_missing_at_the_end_is_required_by_a_task_that_is_open_there(program):
    program.requirements += build().requires("return", "user:7/phone", "never").program.requirements
    state, found = run(program), cells(program)
    assert {task for task, _ in found} == set(state.open_tasks)
    assert all((task, f"task:{task}/never") in found for task in state.open_tasks)


def test_the_empty_program_misses_nothing():
    assert [] == Manager(Program("empty", SCOPE)).result(Missing)


def test_a_task_that_has_all_it_requires_misses_nothing():
    assert [] == shown(opened().block().open())


def test_a_required_cell_that_was_never_set_is_missing_while_the_task_is_open():
    program = opened(address=False).block().leave("f1").open()
    assert [[("f1", "task:f1/address")], []] == [cells(program, block) for block in (1, 2)]
    assert [] == shown(program)


def test_a_required_cell_that_only_some_path_sets_is_missing():
    program = opened(size=False).set("size", 42, maybe=True).block().open()
    assert ["f1 lacks task:f1/size at the end of t3"] == shown(program)


def test_a_task_that_ends_without_what_it_requires_is_told():
    program = opened(address=False).block().leave("f1", ended=True).open()
    assert ["f1 lacks task:f1/address at its end in t3"] == shown(program)


def test_a_deleted_cell_is_missing_again():
    assert [("f1", "task:f1/size")] == cells(opened().delete("size").block().open())


def test_a_cell_of_the_user_is_the_same_for_every_task():
    builder = build(parent="user:7/").scope("user:7/").requires("return", "user:7/phone")
    assert [("f1", "user:7/phone")] == cells(builder.enter("f1", "return").open())


def test_each_task_of_a_kind_has_its_own_cells():
    builder = build().requires("return", "size").enter("f1", "return").enter("f2", "return")
    program = builder.block(task="f1").set("size", 1).block().open()
    assert [("f2", "task:f2/size")] == cells(program)


def test_a_second_name_serves_as_well():
    program = (
        build()
        .requires("return", "session:1/o[A].c")
        .enter("f1", "return")
        .set("o[B].c", 1)
        .same("o[A]", "o[B]")
        .open()
    )
    assert [] == cells(program)


def test_a_called_task_requires_what_it_needs_of_its_caller():
    def called(*arguments):
        main = workflow().requires("delivery", "size", "address").block().set("size", 42).set("address", "Lyon")
        main = main.call("ship", *arguments, then="done").block(name="done").ends()
        return main.task("ship", *arguments, kind="delivery").block().use(*arguments).returns().program

    assert [] == shown(called("size", "address"))
    assert ["ship lacks task:ship/address at its end in t1"] == shown(called("size"))


def test_an_effect_through_a_reference_that_may_mean_two_is_told_with_both():
    program = build().bind("it", "o[A]").bind("it", "o[B]", maybe=True).effect("pay", "@it.price").open()
    (found,) = Manager(program).result(Missing)
    assert isinstance(found, UnclearReference)
    assert (2, "it", 2, ['session:1/o["A"]', 'session:1/o["B"]'], False) == (
        found.effect, found.reference, found.where, list(map(str, found.candidates)), found.unbound
    )  # fmt: skip
    assert ['pay depends on @it: o["A"] | o["B"]'] == shown(program)


def test_a_reference_that_was_never_bound_is_told():
    assert ["pay depends on @it: unbound"] == shown(build().effect("pay", "@it.price").open())


def test_a_clear_reference_and_one_that_no_effect_depends_on_are_not():
    program = build().bind("it", "o[A]").effect("pay", "@it.price").use("@that.x").open()
    assert [] == shown(program)


def test_an_unclear_reference_behind_what_an_effect_uses_is_told():
    program = (
        build().set("o[A].p", 1).bind("it", "o[A]").bind("it", "o[B]", maybe=True).derive("sum", 1, "@it.p")
        .derive("total", 2, "sum").effect("pay", "total").open()
    )  # fmt: skip
    assert ['pay depends on @it: o["A"] | o["B"] at e2'] == shown(program)


def test_a_write_through_an_unclear_reference_that_may_have_made_an_argument_is_told():
    program = (
        build().set("o[A].p", 1).bind("it", "o[A]").bind("it", "o[B]", maybe=True).set("@it.p", 2)
        .effect("pay", "o[A].p").open()
    )  # fmt: skip
    assert ['pay depends on @it: o["A"] | o["B"] at e2'] == shown(program)
