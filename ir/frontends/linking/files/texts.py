"""What tools print about files: lines with their numbers, and whether a change was made."""

from __future__ import annotations

import enum
import re
from typing import Any, NamedTuple

from ....values import dumps
from ...reading.json_text import JSONError, decode
from ..results import is_failure

_NUMBERED = re.compile(r"[ \t]*(\d{1,7})(?:→|\t|:|\|)(.*)")
_FILE = re.compile(r"^\[File: .+? \((\d+) lines total\)\]", re.MULTILINE)
_CUT = re.compile(
    r"truncated|<response clipped>|clipped\b|lines? (?:omitted|skipped)|output too (?:large|long)|\[\.\.\.",
    re.IGNORECASE,
)
_SHELL_FAILED = re.compile(
    r"(?:\S*\b)?(?:cat|head|tail|sed|nl|bash|sh): .*(?:No such file|Is a directory|Permission denied|not found|cannot)"
    r"|.*\b(?:No such file or directory|Permission denied|Is a directory)\s*\Z"
)
_FAILED = re.compile(
    r"\s*(?:<tool_use_error>|<error>|traceback|fatal|exception|err(?:or)?\b|failed|failure|invalid|cannot|could not"
    r"|unable|permission denied|access denied|your proposed edit)",
    re.IGNORECASE,
)
_FAILS = re.compile(
    r"\bnot found|no match|no replacement|not performed|did(?: not|n't) (?:appear|match|find|apply)|no such file"
    r"|does(?: not|n't) (?:exist|appear|match|want)|no (?:changes|occurrences?|edits?)\b|syntax errors?\b|not unique"
    r"|not (?:been )?(?:applied|read|allowed)|multiple (?:occurrences|matches)|must be unique|modified since"
    r"|already exists|rejected|denied|refused|failed|is a directory",
    re.IGNORECASE,
)
#: How editors say that a file does not hold a text; what is missing must not be the file, nor the text be there twice.
_MISSING = re.compile(
    r"(?:string|text|match|snippet|content|pattern|block|search|quote|term)\w*[^.\n]{0,60}\bnot found"
    r"|no (?:exact )?match|(?:could not|couldn't|failed to|unable to|cannot) (?:find|locate|match)"
    r"|(?:does|did)(?: not|n't) (?:appear|match|contain|exist)|\b(?:0|no) (?:occurrences|matches)"
    r"|not (?:present|in the file)",
    re.IGNORECASE,
)
_NO_PROOF = re.compile(
    r"\b(?:parameter|argument|command|tool|user)\b|no such file|file not found|multiple|not unique|must be unique"
    r"|\bfile\b[^.:\n]{0,80}\b(?:not found|does(?: not|n't) exist)|[1-9]\d* (?:matches|occurrences)|modified since"
    r"|not (?:been )?read",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"\b(?:updated|edited|success|succeeded|successfully|created|written|wrote|replaced|inserted|applied|modified|deleted"
    r"|removed|renamed|moved|overwritten|saved|done|undone|reverted)\b|cat -n",
    re.IGNORECASE,
)
_SHOWS = re.compile(r"```|---|@@|diff --git")
_PATH = re.compile(r"\S*[/\\]\S*")
_PRINTED = ("output", "stdout", "result", "content")
_CODES = ("exit_code", "exitCode", "returncode", "return_code", "code")
_WRAPPING = frozenset((*_PRINTED, *_CODES, "stderr", "metadata", "error", "success", "interrupted", "duration"))
_PROMPT = re.compile(
    r"\n?(?:\(Open file: [^\n]*\)\n\(Current directory: [^\n]*\)\nbash-\$"
    r"|\[The command completed with exit code 0\.\])\s*\Z"
)
_CLIPPED = "<response clipped>"
_HEAD = 400
_LONGEST_CUT_LINE = 200


class Outcome(enum.Enum):
    """Whether a change was made, as far as the answer tells."""

    DONE = "done"
    FAILED = "failed"
    UNKNOWN = "unknown"


class Shown(NamedTuple):
    """Lines that a tool showed: their text, the number of the first, and whether some were left out."""

    text: str
    first: int | None
    is_cut: bool


class Answer(NamedTuple):
    """What a tool printed, and whether it says by a code that it failed."""

    text: str
    failed: bool = False


def answer(content: Any) -> Answer:
    """The text of a result, out of the object that some tools wrap it in.

    >>> answer('{"output": "Success.", "metadata": {"exit_code": 0}}')
    Answer(text='Success.', failed=False)
    """
    if isinstance(content, str):
        value = _decoded(content)
        inner = _unwrapped(value) if isinstance(value, dict) else None
        return inner or Answer(_printed(content))
    if isinstance(content, dict):
        return _unwrapped(content) or Answer(dumps(content), is_failure(content))
    return Answer(dumps(content))


def _decoded(text: str) -> Any:
    if not text.lstrip().startswith("{"):
        return None
    try:
        return decode(text)
    except JSONError:
        return None


def _unwrapped(value: dict[str, Any]) -> Answer | None:
    printed = [value[field] for field in _PRINTED if isinstance(value.get(field), str)]
    if not printed or not set(value) <= _WRAPPING:
        return None
    inner = value.get("metadata")
    codes = {**(inner if isinstance(inner, dict) else {}), **value}
    code = next((codes[field] for field in _CODES if field in codes), 0)
    return Answer(_printed(printed[0]), code not in (0, None, "0") or bool(value.get("error")))


def unified(text: str) -> str:
    """A text with the ends of lines that terminals write made plain."""
    return text.replace("\r\n", "\n")


def _printed(text: str) -> str:
    """The text without the prompt that some terminals write behind it."""
    return _PROMPT.sub("", unified(text))


def numbered(text: str) -> Shown | None:
    r"""The lines of a text that have numbers, without them; None if it has none.

    What stands before the first of them and after the last is the tool's own.

    >>> numbered("Here is tea.py:\n     7\tcup()\n     8\tpour()\n\n<note>…</note>")
    Shown(text='cup()\npour()', first=7, is_cut=False)
    """
    text, clipped, _ = text.partition(_CLIPPED)
    lines = text.split("\n")
    start = next((at for at, line in enumerate(lines) if _NUMBERED.match(line)), None)
    if start is None:
        return None
    found: list[str] = []
    first = 0
    for line in lines[start:]:
        match = _NUMBERED.match(line)
        if match is None or (found and int(match[1]) != first + len(found)):
            break
        first = first or int(match[1])
        found.append(match[2])
    return Shown("\n".join(found), first, bool(clipped) or is_cut(lines[:start] + lines[start + len(found) :]))


def is_cut(lines: list[str]) -> bool:
    """Whether one of the tool's own lines says that it left some out."""
    return any(len(line) <= _LONGEST_CUT_LINE and _CUT.search(line) for line in lines)


def lines_in_all(text: str) -> int | None:
    """How many lines the file has, where an editor says so above those that it shows."""
    found = _FILE.search(text)
    return int(found[1]) if found else None


def failed_to_show(text: str) -> bool:
    """Whether the answer to a command says, in its one line, that there was nothing to show."""
    return "\n" not in text.strip() and _SHELL_FAILED.match(text.strip()) is not None


def outcome(text: str, *, failed: bool) -> Outcome:
    """What an answer says of a change.

    >>> [outcome(text, failed=False).value for text in ("The file a.py has been updated", "No match found", "Hm.")]
    ['done', 'failed', 'unknown']
    """
    head = _PATH.sub(" ", _told(text))
    done = _DONE.search(head) is not None or _FILE.match(text.lstrip()) is not None
    fails = _FAILS.search(head) is not None
    if failed or _FAILED.match(head) or (fails and not done):
        return Outcome.FAILED
    return Outcome.DONE if done and not fails else Outcome.UNKNOWN


def says_missing(text: str, quoted: str) -> bool:
    """Whether the answer of an edit that failed says that the file does not hold what it quoted.

    >>> says_missing("String to replace not found in file.", "pour(1)"), says_missing("File not found", "pour(1)")
    (True, False)
    """
    head = _PATH.sub(" ", _told(text.replace(quoted, " ")))
    return _MISSING.search(head) is not None and _NO_PROOF.search(head) is None


def _told(text: str) -> str:
    """What a tool itself says of a change, before it shows what the file looks like now."""
    lines = text[:_HEAD].split("\n")
    shows = (at for at, line in enumerate(lines) if at and (_NUMBERED.match(line) or _SHOWS.match(line)))
    return "\n".join(lines[: next(shows, len(lines))])
