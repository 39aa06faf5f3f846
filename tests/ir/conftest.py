"""Golden files: what the command line prints of every kind of mistake.

`errors/CODE-what-is-wrong.smir` is a mistaken text, and the `.txt` beside it all that `statemem check` prints of it. To
write these anew after a wanted change of a message: `STATEMEM_WRITE_GOLDEN=1 pytest tests/ir`, and look at the diff.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from statemem.cli import main


@pytest.fixture
def golden(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Compares what is printed of a mistaken text with its golden file."""

    def compare(file: Path) -> None:
        monkeypatch.chdir(file.parent)
        printed, expected = _printed(file), file.with_suffix(".txt")
        assert f" {_code(file)}: " in printed, "the name of the file says another code"
        if os.environ.get("STATEMEM_WRITE_GOLDEN"):
            expected.write_text(printed, encoding="utf-8", newline="\n")
        assert expected.read_text(encoding="utf-8") == printed

    return compare


def _printed(file: Path) -> str:
    """What a terminal shows: the problems, then the last line."""
    done = CliRunner().invoke(main, ["check", file.name])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.stderr + done.stdout


def _code(file: Path) -> str:
    return file.stem.partition("-")[0]
