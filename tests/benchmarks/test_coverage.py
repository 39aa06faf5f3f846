"""The benchmark of coverage: what it says of the files of a folder, and where it writes it down."""

import json
from pathlib import Path

import pytest

from benchmarks.lowering.coverage import BEGIN, END, Row, covered, files, main, markdown, table, total, written

CHAT = [
    {"role": "user", "content": "Where is order W15-77?"},
    {"role": "assistant", "content": "Order W15-77 is packed."},
]


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    logs = tmp_path / "logs"
    (logs / "chats").mkdir(parents=True)
    lines = [json.dumps({"id": name, "messages": CHAT}) for name in ("a", "b")]
    (logs / "chats" / "two.jsonl").write_text("\n".join([*lines, '{"id": "c"}', "{"]), encoding="utf-8")
    (logs / "chats" / "SOURCE.md").write_text("Invented.", encoding="utf-8")
    (logs / "notes.json").write_text('{"a|b": 1}', encoding="utf-8")
    return logs


def test_every_file_is_looked_at_but_for_what_tells_of_the_others(folder: Path) -> None:
    assert ["chats/two.jsonl", "notes.json"] == [path.relative_to(folder).as_posix() for path in files(folder)]


def test_a_row_counts_what_a_file_was_lowered_to(folder: Path) -> None:
    row = covered(folder / "chats" / "two.jsonl", "two.jsonl")
    assert Row("two.jsonl", "openai", 3, 2, 4, 4, {"FE007": 1, "FE040": 1}) == row
    assert "FE007 1, FE040 1" == row.told


def test_a_refused_file_says_why_and_shows_nothing_but_names_of_fields(folder: Path) -> None:
    row = covered(folder / "notes.json", "notes.json")
    assert "FE010: no frontend knows this format; the first record has the fields a|b" == row.refused
    assert (None, (0, 0, 0, 0)) == (row.format, row.figures)


def test_a_file_that_ends_badly_keeps_what_stood_before(tmp_path: Path) -> None:
    path = tmp_path / "cut.json"
    path.write_text(
        "[\n" + ",\n".join(json.dumps({"id": str(n), "messages": CHAT}) for n in range(9)) + ",\n{", "utf-8"
    )
    row = covered(path, "cut.json")
    assert (True, True) == ((row.refused or "").startswith("FE004"), row.programs == 9)


def test_figures_add_up() -> None:
    rows = [
        Row("a", "ops", 1, 2, 3, 4, {"FE001": 1}),
        Row("b", refused="no"),
        Row("c", "ops", 1, 1, 1, 1, {"FE001": 2}),
    ]
    assert Row("3 files, 2 read", None, 2, 3, 4, 5, {"FE001": 3}) == total(rows)


def test_the_table_has_a_line_a_file_and_the_sentences_of_those_refused(folder: Path) -> None:
    rows = [covered(path, path.relative_to(folder).as_posix()) for path in files(folder)]
    lines = table(rows).splitlines()
    assert ["file", "chats/two.jsonl", "notes.json", "2"] == [line.split()[0] for line in lines[:4]]
    assert "    FE010: no frontend knows this format; the first record has the fields a|b" == lines[-1]


def test_a_page_keeps_what_stands_around_the_table(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# Title\n\n{BEGIN}\nold\n{END}\n\nEnd.\n", encoding="utf-8")
    for _ in range(2):
        assert 0 == main([str(folder), "--markdown", str(page), "--json", str(tmp_path / "rows.json")])
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"# Title\n\n{BEGIN}\n\n2 files, 1 read: 3 records, 2 programs, 4 blocks, 4 instructions.\n")
    assert text.endswith(f"{END}\n\nEnd.\n")
    assert "| `two.jsonl` | `openai` | 3 | 2 | 4 | 4 | FE007 1, FE040 1 |" in text.splitlines()
    assert r"the fields a\|b |" in text
    assert ["chats/two.jsonl", "notes.json"] == [
        row["file"] for row in json.loads((tmp_path / "rows.json").read_text())
    ]


def test_a_page_without_marks_is_left_alone() -> None:
    with pytest.raises(ValueError, match="table: begin"):
        written("# Title", markdown([Row("a", "ops")]))


def test_a_folder_without_files_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == main([str(tmp_path)])
    assert "No files in" in capsys.readouterr().err
