"""What lowering finds in real logs against their gold, and what it misses, by cause.

    python -m benchmarks.lowering [sgd|multiwoz|star|tau|edits|branches ...] [--json FILE]

Every gold is read from the raw JSON by a reader that shares no code with the product. The table says of each thing how
often it is there, how often it was found, precision, recall, and why it was missed or found where it is not.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from benchmarks.lowering import branches, dialogues, edits, tau_overwrites
from benchmarks.lowering.slots_log import data_directory
from benchmarks.lowering.tallies import Tally, table

SUMMARY = "Measure what lowering finds in real logs against gold that is read from their raw JSON."


def sets(folder: Path) -> Mapping[str, tuple[Sequence[str], Callable[[], list[Tally]]]]:
    """What can be measured: the data each needs, and how it is measured."""
    return {
        "sgd": ((dialogues.SGD,), dialogues.of_sgd),
        "multiwoz": ((dialogues.MULTIWOZ,), dialogues.of_multiwoz),
        "star": ((dialogues.STAR,), dialogues.of_star),
        "tau": (("tau",), lambda: tau_overwrites.measure(folder)),
        "edits": (edits.FOLDERS, lambda: edits.measure(folder)),
        "branches": (branches.FOLDERS, lambda: branches.measure(folder)),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, write the JSON; 2 where data is missing."""
    folder = data_directory()
    known = sets(folder)
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lowering", description=SUMMARY)
    parser.add_argument("sets", nargs="*", metavar="NAME", help=f"one or more of {', '.join(known)}; all by default")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE")
    options = parser.parse_args(arguments)
    chosen = options.sets or list(known)
    if unknown := [name for name in chosen if name not in known]:
        parser.error(f"unknown set {unknown[0]!r}; known are {', '.join(known)}")
    missing = [name for one in chosen for name in known[one][0] if not (folder / name).exists()]
    if missing:
        print(f"No logs at {folder / missing[0]}: set STATEMEM_DATA to the folder that holds them.", file=sys.stderr)
        return 2
    tallies = {name: known[name][1]() for name in chosen}
    print("\n".join(table(one for found in tallies.values() for one in found)))
    if options.json:
        report = {name: [one.record() for one in found] for name, found in tallies.items()}
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
