"""The independent reference for lowering: tau logs counted from raw JSON, by the rule of a first measurement.

    python -m benchmarks.lowering.tau_raw [--json FILE]

Nothing here imports the product, which is later compared with these counts. The rule:

* A definition is a scalar leaf of a result, or a value in user text (ids, dates, amounts, numbers,
  capitalised names, airport codes). An identifier is one object wherever it occurs, any other value one per
  entity, field and value. `tau_facts` says what entities and paths are, `tau_figures` what identifiers and
  quotations are.
* A use is a scalar of a call's arguments equal to a known value, or a distinctive known value quoted in a
  reply. It credits every earlier definition of its value. *Never used* is the share of objects no use
  credits.
* *Overwritten* is the share of (entity, field) facts that lost a value to another at least once; *restated*
  the share of redefinitions after which every earlier value still stands.
* The *reuse distance* goes from the message of a use back to the previous message where the value was
  defined or used, one per value and message: medians 3 and 2. (Back to the previous definition alone they
  are 5 and 3, to the first definition 11 and 7; the first measurement has 3 and 2.)
* *Token-steps* are (len(field) + 2 + len(value)) / 4 tokens for each assistant step an object is carried,
  from its definition to the end; the figure is the share before the last use. What arrives is free for the
  next assistant step, so a use there adds nothing.
* A *re-read* is a result that names its own object (order, reservation, product) seen before; it *lacks
  leaves* if a path of the object as it was is missing.

A narrower rule credits replies with identifiers alone. Airline hardly differs; in retail 94 % of objects
are then never used and 3.4 % of token-steps lie before a last use, far from the first measurement. So
prices and option values that a reply quotes count as used.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.lowering.tau_facts import Overwrite, ReplacedArgument, overwritten, replaced_arguments
from benchmarks.lowering.tau_figures import Figures, count
from benchmarks.lowering.tau_log import Conversation, read

__all__ = ["Conversation", "Figures", "count", "measure", "overwritten", "read", "replaced_arguments"]

SUMMARY = "Count tau logs from their raw JSON; targets of the first measurement stand in brackets."
DOMAINS = {"airline": "gpt-4o-airline*.json.gz", "retail": "retail-*.json.gz", "tau2": "tau2-*.json.gz"}

# what the first measurement said; where it gave one figure for both domains, it stands under "all"
TARGETS: dict[str, dict[str, float]] = {
    "airline": {"never_used": 88, "overwritten": 0.2, "reuse_distance": 3, "token_steps": 6.9},
    "retail": {"never_used": 85, "overwritten": 1.7, "reuse_distance": 2, "token_steps": 6.3},
    "all": {"restated": 93, "rereads": 287, "rereads_lacking": 26},
}
ROWS = {
    "conversations": "conversations",
    "definitions": "definitions",
    "objects": "objects",
    "never_used": "objects never used, %",
    "facts": "facts (entity, field)",
    "overwritten": "facts overwritten by another value, %",
    "reuse_distance": "median reuse distance, messages",
    "redefinitions": "redefinitions",
    "restated": "redefinitions that restate, %",
    "token_steps": "token-steps before a last use, %",
    "rereads": "object re-reads",
    "rereads_lacking": "re-reads that lack leaves",
}


@dataclass(frozen=True)
class Measurement:
    """One domain: its figures and the two lists the product is compared with."""

    figures: Figures
    overwritten: list[Overwrite]
    replaced_arguments: list[ReplacedArgument]


def measure(conversations: Sequence[Conversation]) -> Measurement:
    """Everything there is to say of some conversations."""
    return Measurement(
        count(conversations),
        [one for conversation in conversations for one in overwritten(conversation)],
        [one for conversation in conversations for one in replaced_arguments(conversation)],
    )


def load(folder: Path) -> dict[str, list[Conversation]]:
    """The conversations of each domain, and all of them together."""
    domains = {
        domain: [conversation for path in sorted(folder.glob(pattern)) for conversation in read(path)]
        for domain, pattern in DOMAINS.items()
    }
    return domains | {"all": [conversation for part in domains.values() for conversation in part]}


def data_directory() -> Path:
    """The folder of the tau logs, which are not part of the repository."""
    default = Path(__file__).parents[2] / ".." / "shared" / "data"
    return Path(os.environ.get("STATEMEM_DATA", default)) / "tau"


def table(measurements: dict[str, Measurement]) -> str:
    """The figures, each with its target in brackets where there is one."""
    lines = [_line("", list(measurements))]
    for name, title in ROWS.items():
        cells = [_cell(domain, name, getattr(m.figures, name)) for domain, m in measurements.items()]
        lines.append(_line(title, cells))
    lines.append(_line("overwrites listed", [str(len(m.overwritten)) for m in measurements.values()]))
    lines.append(_line("arguments equal to a replaced value", [_arguments(m) for m in measurements.values()]))
    return "\n".join(lines)


def report(measurements: dict[str, Measurement]) -> dict[str, Any]:
    """The JSON form; "all" has figures only, its lists are those of the domains."""
    whole = {domain: asdict(m) | {"targets": TARGETS.get(domain, {})} for domain, m in measurements.items()}
    return whole | {"all": {name: whole["all"][name] for name in ("figures", "targets")}}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, write the JSON; 2 where the data is missing."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lowering.tau_raw", description=SUMMARY)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures and both lists to FILE")
    options = parser.parse_args(arguments)
    folder = data_directory()
    if not folder.is_dir():
        print(f"No tau logs at {folder}: set STATEMEM_DATA to the folder that holds tau/.", file=sys.stderr)
        return 2
    measurements = {domain: measure(conversations) for domain, conversations in load(folder).items()}
    print(table(measurements))
    if options.json:
        text = json.dumps(report(measurements), indent=1, ensure_ascii=False)
        options.json.write_text(text + "\n", encoding="utf-8")
    return 0


def _line(title: str, cells: list[str]) -> str:
    return f"{title:<38}" + "".join(f"{cell:>16}" for cell in cells)


def _cell(domain: str, name: str, value: float) -> str:
    target = TARGETS.get(domain, {}).get(name)
    shown = f"{value:.1f}" if isinstance(value, float) else str(value)
    return shown if target is None else f"{shown} [{target}]"


def _arguments(measurement: Measurement) -> str:
    found = measurement.replaced_arguments
    return f"{len(found)} in {len({one.conversation for one in found})} runs"


if __name__ == "__main__":
    sys.exit(main())
