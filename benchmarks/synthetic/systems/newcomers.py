"""A system from somebody's own file: `--system path/to/file.py:ClassName`.

The class is made with the setting of a dialogue, and has `read` and `answer` as `base.System` has them. It may have a
`name`, by which tables call it, and a `form`, which decides what of a dialogue it can be asked for.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import Any

from statemem.ir.diagnostics import UsageError, suggestion

from ..dialogue import FORMS
from .base import Entrant

_NEWCOMER = re.compile(r"(?P<file>.+\.py):(?P<class>[^:/\\]*)$")
_METHODS = ("read", "answer")


def is_newcomer(name: str) -> bool:
    """Whether a name is that of a file, with or without a class."""
    return _NEWCOMER.match(name) is not None or name.endswith(".py")


@cache
def newcomer(name: str) -> Entrant:
    """The system of a file. Raises `UsageError` that says where and what is wrong."""
    match = _NEWCOMER.match(name)
    if match is None or not match["class"]:
        raise UsageError(f"{name}: which class of it? Write {name.rstrip(':')}:CLASS")
    path = Path(match["file"])
    made = _class(_module(path), path, match["class"])
    form = getattr(made, "form", "ops")
    if form not in FORMS:
        raise UsageError(f"{path}: {match['class']}.form is {form!r}; forms are {', '.join(FORMS)}")
    return Entrant.of(str(getattr(made, "name", match["class"])), made, form)


def _module(path: Path) -> ModuleType:
    if not path.is_file():
        raise UsageError(f"{path}: there is no such file")
    spec = spec_from_file_location(f"newcomer_{path.stem}", path)
    assert spec is not None, "a name that ends in .py has a loader"
    assert spec.loader is not None, "and one that can load it"
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # whatever somebody's file raises
        raise UsageError(f"{where(error, path)}: cannot be loaded: {told(error)}") from error
    return module


def _class(module: ModuleType, path: Path, name: str) -> Any:
    classes = [
        one for one, value in vars(module).items() if isinstance(value, type) and value.__module__ == module.__name__
    ]
    found = getattr(module, name, None)
    if not isinstance(found, type):
        raise UsageError(f"{path}: has no class {name!r}{suggestion(name, classes) or _known(classes)}")
    missing = [one for one in _METHODS if not callable(getattr(found, one, None))]
    if missing:
        raise UsageError(f"{path}: {name} has no method {missing[0]!r}; a system has read(seen) and answer(question)")
    return found


def _known(classes: list[str]) -> str:
    return f"; it has {', '.join(classes)}" if classes else "; it has none"


def where(error: BaseException, path: Path | None = None) -> str:
    """The place at which an error was raised, in the file in question if it passed through it."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    frames = extract_tb(error.__traceback__)
    own = [one for one in frames if path is not None and Path(one.filename).name == path.name]
    frame = (own or frames)[-1]
    return f"{frame.filename}:{frame.lineno}"


def told(error: BaseException) -> str:
    """An error in a line."""
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
