"""What is found in annotated dialogues whose annotation is hidden, and what is missed, by cause.

* SGD: the slots in force, from utterances and the calls of services; values carried from one service to another.
* MultiWOZ: the slots in force from utterances alone. There are no calls, and no model reads the text: see how little
  is found. The labels of MultiWOZ 2.1 are known to be noisy.
* STAR: constraints of repeated queries that people changed.

What a domain file of two lines adds stands beside the figure without. A "parser test" tells whether the frontend that
reads the annotation gives it back, which is no accuracy.
"""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.lowering import carried_links, requeried_star, slots_figures
from benchmarks.lowering.slots_log import Dialogue, load, multiwoz, sgd
from benchmarks.lowering.slots_parsed import agreement
from benchmarks.lowering.tallies import Tally

DOMAINS = Path(__file__).parent / "domains"
SGD, MULTIWOZ, STAR = "sgd/dev_sample.json.gz", "multiwoz21/val_sample.json.gz", "star/star_sample.json.gz"


def of_sgd() -> list[Tally]:
    """Slots and carried values of SGD."""
    content = load(SGD)
    dialogues = [sgd(one) for one in content]
    domain = DOMAINS / "sgd.toml"
    return [
        _slots("slots in force (sgd)", slots_figures.measure(dialogues)),
        _slots(f"slots in force (sgd){_by(domain)}", slots_figures.measure(dialogues, domain)),
        _links("values carried between services (sgd)", carried_links.measure(dialogues)),
        _parsed("parser test (sgd), no accuracy", dialogues, content),
    ]


def of_multiwoz() -> list[Tally]:
    """Slots of MultiWOZ."""
    content = load(MULTIWOZ)
    dialogues = [multiwoz(name, one) for name, one in content.items()]
    figures = _slots("slots in force (multiwoz), text alone", slots_figures.measure(dialogues))
    return [figures, _parsed("parser test (multiwoz), no accuracy", dialogues, content)]


def of_star() -> list[Tally]:
    """Changed constraints of STAR."""
    content, domain = load(STAR), DOMAINS / "star.toml"
    return [
        _requeries("changed constraints (star)", requeried_star.measure(content)),
        _requeries(f"changed constraints (star){_by(domain)}", requeried_star.measure(content, domain)),
    ]


def _by(domain: Path) -> str:
    return f", domain file of {len(domain.read_text(encoding='utf-8').splitlines())} lines"


def _slots(what: str, found: slots_figures.Figures) -> Tally:
    return Tally(
        what,
        items=found.dialogues,
        gold=found.gold,
        found=found.found,
        right=found.found_right,
        recalled=found.right,
        missed=_told(found.missed, slots_figures.MISSED),
        surplus=_told(found.surplus, slots_figures.SURPLUS),
    )


def _links(what: str, found: carried_links.Links) -> Tally:
    return Tally(
        what,
        items=found.dialogues,
        gold=found.gold,
        found=found.found,
        right=found.right,
        missed=_told(found.missed, carried_links.MISSED),
        surplus=_told(found.surplus, carried_links.SURPLUS),
    )


def _requeries(what: str, found: requeried_star.Requeries) -> Tally:
    """Constraints that stayed are controls: they must not be overwritten."""
    return Tally(
        what,
        items=found.dialogues,
        gold=found.changed,
        found=found.overwritten + found.overwritten_wrongly,
        right=found.overwritten,
        controls=found.stayed,
        missed=_told(found.missed, requeried_star.MISSED),
        surplus=+Counter({"the constraint stayed": found.overwritten_wrongly}),
    )


def _parsed(what: str, dialogues: list[Dialogue], content: Any) -> Tally:
    found = agreement(dialogues, content)
    missed = Counter({"not given back": found.gold - found.right})
    surplus = Counter({"not annotated": found.surplus})
    total = found.right + found.surplus
    return Tally(what, len(dialogues), found.gold, total, found.right, missed=+missed, surplus=+surplus)


def _told(counted: Counter[str], causes: Mapping[str, str]) -> Counter[str]:
    return Counter({sentence: counted[cause] for cause, sentence in causes.items() if counted[cause]})
