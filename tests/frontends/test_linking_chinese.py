"""Chinese in replies and calls: which values are found where there are no blanks, and which say too little."""

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from statemem import lower
from statemem.ir import Use
from statemem.ir.frontends.linking.distinctive import is_distinctive, is_quotable


def quoted(reply, *values):
    """Which of the values, each a field of its own, a reply uses."""
    log = [
        {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "get_order", "arguments": {}}}]},
        {"role": "tool", "tool_call_id": "c1", "content": json.dumps(named(values))},
        {"role": "assistant", "content": reply},
    ]
    uses = [item for item in lower(log).instructions if isinstance(item, Use) and item.purpose == "reply"]
    fields = [str(place).rpartition(".")[2] for use in uses for place, _ in use.operands]
    return [named(values)[field] for field in fields]


def named(values):
    return {f"field{chr(97 + n)}": value for n, value in enumerate(values)}


FOUND = {
    "您的订单在三号库等待补货，请稍候。": "在三号库等待补货",
    "现在等待补货中": "等待补货",
    "货在3号仓库等待补货。": "3号仓库等待补货",
    "我推荐北京亚奥国际酒店。": "北京亚奥国际酒店",
    "型号是保温水杯A1吗": "保温水杯A1",
}


@pytest.mark.parametrize("reply", FOUND)
def test_a_value_of_four_characters_is_found_anywhere_in_a_sentence(reply):
    assert [FOUND[reply]] == quoted(reply, FOUND[reply])


@pytest.mark.parametrize("value", ["北京", "是", "已取消", "处理中"])
def test_a_short_word_is_no_use(value):
    assert [] == quoted(f"是的，北京的订单{value}。", value)


def test_a_value_within_a_longer_one_that_is_quoted_is_no_use():
    assert ["北京全聚德前门店"] == quoted("我推荐北京全聚德前门店。", "北京全聚德", "北京全聚德前门店")


def test_english_ends_where_a_word_ends_and_where_chinese_goes_on():
    assert [] == quoted("It is in stocking.", "in stock")
    assert ["space grey"] == quoted("颜色是space grey的", "space grey")


def test_how_long_a_text_must_be_to_tell_by_itself():
    texts = ["在三号库等待补货", "等待仓库补货", "on its way", "garden lamp, black"]
    assert [True, False, False, True] == [is_distinctive(text) for text in texts]


HAN = st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=1, max_size=9)


@given(HAN, HAN, HAN)
def test_a_value_is_a_use_exactly_where_it_stands_and_is_long_enough(before, value, after):
    assume(value not in before + after)
    assert ([value] if len(value) >= 4 else []) == quoted(before + value + after, value)


@given(HAN, HAN)
def test_what_does_not_stand_in_a_reply_is_no_use(value, reply):
    assume(value not in reply)
    assert [] == quoted(reply, value)


@given(st.text(st.characters(max_codepoint=0x7F), max_size=15))
def test_chinese_tells_as_much_beside_other_text_as_alone(text):
    assume(not is_distinctive(text))
    assert (True, True) == (is_distinctive(text + "等" * 8), is_quotable(text + "等待补货"))
