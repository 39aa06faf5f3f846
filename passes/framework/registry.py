"""Passes by name: those of this package, those of installed packages, and those in a file."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Literal, TypeVar

from statemem.ir.diagnostics import UsageError, suggestion

from .analysis import Analysis, Pass
from .estimate import Estimate

ENTRY_POINT_GROUP = "statemem.passes"
P = TypeVar("P", bound=type[Pass])
_registered: dict[str, type[Pass]] = {}
#: The passes found in files, with what each was asked for by.
_files: dict[type[Pass], str] = {}
_loaded: dict[tuple[Path, int, int], ModuleType] = {}


def register(one: P) -> P:
    """Make a pass known by its name. Raises `ValueError` for one without documentation, or whose name is taken."""
    if not one.title():
        raise ValueError(f"pass {one.__name__} needs a docstring; its first line is what `statemem passes` shows")
    if _registered.setdefault(one.name, one).__qualname__ != one.__qualname__:
        raise ValueError(f"a pass named {one.name!r} is registered already")
    _registered[one.name] = one
    return one


def passes() -> Mapping[str, type[Pass]]:
    """All passes by name, sorted."""
    import statemem.passes  # noqa: F401  the built-in passes register themselves when they are imported

    for point in entry_points(group=ENTRY_POINT_GROUP):
        register(point.load())
    return dict(sorted(_registered.items()))


def find(name: str) -> type[Pass]:
    """The pass of a name, or of a file: `./my_pass.py:Unconfirmed`.

    Raises `UsageError` with what to do where there is none.
    """
    if ":" in name:
        path, _, attribute = name.rpartition(":")
        return _from_file(Path(path), attribute)
    known = passes()
    if name.endswith(".py"):
        raise UsageError(f"which class of {name} is the pass? Write {name}:ClassName")
    if name not in known:
        raise UsageError(f"unknown pass {name!r}{suggestion(name, known)}; `statemem passes` lists them")
    return known[name]


def kind_of(one: type[Pass]) -> Literal["analysis", "derivation", "estimate"]:
    """The word for what a pass is."""
    if issubclass(one, Analysis):
        return "analysis"
    return "estimate" if issubclass(one, Estimate) else "derivation"


def spelled(one: type[Pass]) -> str:
    """What `find` finds a pass by: its name, or its file and class."""
    return _files.get(one, one.name)


def is_from_file(one: type[Pass]) -> bool:
    """Whether a pass was found in a file of somebody's own."""
    return one in _files


def _from_file(path: Path, attribute: str) -> type[Pass]:
    if not path.is_file():
        raise UsageError(f"there is no file {str(path)!r} to take the pass {attribute!r} from")
    module = _load(path)
    found = getattr(module, attribute, None)
    if not (isinstance(found, type) and issubclass(found, Pass)):
        raise UsageError(f"{path} defines no pass {attribute!r}: a class derived from Analysis or Derivation")
    if found.__module__ == module.__name__:  # what a file has only imported is not its own
        _files.setdefault(found, f"{path}:{attribute}")
    return found


def _load(path: Path) -> ModuleType:
    """The module of a file, loaded once as long as the file stays as it is: one file has one class of a name."""
    state = path.stat()
    key = path.resolve(), state.st_mtime_ns, state.st_size
    if key not in _loaded:
        _loaded[key] = _module(path, f"statemem_pass_{len(_loaded)}_{path.stem}")
    return _loaded[key]


def _module(path: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # whatever a user's file raises is theirs to see in one line
        del sys.modules[name]
        raise UsageError(f"{path} cannot be loaded: {type(error).__name__}: {error}") from error
    return module
