"""What the class of a pass must be like, checked when it is made: a slip is told then and not silently passed over."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import attrs

from statemem.ir.diagnostics import suggestion

if TYPE_CHECKING:
    from .analysis import Pass


def check_declared(cls: type[Pass]) -> None:
    """Raises TypeError for a class of a pass that cannot do what it says."""
    known = {name: value for base in reversed(cls.__mro__[1:-1]) for name, value in _methods(base)}
    for name, value in _methods(cls) if cls.__module__ != _KINDS else ():
        _check_method(cls, name, value, known)
    _check_needs(cls)
    if isinstance(getattr(cls, "facts", None), type):
        raise TypeError(f"{cls.__name__}.facts is a class; a lattice is an object: {cls.facts.__name__}()")  # type: ignore[attr-defined]
    for option in attrs.fields(cls):  # type: ignore[arg-type]
        if option.default is not attrs.NOTHING and type(option.default).__hash__ is None:
            kind = type(option.default).__name__
            raise TypeError(
                f"option {option.name!r} of {cls.__name__} is a {kind}; options must be hashable, as a tuple is"
            )


#: Where the kinds of passes are, whose methods are the known ones.
_KINDS = f"{__package__}.analysis"


def _methods(cls: type) -> Iterator[tuple[str, Any]]:
    return ((name, one) for name, one in vars(cls).items() if inspect.isfunction(one) and not name.startswith("_"))


def _check_method(cls: type[Pass], name: str, method: Any, events: dict[str, Any]) -> None:
    known = events.get(name)
    if known is None:
        if name.startswith("on_"):
            raise TypeError(f"{cls.__name__}.{name}: there is no such event{suggestion(name, events)}")
        return
    if inspect.isgeneratorfunction(method) or inspect.iscoroutinefunction(method):
        raise TypeError(
            f"{cls.__name__}.{name} is a generator or a coroutine: it would do nothing; write a plain method"
        )
    wanted = list(inspect.signature(known).parameters)
    try:
        inspect.signature(method).bind(*wanted)
    except TypeError:
        raise TypeError(f"{cls.__name__}.{name} must take ({', '.join(wanted)})") from None


def _check_needs(cls: type[Pass]) -> None:
    from .analysis import Need, Pass

    needs: Any = cls.needs
    if not isinstance(needs, tuple):
        raise TypeError(f"{cls.__name__}.needs must be a tuple of classes, as in needs = (Reaching,)")
    for one in needs:
        if not (isinstance(one, Need) or (isinstance(one, type) and issubclass(one, Pass))):
            raise TypeError(
                f"{cls.__name__}.needs names {one!r}; it must be the class of a pass, or may(…) or must(…) of one"
            )
