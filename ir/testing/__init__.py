"""Hypothesis strategies for programs and their parts; needs the `test` extra.

`programs` are any that can be written down, `traces` and `workflows` are valid, `broken` have one thing wrong.
"""

from .broken import Broken, broken
from .parts import (
    AWKWARD,
    actors,
    blocks,
    cells,
    instructions,
    origins,
    paths,
    places,
    scopes,
    terminators,
    texts,
    values,
)
from .programs import declarations, programs, tasks
from .valid import traces, workflows

__all__ = [
    "AWKWARD",
    "Broken",
    "actors",
    "blocks",
    "broken",
    "cells",
    "declarations",
    "instructions",
    "origins",
    "paths",
    "places",
    "programs",
    "scopes",
    "tasks",
    "terminators",
    "texts",
    "traces",
    "values",
    "workflows",
]
