"""The reference says what the code says: codes, commands, options, names."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

import statemem

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
CODE = re.compile(r"\b(?:DO|FE|TX|IR|PO|SM|ST)\d{3}\b")
sys.path.append(str(DOCS))
tables = importlib.import_module("tables")


def codes_of(*folders):
    texts = (path.read_text(encoding="utf-8") for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return {code for text in texts for code in CODE.findall(text)}


@pytest.fixture(name="built", scope="session")
def _built(tmp_path_factory):
    """The documentation as HTML, built as the checks do: every warning is an error, every reference must resolve."""
    pytest.importorskip("sphinx", reason="needs the docs extra")
    pytest.importorskip("furo", reason="needs the docs extra")
    pytest.importorskip("myst_parser", reason="needs the docs extra")
    folder = tmp_path_factory.mktemp("html")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-n", "-d", str(folder / "doctrees"), str(DOCS), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (0, "") == (done.returncode, done.stderr)
    return folder


def test_the_page_of_codes_has_all_of_them_and_no_other(built):
    page = (built / "codes.html").read_text(encoding="utf-8")
    shown = set(CODE.findall(re.sub(r"<[^>]+>", " ", page)))
    assert codes_of("ir", "statemem") == shown


def test_no_page_loads_anything_from_outside(built):
    pattern = re.compile(r'<(?:script|link|img|iframe|source)\b[^>]*\b(?:src|href)="(?:https?:)?//[^"]*"')
    found = {f"{page.name}: {tag}" for page in built.rglob("*.html") for tag in pattern.findall(page.read_text())}
    assert set() == found


def test_every_link_to_source_resolves(built):
    links = {
        (page.parent / link).resolve()
        for page in built.rglob("*.html")
        for link in re.findall(r'href="([^"#]*_modules/[^"#]+)', page.read_text(encoding="utf-8"))
    }
    assert links
    assert [] == sorted(link for link in links if not link.is_file())


def test_every_command_and_option_has_its_place():
    page = (DOCS / "reference" / "command-line.md").read_text(encoding="utf-8")
    names = tables.all_commands()
    assert [] == [name for name in names if f"## `statemem {name}`" not in page]
    shown = set(re.findall(r"\{\{ command_(\w+) \}\}", page))
    assert {name.replace(" ", "_") for name in names} == shown


def test_every_option_has_a_help_text():
    parameters = [(name, one) for name, command in tables.all_commands().items() for one in command.params]
    mute = [f"{name} {one.name}" for name, one in parameters if isinstance(one, click.Option) and not one.help]
    assert [] == mute


def test_every_public_name_is_in_the_reference():
    page = (DOCS / "reference" / "python.md").read_text(encoding="utf-8")
    assert [] == [name for name in statemem.__all__ if f"statemem.{name}" not in page]


def test_every_page_is_in_a_table_of_contents():
    contents = "\n".join(page.read_text(encoding="utf-8") for page in DOCS.rglob("index.md"))
    pages = (page.relative_to(DOCS).with_suffix("") for page in DOCS.rglob("*.md") if "_build" not in page.parts)
    assert [] == [str(page) for page in pages if page.name != "index" and str(page) not in contents]
