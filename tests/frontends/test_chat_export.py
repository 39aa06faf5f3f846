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


def test_a_first_question_that_was_edited_begins_a_way_of_its_own():
    other = node("c", "root", "user", "Where is W15-78?")
    answer = node("d", "c", "assistant", "W15-77 and W15-78 are on their way.")
    (program,), codes = lowered([export(ASKED, other, answer, current="d")])
    assert (["system", "user", "user", "assistant"], [2], 3, []) == (
        actors(program),
        branches(program),
        program.current_end,
        codes,
    )
    assert ['session:k1/id["W15-78"]'] == used(program)["reply"]


def test_a_log_that_stands_at_a_node_without_a_message_stands_at_the_nearest_above():
    first, second = node("b", "a", "assistant", "Nowhere."), node("c", "a", "assistant", "On its way.")
    empty = {"e": {"id": "e", "parent": "b", "children": [], "message": None}}
    (program,), _ = lowered([export(ASKED, first, second, empty, current="e")])
    assert 1 == program.current_end


def listed(key, before, sender, text, **more):
    return {"uuid": key, "parent_message_uuid": before, "sender": sender, "text": text, **more}


def test_in_exports_that_list_messages_a_first_one_that_was_edited_begins_a_way_of_its_own():
    messages = [listed("a", "r", "human", "W15-77?"), listed("b", "a", "assistant", "Yes."), listed("c", "r", "human", "W15-78?"), listed("d", "c", "assistant", "W15-77, W15-78")]  # fmt: skip
    (program,), codes = lowered([{"uuid": "k2", "chat_messages": messages}])
    assert ([2], ['session:k2/id["W15-78"]'], []) == (branches(program), used(program)["reply"], codes)


def test_exports_that_list_messages_without_parents_are_in_their_order():
    messages = [{"uuid": key, "sender": "human", "text": "Hi"} for key in "abc"]
    (program,), codes = lowered([{"uuid": "k2", "chat_messages": messages}])
    assert ([], 3, []) == (branches(program), len(program.blocks), codes)


def test_what_was_handed_over_with_a_message_is_an_entry_each():
    more = {"attachments": [{"file_name": "a.txt", "extracted_content": "W15-77"}], "files": [{"file_name": "b.png"}]}
    (program,), _ = lowered([{"uuid": "k2", "chat_messages": [listed("a", None, "human", "Look", **more)]}])
    assert ["attachment", "file"] == [entry.value.split(",")[0] for entry in program.entries]
    assert ["/chat_messages/0/attachments/0", "/chat_messages/0/files/0"] == [
        item.origin.pointer for item in program.instructions
    ]


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
