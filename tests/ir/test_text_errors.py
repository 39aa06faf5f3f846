"""What people read when a text is wrong: code, place, caret, what was expected, a hint."""

from operator import attrgetter
from pathlib import Path

import pytest

from statemem.ir.diagnostics import InputError
from statemem.ir.text import parse
from statemem.ir.text.errors import CODES

ERRORS = Path(__file__).parent / "errors"
FILES = sorted(ERRORS.glob("TX*.smir"))


def message(text: str) -> str:
    with pytest.raises(InputError) as caught:
        parse(text, file="log.smir")
    return str(caught.value)


@pytest.mark.parametrize("file", FILES, ids=attrgetter("stem"))
def test_a_mistake_is_shown_with_its_place(file: Path, golden) -> None:
    golden(file)


def test_every_code_has_a_golden_file_and_no_file_another_code() -> None:
    assert set(CODES) == {file.stem.partition("-")[0] for file in FILES}


def test_golden_files_come_in_pairs_and_there_are_no_others() -> None:
    expected = {f"{file.stem}{suffix}" for file in ERRORS.glob("[TI][XR]*.smir") for suffix in (".smir", ".txt")}
    assert expected == {file.name for file in ERRORS.iterdir()}


@pytest.mark.parametrize("brackets", ["[" * 100_000, '{"a":' * 100_000, "[" * 101 + "]" * 101], ids=len)
def test_nesting_is_bounded(brackets: str) -> None:
    shown = message(f'program "x"\ntask main {{\nblock t1 user {{\ntopic = set {brackets}\nopen\n}}\n}}\n')
    assert shown.startswith("log.smir:4:")
    assert "error TX007: brackets are nested more than 100 deep" in shown
    assert len(shown) < 2000


def test_brackets_in_strings_and_comments_are_not_nested() -> None:
    text = f'program "x"\ntask main {{\nblock t1 user {{\ntopic = set "{"[" * 200}" # {"[" * 200}\nopen\n}}\n}}\n'
    expected = "[" * 200
    assert expected == parse(text)[0].entries[0].value


def test_half_a_character_is_an_error() -> None:
    assert message('program "x\ud800"').startswith("log.smir:1:11: error TX001: half a character stands here")


def test_a_whole_number_of_any_length_is_kept_or_refused() -> None:
    text = 'program "x"\ntask main {{\nblock t1 user {{\ntopic = set {}\nopen\n}}\n}}\n'
    expected = 10**999
    assert expected == parse(text.format(expected))[0].entries[0].value
    assert "error TX005: a whole number has too many digits" in message(text.format("1" * 5000))


def test_a_long_word_is_shortened() -> None:
    assert f"'{'x' * 40}…' does not belong here" in message("x" * 100_000)
