"""statemem: data-flow analysis for the memory of LLM agents.

Lower a log to an intermediate representation, solve passes over it, and read what lives, what died, what contradicts
what, and where the agent acted on something no longer true.

>>> import statemem
>>> report = statemem.analyze([
...     {"role": "user", "content": "Where is order W15-77?"},
...     {"role": "assistant", "content": "Order W15-77 is on its way."},
... ])
>>> [(str(entry.cell), entry.word.value) for entry in report.entries]
[('session:log/id["W15-77"]', 'unknown')]
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .analysis import analyze, analyze_all, lower, lower_all
    from .policy import Policy
    from .report import Report
    from .store import Store

__version__ = "0.1.0"

#: Where each public name lives; it is imported when it is first asked for, so that `import statemem` stays cheap.
_HOMES = {
    "Policy": "statemem.policy",
    "Report": "statemem.report",
    "Store": "statemem.store",
    "analyze": "statemem.analysis",
    "analyze_all": "statemem.analysis",
    "lower": "statemem.analysis",
    "lower_all": "statemem.analysis",
}

__all__ = ["Policy", "Report", "Store", "analyze", "analyze_all", "lower", "lower_all"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    if name in ("ir", "passes"):
        return importlib.import_module(f"statemem.{name}")
    raise AttributeError(f"module 'statemem' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__", "ir", "passes"])
