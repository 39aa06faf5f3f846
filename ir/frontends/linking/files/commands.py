"""What the calls of file tools do, by the names of the tools and of their arguments."""

from __future__ import annotations

import functools
import posixpath
import re
from collections.abc import Callable, Iterator
from typing import Any

from ....identity import words
from ... import fields
from . import shell
from .operations import Delete, Edit, Fragment, Lines, Operation, Read, Rename, Restore, Undo, Write
from .patches import BEGIN, patched

Arguments = dict[str, Any]

_PATHS = ("file_path", "path", "absolute_path", "target_file", "filename", "file")
_OLD = ("old_string", "old_str", "old_text", "oldText", "search")
_NEW = ("new_string", "new_str", "new_text", "newText", "replace")
_TEXTS = ("content", "file_text", "contents", "text", "code_content")
_RANGES = ("offset", "limit", "view_range", "start_line", "end_line", "head", "tail", "line_start", "line_end")
_ALL = ("replace_all", "replace-all", "allow_multiple")
#: Arguments that are the text of a file and nothing else: what they hold is told by the file's own cells.
CONTENT = frozenset((*_OLD, *_NEW, *_TEXTS, "insert_text", "edits", "patch", "input", "new_source", "replacement_text"))
#: Tools with such a word in their names leave files alone.
_HARMLESS = frozenset(
    """
    answer ask browse calculate check describe fetch find finish get glob grep list look lookup ls message output plan
    query question read retrieve search show submit think thought todo todos view wait web websearch webfetch
    """.split()  # noqa: SIM905  a list of words reads better without its quotes
)
_PREFIX = re.compile(r".*(?:__|[./:])", re.DOTALL)


def operations(tool: str, arguments: Arguments) -> list[Operation]:
    """What a call does to files, in order.

    A tool that is not known may do anything to them, unless a word of its name says that it does nothing of the kind.

    >>> operations("Edit", {"file_path": "/a.py", "old_string": "x = 1", "new_string": "x = 2"})
    [Edit(path='/a.py', old='x = 1', new='x = 2', everywhere=False, field='old_string')]
    >>> operations("get_order", {"order_id": "W15"}), operations("Task", {"prompt": "Mend the tests"})
    ([], [Restore(path='', changes=True, moves=False)])
    """
    known = _known(tool)
    if known is None:
        return [] if _is_harmless(tool) else [Restore("")]
    return list(known(arguments))


@functools.cache
def _known(tool: str) -> Callable[[Arguments], Iterator[Operation]] | None:
    return TOOLS.get(_PREFIX.sub("", tool).casefold().replace("-", "_"))


@functools.cache
def _is_harmless(tool: str) -> bool:
    return not _HARMLESS.isdisjoint(words(tool))


def normal(path: str) -> str:
    """A path without detours: `./a.py` is `a.py`."""
    return posixpath.normpath(path) if path else ""


def _path(arguments: Arguments, *names: str) -> str:
    return next((normal(arguments[name]) for name in names or _PATHS if _is_text(arguments.get(name))), "")


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _first_text(arguments: Arguments, names: tuple[str, ...]) -> tuple[str, str] | None:
    """The first of some arguments that is a text, and its name; it may be empty."""
    return next(((name, arguments[name]) for name in names if isinstance(arguments.get(name), str)), None)


def _read(arguments: Arguments, *, numbers: bool | None = None) -> Iterator[Operation]:
    path = _path(arguments)
    if path:
        is_part = any(arguments.get(name) not in (None, "", []) for name in _RANGES)
        first = fields.number(arguments, "offset", "start_line", "line_start")
        yield Read(path, first if is_part else None, is_whole=not is_part, numbers=numbers)


def _read_numbered(arguments: Arguments) -> Iterator[Operation]:
    return _read(arguments, numbers=True)


def _write(arguments: Arguments) -> Iterator[Operation]:
    path, text = _path(arguments), _first_text(arguments, _TEXTS)
    if path and text is not None:
        yield Write(path, text[1])


def _edit(arguments: Arguments) -> Iterator[Operation]:
    """One replacement, or several in `edits`; without a path it is in the file that was opened last."""
    path, several = _path(arguments), fields.items(arguments, "edits")
    if several and path:
        for one in several:
            yield from _replacement(path, one, "edits")
    elif isinstance(arguments.get("replacement_text"), str):
        yield from _lines(path, arguments)
    else:
        yield from _replacement(path, arguments)


def _replacement(path: str, arguments: Any, field: str | None = None) -> Iterator[Operation]:
    if not isinstance(arguments, dict):
        return
    old, new = _first_text(arguments, _OLD), _first_text(arguments, _NEW)
    if old is None or new is None:
        return
    if old[1]:
        everywhere = any(arguments.get(name) is True for name in _ALL)
        yield Edit(path, old[1], new[1], everywhere, field or old[0])
    elif path:
        yield Write(path, new[1])


def _lines(path: str, arguments: Arguments) -> Iterator[Operation]:
    first, last = fields.number(arguments, "start_line"), fields.number(arguments, "end_line")
    if first is not None and last is not None and 0 < first <= last:
        yield Lines(path, first, last + 1, arguments["replacement_text"])


def _notebook(arguments: Arguments) -> Iterator[Operation]:
    path = _path(arguments, "notebook_path")
    if path and _is_text(arguments.get("new_source")):
        yield Fragment(path, arguments["new_source"])


def _editor(arguments: Arguments) -> Iterator[Operation]:
    """An editor or a memory of files whose `command` says what it does."""
    command = _COMMANDS.get(str(arguments.get("command")))
    if command is not None:
        yield from command(arguments)


def _insert(arguments: Arguments) -> Iterator[Operation]:
    line = fields.number(arguments, "insert_line", "line")
    text = _first_text(arguments, ("insert_text", "new_str", "text"))
    if text is not None and line is not None and line >= 0:
        yield Lines(_path(arguments), line + 1, line + 1, text[1])
    elif text is not None:
        yield Fragment(_path(arguments), text[1])


def _undo(arguments: Arguments) -> Iterator[Operation]:
    if _path(arguments):
        yield Undo(_path(arguments))


def _delete(arguments: Arguments) -> Iterator[Operation]:
    if _path(arguments):
        yield Delete(_path(arguments))


def _rename(arguments: Arguments) -> Iterator[Operation]:
    path, to = _path(arguments, "old_path", "source", "from"), _path(arguments, "new_path", "destination", "to")
    if path and to and path != to:
        yield Rename(path, to)


def _open(arguments: Arguments) -> Iterator[Operation]:
    path = _path(arguments, "path")
    if path:
        yield Read(path, is_whole=False, numbers=True, opens=True)


def _create(arguments: Arguments) -> Iterator[Operation]:
    """An empty file in an editor that opens it; with a text it is a write like any other."""
    if _first_text(arguments, _TEXTS) is not None:
        yield from _write(arguments)
    elif _path(arguments, "filename"):
        yield Write(_path(arguments, "filename"), "", opens=True)


def _scroll(_: Arguments) -> Iterator[Operation]:
    yield Read("", is_whole=False, numbers=True)


def _insert_there(arguments: Arguments) -> Iterator[Operation]:
    """An insertion into the file that was opened last."""
    if isinstance(arguments.get("text"), str):
        yield from _insert(arguments)


def _patch(arguments: Arguments) -> Iterator[Operation]:
    for field, text in arguments.items():
        if isinstance(text, str) and BEGIN in text:
            yield from patched(text, field)


def _shell(arguments: Arguments) -> Iterator[Operation]:
    command = next((arguments[name] for name in ("command", "cmd", "script") if arguments.get(name)), None)
    if isinstance(command, list) and command and all(isinstance(word, str) for word in command):
        command = command[-1] if command[0] in ("bash", "sh", "zsh", "apply_patch") else " ".join(command)
    if isinstance(command, str):
        yield from shell.operations(command)


_COMMANDS: dict[str, Callable[[Arguments], Iterator[Operation]]] = {
    "view": _read_numbered,
    "create": _write,
    "str_replace": _edit,
    "insert": _insert,
    "delete": _delete,
    "rename": _rename,
    "undo_edit": _undo,
}
_SHELLS = (
    "bash", "shell", "sh", "execute_bash", "run_shell_command", "terminal", "exec", "exec_command", "run_command",
    "local_shell", "run_terminal_cmd", "execute_command", "bash_tool", "run_in_terminal", "run",
)  # fmt: skip
_EDITORS = (
    "str_replace_editor", "str_replace_based_edit_tool", "text_editor", "edit_anthropic", "memory", "file_editor",
)  # fmt: skip
#: What a call of each tool does, by its name without prefix, in small letters.
TOOLS: dict[str, Callable[[Arguments], Iterator[Operation]]] = {
    "read": _read_numbered,
    "read_file": _read,
    "read_text_file": _read,
    "view_file": _read,
    "write": _write,
    "write_file": _write,
    "create_file": _write,
    "write_to_file": _write,
    "edit": _edit,
    "edit_file": _edit,
    "multiedit": _edit,
    "multi_edit": _edit,
    "str_replace": _edit,
    "search_replace": _edit,
    "replace": _edit,
    "notebookedit": _notebook,
    "delete_file": _delete,
    "remove_file": _delete,
    "move_file": _rename,
    "rename_file": _rename,
    "apply_patch": _patch,
    "open": _open,
    "create": _create,
    "insert": _insert_there,
    "goto": _scroll,
    "scroll_up": _scroll,
    "scroll_down": _scroll,
    **dict.fromkeys(_EDITORS, _editor),
    **dict.fromkeys(_SHELLS, _shell),
}
