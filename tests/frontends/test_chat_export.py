from hypothesis import given
from hypothesis import strategies as st

from statemem.ir.flow.routes import path_to_end

from .written import actors, branches, lowered, used


def node(key, parent, role, text, **more):
    content = {"content_type": "text", "parts": [text], **more.pop("content", {})}
    message = {"id": f"{key}-m", "author": {"role": role, "name": more.pop("name", None)}, "content": content, **more}
    return {key: {"id": key, "parent": parent, "children": [], "message": message}}


def export(*nodes, current=None, **more):
    mapping = {"root": {"id": "root", "parent": None, "children": [], "message": None}}
    for one in nodes:
        mapping |= one
    return {"id": "k1", "title": "Lamps", "current_node": current, "mapping": mapping, **more}


ASKED = node("a", "root", "user", "Where is W15-77?")


def test_an_answer_made_anew_is_a_branch_and_the_log_stands_where_the_export_says():
    first, second = node("b", "a", "assistant", "Nowhere."), node("c", "a", "assistant", "On its way.")
    (program,), _ = lowered([export(ASKED, first, second, current="b")])
    assert (["user", "assistant", "assistant"], [2], 1) == (actors(program), branches(program), program.current_end)


def test_nodes_without_a_message_join_nothing_and_part_nothing():
    empty = {"e": {"id": "e", "parent": "a", "children": [], "message": None}}
    (program,), codes = lowered([export(ASKED, empty, node("b", "e", "assistant", "On its way."))])
    assert (["user", "assistant"], [], []) == (actors(program), branches(program), codes)


def test_what_is_said_to_a_tool_is_a_call_and_what_the_tool_says_its_result():
    asks = node("b", "a", "assistant", '{"order_id": "W15-77"}', recipient="shop.get_order")
    told = node("c", "b", "tool", '{"order_id": "W15-77", "color": "black"}', name="shop.get_order")
    (program,), _ = lowered([export(ASKED, asks, told)])
    assert ["user", "assistant", "tool:shop.get_order"] == actors(program)
    assert ['session:k1/id["W15-77"]'] == used(program)["shop.get_order(order_id)"]


def test_images_and_thoughts_are_entries_with_a_digest():
    image = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x", "size_bytes": 12}
    shown = node("a", "root", "user", "Look", content={"content_type": "multimodal_text", "parts": ["Look", image]})
    thinks = node("b", "a", "assistant", "", content={"content_type": "thoughts", "thoughts": [{"content": "Hm."}]})
    (program,), _ = lowered([export(shown, thinks)])
    assert ["image_asset_pointer", "thinking"] == [entry.value.split(",")[0] for entry in program.entries]


def test_exports_that_list_messages_are_read_with_their_branches():
    def one(key, before, sender, text):
        return {
            "uuid": key,
            "parent_message_uuid": before,
            "sender": sender,
            "text": text,
            "created_at": "2026-01-02T03:04:05Z",
        }

    first = "00000000-0000-4000-8000-000000000000"
    messages = [one("a", first, "human", "Hi"), one("b", "a", "assistant", "Hello"), one("c", "a", "assistant", "Hey")]
    (program,), codes = lowered([{"uuid": "k2", "name": "", "chat_messages": messages}])
    assert ("k2", ["user", "assistant", "assistant"], [2], []) == (
        program.name,
        actors(program),
        branches(program),
        codes,
    )


def test_a_node_that_hangs_on_nothing_is_told():
    _, codes = lowered([export(ASKED, node("b", "gone", "assistant", "Hello"))])
    assert ["FE046"] == codes


@given(st.lists(st.integers(0, 9), min_size=1, max_size=10), st.data())
def test_every_fork_of_a_tree_is_a_branch_and_there_is_no_other(parents, data):
    nodes = [node("n0", "root", "user", "begin")]
    nodes += [node(f"n{n}", f"n{parent % n}", "user", f"say {n}") for n, parent in enumerate(parents, 1)]
    above = [next(iter(one.values()))["parent"] for one in nodes]
    current = data.draw(st.sampled_from([f"n{n}" for n in range(len(nodes))]))
    ways = {f"n{n}": above.count(f"n{n}") for n in range(len(nodes))}
    ways[current] += bool(ways[current])  # to stand where others went on is to go on in a way of one's own
    first, *rest = nodes
    (program,), codes = lowered([export(first, *data.draw(st.permutations(rest)), current=current)])
    assert (sorted(count for count in ways.values() if count > 1), []) == (sorted(branches(program)), codes)
    way = [program.blocks[number].origin.event for number in path_to_end(program)]
    assert f"{current}-m" in way[-2:]
