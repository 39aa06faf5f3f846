"""Where keys of TOML files stand, however their names are written."""

import json
import tomllib

from hypothesis import given
from hypothesis import strategies as st

from statemem.ir.toml_lines import Lines

NAMES = st.one_of(
    st.sampled_from(["a", "b-c", "1", "crm.*", 'q"t', "#", "]", "a = b", "é"]), st.text("ab.[]= ", max_size=4)
)
VALUES = ["1", "true", "[[1], 2]", "{x = 1}", '"[y]"', "'a # b'"]


def written(name):
    return name if name.isascii() and name.replace("-", "").isalnum() else json.dumps(name, ensure_ascii=False)


@st.composite
def files(draw):
    """A text, and the line of each of its keys."""
    lines: list[str] = []
    expected: dict[tuple[str, ...], int] = {}
    for table in draw(st.lists(NAMES, max_size=4, unique=True)):
        lines.append(f"[tools.{written(table)}]  # [x]")
        expected[("tools", table)] = len(lines)
        for key in draw(st.lists(NAMES, max_size=3, unique=True)):
            lines += draw(st.sampled_from([[], [""], ["# z = 1"]]))
            lines.append(f"  {written(key)} = {draw(st.sampled_from(VALUES))}")
            expected[("tools", table, key)] = len(lines)
            if draw(st.booleans()):
                lines += [f'  {written(key + "_")} = """', "[x]", 'z = 1 """']
                expected.setdefault(("tools", table, key + "_"), len(lines) - 2)
    return "\n".join(lines), expected


@given(files())
def test_every_key_has_its_line(drawn):
    text, expected = drawn
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:  # a key that is written twice
        return
    found = Lines(text)
    assert expected == {path: found.of(path) for path in expected}


def test_elements_of_arrays_of_tables_are_numbered_and_what_is_unknown_has_the_line_around_it():
    found = Lines("[[rule]]\ncode = 1\n[[rule.sinks]]\n[[rule]]\n[[rule.sinks]]\n[[rule.sinks]]\nkind = 2\n")
    assert [1, 2, 3, 4, 6, 7] == [
        found.of(path)
        for path in (("rule", 0), ("rule", 0, "code"), ("rule", 0, "sinks", 0), ("rule", 1, "x"),
                     ("rule", 1, "sinks", 1), ("rule", 1, "sinks", 1, "kind"))
    ]  # fmt: skip
    assert found.of(("other",)) is None


@given(st.text())
def test_no_text_is_too_odd(text):
    Lines(text)
