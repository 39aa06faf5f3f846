"""What becomes of every file of a folder of logs: its format and what it was lowered to, or why it was refused.

    python -m benchmarks.lowering.coverage [FOLDER] [--json FILE] [--markdown FILE]

The folder is that of STATEMEM_DATA unless it is given. Each file is read as the command line reads it, its format found
by content. A row counts records, programs, blocks, instructions, and warnings by their codes; of a file that is refused
it holds the sentence that says so. Nothing of what a file holds is shown, but for the names of fields by which a format
was looked for. `--markdown` writes the table between the two marks of a page, which stays as it is around them.
"""

import argparse
import contextlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarks.lowering.tau_raw import data_directory
from statemem.analysis import lower_all
from statemem.ir.diagnostics import InputError, Problem
from statemem.ir.frontends import choose
from statemem.ir.frontends.reader import read

SUMMARY = "Lower every file of a folder of logs, and say what became of each."
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"
#: Files that tell of the logs beside them.
NOTES = "SOURCE.md"
#: Columns for the name of a file, of which a long one shows its end.
WIDTH = 64
HEAD = ("records", "programs", "blocks", "instructions")


@dataclass(frozen=True)
class Row:
    """What a file came to; `refused` is the sentence with which reading ended, if it did not end well."""

    file: str
    format: str | None = None
    records: int = 0
    programs: int = 0
    blocks: int = 0
    instructions: int = 0
    warnings: dict[str, int] = field(default_factory=dict)
    refused: str | None = None

    @property
    def figures(self) -> tuple[int, ...]:
        """The counts, in the order of the head."""
        return self.records, self.programs, self.blocks, self.instructions

    @property
    def told(self) -> str:
        """The warnings by code, most of them first."""
        ordered = sorted(self.warnings.items(), key=lambda one: (-one[1], one[0]))
        return ", ".join(f"{code} {count:,}" for code, count in ordered)


def covered(path: Path, name: str) -> Row:
    """Lower a file."""
    counts: Counter[str] = Counter()
    problems: list[Problem] = []
    form, refused = None, None
    try:
        form = choose(read(path, [])).name
        counts["records"] = records_of(path)
        for program in lower_all(path, problems=problems):
            counts.update(programs=1, blocks=len(program.blocks), instructions=len(program.instructions))
    except InputError as error:
        refused = "; ".join(f"{one.code}: {one.message}" for one in error.problems if one.severity == "error")
    warnings = Counter(one.code for one in problems if one.severity == "warning")
    return _row(name, counts, warnings, form, refused)


def records_of(path: Path) -> int:
    """How many records a file holds, as far as it can be read."""
    found = 0
    with contextlib.suppress(InputError):
        for _ in read(path, []).records:
            found += 1
    return found


def files(folder: Path) -> list[Path]:
    """The files below a folder, in the order of their names."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.name != NOTES)


def total(rows: Iterable[Row]) -> Row:
    """The figures of all rows together."""
    known = list(rows)
    counts: Counter[str] = Counter()
    warnings: Counter[str] = Counter()
    for one in known:
        counts.update(dict(zip(HEAD, one.figures, strict=True)))
        warnings.update(one.warnings)
    return _row(f"{len(known)} files, {sum(one.refused is None for one in known)} read", counts, warnings)


def table(rows: Sequence[Row]) -> str:
    """A line for each file and for all; then the sentences of those refused."""
    head = f"{'file':<{WIDTH}}{'format':<16}" + "".join(f"{title:>13}" for title in HEAD) + "  warnings"
    refused = [f"{one.file}\n    {one.refused}" for one in rows if one.refused is not None]
    return "\n".join([head, *map(_line, [*rows, total(rows)]), *refused])


def markdown(rows: Sequence[Row]) -> str:
    """The same as a table of Markdown for each folder."""
    whole = total(rows)
    figures = ", ".join(f"{figure:,} {title}" for figure, title in zip(whole.figures, HEAD, strict=True))
    parts = [f"{whole.file}: {figures}."]
    for folder, inner in _by_folder(rows).items():
        parts.append(f"### {folder}")
        parts.extend(part(inner) for part in (_read, _refused) if part(inner))
    return "\n\n".join(parts)


def written(page: str, between: str) -> str:
    """A page with what stands between its marks replaced."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page has no {BEGIN} with {END} behind it")
    return f"{before}{BEGIN}\n\n{between}\n\n{END}{after}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, write JSON and page; 2 where there is no file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lowering.coverage", description=SUMMARY)
    parser.add_argument("folder", nargs="?", type=Path, default=data_directory().parent, metavar="FOLDER")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows to FILE")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the table between the marks of FILE")
    options = parser.parse_args(arguments)
    found = files(options.folder)
    if not found:
        print(f"No files in {options.folder}: give a folder, or set STATEMEM_DATA.", file=sys.stderr)
        return 2
    rows = [covered(path, path.relative_to(options.folder).as_posix()) for path in found]
    print(table(rows))
    if options.json:
        options.json.write_text(json.dumps([asdict(one) for one in rows], indent=1) + "\n", encoding="utf-8")
    if options.markdown:
        page = options.markdown.read_text(encoding="utf-8")
        options.markdown.write_text(written(page, markdown(rows)), encoding="utf-8")
    return 0


def _row(
    name: str,
    counts: Counter[str],
    warnings: Counter[str],
    form: str | None = None,
    refused: str | None = None,
) -> Row:
    return Row(
        name,
        form,
        records=counts["records"],
        programs=counts["programs"],
        blocks=counts["blocks"],
        instructions=counts["instructions"],
        warnings=dict(warnings),
        refused=refused,
    )


def _line(one: Row) -> str:
    figures = "".join(f"{figure:>13,}" for figure in one.figures)
    name = one.file if len(one.file) < WIDTH else f"…{one.file[2 - WIDTH :]}"
    return f"{name:<{WIDTH}}{one.format or '-':<16}{figures}  {'refused' if one.refused else one.told}"


def _by_folder(rows: Iterable[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for one in rows:
        found.setdefault(one.file.rpartition("/")[0] or ".", []).append(one)
    return found


def _read(rows: Iterable[Row]) -> str:
    lines = (
        [_shown(one), f"`{one.format}`", *(f"{figure:,}" for figure in one.figures), one.told]
        for one in rows
        if one.refused is None
    )
    return _table(("file", "format", *HEAD, "warnings"), lines)


def _refused(rows: Iterable[Row]) -> str:
    """A line a sentence, with all the files of which it is said."""
    found: dict[str, list[str]] = {}
    for one in rows:
        if one.refused is not None:
            found.setdefault(one.refused, []).append(_shown(one))
    return _table(("refused", "sentence"), ([", ".join(names), told] for told, names in found.items()))


def _shown(one: Row) -> str:
    return f"`{one.file.rpartition('/')[2]}`"


def _table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """A table of Markdown; nothing where it has no line."""
    cells = [[cell.replace("|", "\\|") for cell in line] for line in lines]
    rows = [head, ["---"] * len(head), *cells] if cells else []
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


if __name__ == "__main__":
    sys.exit(main())
