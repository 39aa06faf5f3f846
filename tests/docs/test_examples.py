"""Every example of the documentation is executed: Python as doctests, commands as a reader would type them.

A page is one run in a folder of its own that holds the example logs. A block with a caption is a file of that name;
blocks in `text` and `sh` are not executed, and no other kind may go without.
"""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path

import attrs
import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted(page for page in ROOT.glob("docs/**/*.md") if "_build" not in page.parts)]
NOT_EXECUTED = ("text", "sh")
#: Blocks of MyST that hold prose, or what the build makes.
DIRECTIVES = re.compile(r"\{(?!code-block\})[\w:-]+\}")
OPEN = re.compile(r"(?P<fence>`{3,})(?P<info>.*)")
CAPTION = re.compile(r":caption: (.+)")
FLAGS = doctest.ELLIPSIS
MAIN = "from statemem.cli import main; main()"


@attrs.frozen
class Block:
    """A fenced block: its language, the file it is captioned with, its lines, and where it begins."""

    language: str
    caption: str | None
    lines: list[str]
    line: int

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"


def blocks(page):
    lines = iter(enumerate(page.read_text(encoding="utf-8").split("\n"), 1))
    for number, line in lines:
        match = OPEN.match(line)
        if match is None:
            continue
        found = []
        for _, inner in lines:
            if inner.rstrip() == match["fence"]:
                break
            found.append(inner)
        yield block(match["info"].strip(), found, number)


def block(info, lines, number):
    language = info.removeprefix("{code-block}").strip()
    caption = CAPTION.fullmatch(lines[0]) if lines else None
    return Block(language, caption[1] if caption else None, lines[1:] if caption else lines, number)


def program(words):
    """What a reader runs: the command of the package, or a benchmark of the repository."""
    if words[0] == "statemem":
        return ["-c", MAIN, *words[1:]]
    assert ["python", "-m"] == words[:2], words
    assert words[2].startswith("benchmarks."), words
    return words[1:]


@pytest.fixture(name="folder")
def _folder(tmp_path, monkeypatch):
    with resources.as_file(resources.files("statemem").joinpath("examples")) as examples:
        for example in examples.iterdir():
            shutil.copy(example, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if Path(getattr(sys.modules[name], "__file__", None) or "/").parent == tmp_path:
            del sys.modules[name]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page(page, folder):
    session = Session()
    for one in blocks(page):
        session.take(one)
    assert [] == session.wrong, "\n\n".join(session.wrong)


class Session:
    """One page in the making: what earlier blocks defined is there for later ones."""

    def __init__(self):
        self.wrong = []
        self.names = {"__name__": "__main__"}
        self.code = 0

    def take(self, one):
        if one.caption is not None:
            Path(one.caption).parent.mkdir(parents=True, exist_ok=True)
            Path(one.caption).write_text(one.text.lstrip("\n"), encoding="utf-8")
        elif one.language == "python":
            self.python(one)
        elif one.language == "console":
            self.console(one)
        elif one.language not in NOT_EXECUTED and not DIRECTIVES.match(one.language):
            self.wrong.append(f"line {one.line}: a block of {one.language!r} that is neither executed nor text")

    def python(self, one):
        test = doctest.DocTestParser().get_doctest(one.text, self.names, "example", None, one.line)
        if not test.examples:
            self.wrong.append(f"line {one.line}: Python without a prompt is not executed; caption it as a file")
        said = []
        runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
        runner.run(test, out=said.append, clear_globs=False)
        self.names = test.globs
        self.wrong += said

    def console(self, one):
        for number, command, expected in commands(one):
            given = self.run(command)
            if not doctest.OutputChecker().check_output(expected, given, FLAGS):
                self.wrong.append(f"line {number}: $ {command}\nexpected:\n{expected}\ngiven:\n{given}")

    def run(self, command):
        """What a terminal shows: both streams, in the order written."""
        if command == "echo $?":
            return f"{self.code}\n"
        words = shlex.split(command)
        source = words.pop() if "<" in words else os.devnull
        with Path(source).open(encoding="utf-8") as stdin:
            done = subprocess.run(
                [sys.executable, "-u", *program([word for word in words if word != "<"])],
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONIOENCODING": "utf-8", "COLUMNS": "80", "PYTHONPATH": str(ROOT)},
                check=False,
            )
        self.code = done.returncode
        return unpadded(done.stdout.decode())


def commands(one):
    """The commands of a block with their line numbers and what each is said to print."""
    starts = [n for n, line in enumerate(one.lines) if line.startswith("$ ")]
    assert starts[:1] == [0], f"line {one.line}: a console block begins with a command"
    for start, end in zip(starts, [*starts[1:], len(one.lines)], strict=True):
        expected = "\n".join(one.lines[start + 1 : end]).strip("\n")
        yield one.line + start + 1, one.lines[start][2:], f"{expected}\n" if expected else ""


def unpadded(text):
    """A text without blanks at the ends of lines, and without empty lines around it."""
    found = "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")
    return f"{found}\n" if found else ""


def test_every_file_shown_is_used():
    unused = []
    for page in PAGES:
        found = list(blocks(page))
        for number, one in enumerate(found):
            later = (other.text for other in found[number + 1 :] if other.language in ("console", "python"))
            stem = (one.caption or "").removesuffix(".py")
            if one.caption is not None and not any(stem in text for text in later):
                unused.append(f"{page.name}: {one.caption}")
    assert [] == unused
