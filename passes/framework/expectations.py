"""Expected facts compared with what passes find: `;; after liveness = a, b` behind the statements of a program."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from statemem.ir import Program
from statemem.ir.text import Fact
from statemem.ir.text.facts import fact_text

from .analysis import Analysis, Pass
from .errors import NoFact
from .horizon import Horizon
from .manager import Manager
from .points import After, BlockEnd, BlockStart, Point
from .registry import find


def unmet(
    program: Program, facts: Iterable[Fact], horizon: Horizon | None = None, *, known: Iterable[Pass] = ()
) -> list[str]:
    """What is wrong with facts expected of one program, a text each; none where all of them are met.

    A fact of an analysis is compared with what the pass shows at the point behind its statement: `=` names all of it,
    `+=` some of it, `-=` what is not in it. A fact of a derivation or an estimate is compared with all that it found,
    wherever the fact stands; the last line of a program is the place for it. Cells of a block's own scope may be
    written without it. Passes are found by name among those `known`, else among the registered ones.

    >>> from statemem.ir.text.parser import read
    >>> document = read('''program "tea"
    ... task main in session:1/ {
    ...   block t1 user {
    ...     topic = set "tea"   ;; after liveness =
    ...     use topic           ;; after liveness = topic
    ...     end                 ;; after reaching = topic <- 0
    ...   }
    ... }''')
    >>> for text in unmet(document.programs[0], document.facts):
    ...     print(text)
    program "tea", block t1, after statement 1: liveness has session:1/topic, which is not expected
    program "tea", block t1, after statement 2: liveness lacks topic
    """
    manager, named = Manager(program, horizon), {one.name: one for one in known}
    return [text for fact in facts for text in _wrong(manager, fact, named.get(fact.analysis))]


def _wrong(manager: Manager, fact: Fact, known: Pass | None) -> Iterator[str]:
    where = _where(manager.program, fact)
    try:
        shown = _shown(manager, fact, known or find(fact.analysis)())
    except NoFact as error:
        yield f"{where}: {error}"
        return
    scope = str(manager.program.scope_of(fact.block))
    found, expected = _by_relative(shown, scope), _by_relative(fact.texts, scope)
    missing = [text for key, text in expected.items() if key not in found]
    if fact.relation == "-=":
        missing, surplus = [], [text for key, text in found.items() if key in expected]
    else:
        surplus = [text for key, text in found.items() if key not in expected] if fact.relation == "=" else []
    if missing:
        yield f"{where}: {fact.analysis} lacks {', '.join(missing)}"
    if surplus:
        yield f"{where}: {fact.analysis} has {', '.join(surplus)}, which is not expected"


def _shown(manager: Manager, fact: Fact, one: Any) -> list[str]:
    """What a pass shows at the point of a fact, as it would be written there."""
    result = manager.result(one)
    if isinstance(one, Analysis):
        texts = one.show(result.fact(_point(manager.program, fact)))
    else:
        texts = one.show(result, manager.program)
    return [fact_text(text) for text in texts]


def _point(program: Program, fact: Fact) -> Point:
    if fact.after < 0:
        return BlockStart(fact.block)
    if fact.after >= len(program.blocks[fact.block].instructions):
        return BlockEnd(fact.block)
    return After(program.executed(fact.block).start + fact.after)


def _by_relative(texts: Iterable[str], scope: str) -> dict[str, str]:
    """Texts by how they read without the scope of a block."""
    own = re.compile(rf"(?<![\w\"-]){re.escape(scope)}")
    return {own.sub("", text): text for text in texts}


def _where(program: Program, fact: Fact) -> str:
    block, name = program.blocks[fact.block], f'program "{program.name}"'
    if fact.after < 0:
        return f"{name}, block {block.name}, at its start"
    end = fact.after >= len(block.instructions)
    return f"{name}, block {block.name}, {'at its end' if end else f'after statement {fact.after + 1}'}"
