"""Pipelines as text: passes with their options, read and written back, and what is said of mistakes."""

import enum

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from statemem.ir.diagnostics import UsageError
from statemem.passes import Analysis, Liveness, Reaching
from statemem.passes.framework import registry
from statemem.passes.framework.pipeline import label, options_of, parse_pipeline, pass_text, pipeline_text


class Speed(enum.Enum):
    FAST = "fast"
    SLOW = "very slow"


class Tuned(Analysis):
    """A pass with an option of every type."""

    name = "test_tuned"
    most: int = 3
    share: float = 0.5
    strict: bool = False
    word: str = "a"
    speed: Speed = Speed.FAST
    limit: float | None = None
    note: str | None = None
    mixed: int | str = 0
    cells: tuple[str, ...] = attrs.field(factory=tuple)


class Demanding(Analysis):
    """A pass with an option that has no default, and one that must be positive."""

    name = "test_demanding"
    least: int
    most: int = attrs.field(default=1, validator=attrs.validators.gt(0))


@pytest.fixture(autouse=True, scope="module")
def _known():
    """The passes are known by name here, and nowhere else."""
    for one in (Tuned, Demanding):
        registry.register(one)
    yield
    for one in (Tuned, Demanding):
        del registry._registered[one.name]


def tuned():
    texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.sampled_from(["none", "true", "3", '"'])
    numbers = st.floats(allow_nan=False)
    return st.builds(
        Tuned, most=st.integers(), share=numbers, strict=st.booleans(), word=texts, speed=st.sampled_from(Speed),
        limit=st.none() | numbers, note=st.none() | texts, mixed=st.integers() | texts,
    )  # fmt: skip


@given(st.lists(tuned() | st.builds(Liveness) | st.builds(Demanding, least=st.integers()), max_size=3))
def test_printing_then_parsing_gives_the_same_passes(passes):
    assert passes == parse_pipeline(pipeline_text(passes))


@given(st.text('ab,{}="\\ 1\n退', max_size=12).map(lambda text: f"liveness{text}") | st.text(max_size=12))
def test_any_text_is_a_pipeline_or_one_located_mistake(text):
    try:
        assert all(isinstance(one, Analysis) for one in parse_pipeline(text))
    except UsageError as error:
        first, shown, caret = str(error).split("\n")
        assert (True, "^") == (first.startswith("column "), caret.strip())
        assert len(text) == len(shown) - 2


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("", []),
        ("liveness", [Liveness()]),
        (" liveness , reaching{ } ", [Liveness(), Reaching()]),
        ('"liveness"', [Liveness()]),
        ("test_tuned{most=-4, share=1, strict=true}", [Tuned(most=-4, share=1.0, strict=True)]),
        ("test_tuned{speed=very slow,limit=none,note=none}", [Tuned(speed=Speed.SLOW)]),
        ('test_tuned{note="none",word=" a, \\"b\\" "}', [Tuned(note="none", word=' a, "b" ')]),
        ("test_demanding{least=0}", [Demanding(least=0)]),
    ],
)
def test_what_a_text_means(text, passes):
    assert passes == parse_pipeline(text)


def test_only_options_that_differ_are_printed():
    assert "test_tuned{strict=true, limit=2.0}" == pass_text(Tuned(strict=True, limit=2.0))
    assert "test_demanding{least=1}" == pass_text(Demanding(least=1))
    assert "test_tuned" == label(Tuned())


def test_options_tell_their_type_and_default():
    told = list(map(str, options_of(Tuned)))
    assert ["most: int = 3", "speed: fast|very slow = fast", "limit: float|none = none"] == [told[0], told[4], told[5]]
    assert ["least: int", "most: int = 1"] == list(map(str, options_of(Demanding)))


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("livenes", 1, "unknown pass 'livenes', did you mean 'liveness'?"),
        ("liveness,,reaching", 10, "a pass is expected here"),
        ("liveness,", 10, "a pass is expected here"),
        ("test_tuned{mots=3}", 12, "has no option 'mots', did you mean 'most'?; its options are most: int = 3, "),
        ("liveness{most=3}", 10, "pass 'liveness' has no option 'most'; it has no options"),
        ("test_tuned{most=x}", 17, "'most' takes int, not 'x'"),
        ("test_tuned{most=3.5}", 17, "'most' takes int, not '3.5'"),
        ("test_tuned{strict=True}", 19, "'strict' takes bool, not 'True', did you mean 'true'?"),
        ("test_tuned{speed=fats}", 18, "'speed' takes fast|very slow, not 'fats', did you mean 'fast'?"),
        ("test_tuned{cells=a}", 18, "'cells' takes tuple"),
        ("test_tuned{most=3", 18, "a comma or a closing brace is expected behind an option"),
        ("test_tuned{", 12, "an option or a closing brace is expected here"),
        ("test_tuned{most}", 16, "an equals sign and a value are expected behind 'most'"),
        ("test_tuned{most=3,most=4}", 19, "the option 'most' is given twice"),
        ('test_tuned{word="a}', 17, "the quote that begins here is not closed"),
        ("test_tuned{}x", 13, "a comma is expected between passes"),
        ("test_demanding", 1, "needs a value for 'least'"),
        ("test_demanding{least=0,most=0}", 1, "refuses its options: 'most' must be > 0"),
        ("none.py:X", 1, "there is no file 'none.py'"),
        ("mine.py", 1, "which class of mine.py is the pass? Write mine.py:ClassName"),
    ],
)
def test_a_mistake_is_told_with_its_column_and_a_caret(text, column, said):
    with pytest.raises(UsageError) as caught:
        parse_pipeline(text)
    message, shown, caret = str(caught.value).split("\n")
    assert (f"column {column}", True) == (message.partition(":")[0], said in message), message
    assert (f"  {text}", " " * (column + 1) + "^") == (shown, caret)


def test_a_caret_stands_below_wide_characters():
    with pytest.raises(UsageError) as caught:
        parse_pipeline("liveness{退款=1}")
    with pytest.raises(UsageError) as wide:
        parse_pipeline('"退款"{}')
    assert [" " * 11 + "^", "  ^"] == [str(error.value).split("\n")[2] for error in (caught, wide)]


class TestFiles:
    SOURCE = (
        "from __future__ import annotations\n"
        "from statemem.passes import Analysis, Liveness\n"
        "class Mine(Analysis):\n    'Mine.'\n    most: int | None = 3\n"
    )

    def test_a_pass_from_a_file_has_options_and_is_printed_as_it_is_found(self, tmp_path):
        path = tmp_path / "my, pass.py"
        path.write_text(self.SOURCE, encoding="utf-8")
        text = f'"{path}:Mine"{{most=none}}'
        [one] = parse_pipeline(text)
        assert (None, text) == (vars(one)["most"], pass_text(one))
        assert [one] == parse_pipeline(pass_text(one))

    def test_a_file_that_was_changed_is_read_again(self, tmp_path):
        path = tmp_path / "mine.py"
        path.write_text(self.SOURCE, encoding="utf-8")
        [before] = parse_pipeline(f"{path}:Mine")
        path.write_text(self.SOURCE.replace("= 3", "= 14"), encoding="utf-8")
        [after] = parse_pipeline(f"{path}:Mine")
        assert (3, 14) == (vars(before)["most"], vars(after)["most"])

    def test_a_pass_that_a_file_only_imports_keeps_its_name(self, tmp_path):
        path = tmp_path / "mine.py"
        path.write_text(self.SOURCE, encoding="utf-8")
        assert ["liveness"] == list(map(pass_text, parse_pipeline(f"{path}:Liveness")))

    def test_types_that_are_not_known_are_told(self, tmp_path):
        path = tmp_path / "mine.py"
        path.write_text(self.SOURCE.replace("int | None", "Wrong"), encoding="utf-8")
        with pytest.raises(UsageError, match="have types that are not known: name 'Wrong'"):
            parse_pipeline(f"{path}:Mine")
