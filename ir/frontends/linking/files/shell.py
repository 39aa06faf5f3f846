"""Shell commands: the few that show a file and nothing else, and those that may change one.

A command counts only where it is one simple command by itself. All others make no claim of what a file holds.
"""

from __future__ import annotations

import re
import shlex

from .operations import Operation, Read, Restore
from .patches import BEGIN, patched

_NOT_SIMPLE = re.compile(r"[|&;<>()`$\n*?{}\[\]~]")
_SED_RANGE = re.compile(r"(\d+)(?:,(\d+))?p\Z")
_COUNT = re.compile(r"-(?:n ?)?(\d+)\Z")
#: Words of commands that may bring an earlier text of a file back, or write one: anything may be in force after them.
#: To remove a file brings nothing back.
_MAY_CHANGE = frozenset(
    """
    am apply autopep8 biome black checkout cherry-pick clang-format clean cp dd ed edit eslint ex fix fmt format gofmt
    isort lint mv patch pre-commit prettier pull rebase reset restore revert rubocop ruff rustfmt sed stash svn switch
    tee undo vi vim yapf
    """.split()  # noqa: SIM905  a list of words reads better without its quotes
)
_WORD = re.compile(r"[\w-]+")
#: Texts sent into files, and programs of somebody's own, which may do anything: scripts, targets, code in the command.
#: Compilers and runs of tests look at files and leave them as they are.
_WRITES = re.compile(
    r"<<|>"
    r"|\b(?:python[\d.]*|node|deno|bun|ruby|perl|php|lua|Rscript|bash|sh|zsh|source|make|just|npx|bunx|eval|exec|xargs)"
    r"\s(?!\s*(?:-m\s+(?:pytest|unittest|mypy|pyright)\b|-?-[vV]))"
    r"|\b(?:npm|pnpm|yarn|cargo|go|mix|rake|gradle)\s+(?:run|exec|generate)\b"
    r"|(?:^|[|&;]\s)\s*(?:\.|~|\w+)?/\S"
)
_MOVES = re.compile(r"(?:^|[|&;(\n])\s*(?:cd|pushd|popd)\b")
_NO_FILE = re.compile(r"\d?>&\d|[\d&]?>\s*/dev/null")
_LONGEST_SEARCHED = 16_384


def operations(command: str) -> list[Operation]:
    """What a command does to files, as far as is sure.

    >>> operations("cat -n src/tea.py"), operations("sed -n '5,9p' tea.py"), operations("cat tea.py | grep x")
    ([Read(path='src/tea.py', first=None, is_whole=True, numbers=True, opens=False)], \
[Read(path='tea.py', first=5, is_whole=False, numbers=False, opens=False)], [])
    """
    if BEGIN in command:
        return patched(command, "command")
    read = _read(command.strip())
    if read is not None:
        return [read]
    changes, moves = may_change(command), _MOVES.search(command) is not None
    return [Restore("", changes, moves)] if changes or moves else []


def may_change(command: str) -> bool:
    """Whether a command may write files, or bring back what one held before.

    >>> [may_change(text) for text in ("git checkout a.py", "pytest -q", "python gen.py", "echo x > a.py")]
    [True, False, True, True]
    """
    if len(command) > _LONGEST_SEARCHED:
        return True
    text = _NO_FILE.sub("", command)
    return _WRITES.search(text) is not None or bool(_MAY_CHANGE.intersection(_WORD.findall(text)))


def _read(command: str) -> Read | None:
    if _NOT_SIMPLE.search(command):
        return None
    try:
        program, *words = shlex.split(command)
    except ValueError:
        return None
    shown = {"cat": _cat, "head": _head, "tail": _tail, "sed": _sed, "nl": _numbered}.get(program)
    return shown(words) if shown is not None else None


def _cat(words: list[str]) -> Read | None:
    if len(words) == 2 and words[0] == "-n":
        return _numbered(words[1:])
    return Read(words[0], numbers=False) if _is_file(words) else None


def _numbered(words: list[str]) -> Read | None:
    return Read(words[0], numbers=True) if _is_file(words) else None


def _head(words: list[str]) -> Read | None:
    return Read(words[-1], first=1, is_whole=False, numbers=False) if _counted(words) else None


def _tail(words: list[str]) -> Read | None:
    return Read(words[-1], is_whole=False, numbers=False) if _counted(words) else None


def _sed(words: list[str]) -> Read | None:
    found = _SED_RANGE.match(words[1]) if len(words) == 3 and words[0] == "-n" else None
    if found is None or not _is_file(words[2:]):
        return None
    return Read(words[2], first=int(found[1]), is_whole=False, numbers=False)


def _counted(words: list[str]) -> bool:
    """Whether the words are a file, and perhaps how many of its lines are shown."""
    options = " ".join(words[:-1])
    return _is_file(words[-1:]) and (not options or _COUNT.match(options) is not None)


def _is_file(words: list[str]) -> bool:
    return len(words) == 1 and not words[0].startswith("-") and words[0] != ""
