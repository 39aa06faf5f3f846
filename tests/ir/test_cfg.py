from statemem.ir import ControlFlow, build


def test_the_graph_is_handed_to_the_tools_of_networkx():
    program = build().block("user").set("x", 1).block("assistant").use("x").program
    graph = ControlFlow(program).to_networkx(program)
    assert [(0, "user", 1), (1, "assistant", 2)] == [(n, at["actor"], at["step"]) for n, at in graph.nodes(data=True)]
    assert [(0, 1)] == list(graph.edges)
    assert [block.name for block in program.blocks] == [at["name"] for _, at in graph.nodes(data=True)]
