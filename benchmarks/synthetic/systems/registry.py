"""The systems that are judged, by name, and why one of them cannot be."""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec

from statemem.ir.diagnostics import UsageError, suggestion

from ..dialogue import FORMS
from .always_no import AlwaysNo
from .base import Entrant
from .langgraph_store import LangGraphStore
from .lexical import TopK
from .newcomers import is_newcomer, newcomer
from .overwrite import Overwrite
from .statemem import Statemem
from .window import Window

#: statemem on each form, then what people have instead.
ENTRANTS: dict[str, Entrant] = {
    one.name: one
    for one in (
        *(Entrant(f"statemem/{form}", partial(Statemem, form=form), form) for form in FORMS),
        Entrant("statemem/chat+domain", partial(Statemem, form="chat", knows=True), "chat"),
        Entrant.of("always-no", AlwaysNo),
        Entrant.of("window", Window),
        Entrant.of("overwrite", Overwrite),
        Entrant.of("top-k", TopK),
        Entrant.of("langgraph", LangGraphStore),
    )
}
_NEEDS = {"langgraph": ("langgraph", "not installed: pip install 'statemem[interop]'")}


def entrant(name: str) -> Entrant:
    """A system by its name, or a newcomer's by `FILE.py:CLASS`. Raises `UsageError` where there is none."""
    if name in ENTRANTS:
        return ENTRANTS[name]
    if is_newcomer(name):
        return newcomer(name)
    hint = suggestion(name, ENTRANTS) or f"; known are {', '.join(ENTRANTS)}, or FILE.py:CLASS for one of your own"
    raise UsageError(f"no system is called {name!r}{hint}")


def why_not(name: str) -> str | None:
    """Why a system cannot be judged here; None where it can."""
    package, reason = _NEEDS.get(name, (None, None))
    return reason if package is not None and find_spec(package) is None else None
