"""The product against the independent reference over the tau logs: the figures, and case by case.

    python -m benchmarks.lowering.tau_compare [--json FILE]

First the figures the product's programs come to (`tau_product`), beside the reference's (`tau_figures`) and the
first measurement's with its tolerance. Then every superseded entry and stale use of the product against the
reference's lists (`tau_causes`), counted by cause; nothing may stay unexplained.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.lowering.tau_causes import Case, Cause, cases
from benchmarks.lowering.tau_figures import Figures
from benchmarks.lowering.tau_figures import count as count_reference
from benchmarks.lowering.tau_log import read
from benchmarks.lowering.tau_product import Lowered, ProductFigures, count, lowered, percent
from benchmarks.lowering.tau_raw import DOMAINS, ROWS, TARGETS, data_directory

SUMMARY = "Compare what the product finds in the tau logs with independent counts over their raw JSON."
TOLERANCES = {"never_used": 3.0, "overwritten": 0.5, "reuse_distance": 1.0}
COUNTS = ("conversations", "definitions", "objects", "facts")
SHOWN_EXAMPLES, KEPT_EXAMPLES = 2, 10


@dataclass(frozen=True)
class Check:
    """One figure of one domain beside what it is compared with; `met` if it lies within the tolerance."""

    domain: str
    figure: str
    product: float
    reference: float
    measured_first: float
    tolerance: float

    @property
    def met(self) -> bool:
        """Whether the product's figure is the first measurement's, give or take the tolerance."""
        return abs(self.product - self.measured_first) <= self.tolerance


@dataclass(frozen=True)
class Comparison:
    """One domain."""

    domain: str
    product: ProductFigures
    reference: Figures
    cases: list[Case]

    @property
    def checks(self) -> list[Check]:
        """The figures that the first measurement has; none for a domain it did not see."""
        targets = TARGETS.get(self.domain, {})
        rows = ((name, tolerance) for name, tolerance in TOLERANCES.items() if name in targets)
        return [
            Check(self.domain, name, *_both(self, name), measured_first=targets[name], tolerance=tolerance)
            for name, tolerance in rows
        ]

    @property
    def agreed(self) -> float:
        """The share of the product's facts that lost a value both list, whatever the fact is called."""
        both = {(one.conversation, one.entity, one.path) for one in self.cases if one.cause.value.startswith("in both")}
        return percent(len(both), self.product.facts)

    def by_cause(self) -> dict[Cause, list[Case]]:
        """The cases of each cause, in the order of the causes."""
        found: dict[Cause, list[Case]] = defaultdict(list)
        for case in self.cases:
            found[case.cause].append(case)
        return {cause: found[cause] for cause in Cause if cause in found or cause is Cause.UNEXPLAINED}


def compare(domain: str, pairs: Sequence[Lowered]) -> Comparison:
    """Everything about the conversations of one domain."""
    found = [case for one in pairs for case in cases(one)]
    return Comparison(domain, count(pairs), count_reference(one.raw for one in pairs), found)


def load(folder: Path) -> dict[str, list[Lowered]]:
    """The conversations of each domain, as read and as lowered."""
    return {
        domain: [one for path in sorted(folder.glob(pattern)) for one in lowered(path, read(path))]
        for domain, pattern in DOMAINS.items()
    }


def table(comparison: Comparison) -> str:
    """One domain in lines: figures, then causes with examples."""
    head = f"{comparison.domain:<40}{'product':>10}{'reference':>11}{'first':>8}{'within':>8}"
    counts = [_line(ROWS[name], *_both(comparison, name)) for name in COUNTS]
    checks = [_checked(check) for check in comparison.checks] or [_unchecked(comparison, name) for name in TOLERANCES]
    agreed = f"{'facts whose loss both list, %':<40}{comparison.agreed:>10.1f}"
    causes = [line for cause, found in comparison.by_cause().items() for line in _cause(cause, found)]
    return "\n".join([head, *counts, *checks, agreed, "", *causes])


def report(comparisons: Iterable[Comparison]) -> dict[str, Any]:
    """The JSON form: of each cause the count and the first cases, of what is unexplained all."""
    return {one.domain: _record(one) for one in comparisons}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables, write the JSON; 2 where the data is missing."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lowering.tau_compare", description=SUMMARY)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures and the cases to FILE")
    options = parser.parse_args(arguments)
    folder = data_directory()
    if not folder.is_dir():
        print(f"No tau logs at {folder}: set STATEMEM_DATA to the folder that holds tau/.", file=sys.stderr)
        return 2
    comparisons = [compare(domain, pairs) for domain, pairs in load(folder).items()]
    print("\n\n".join(map(table, comparisons)))
    if options.json:
        text = json.dumps(report(comparisons), indent=1, ensure_ascii=False)
        options.json.write_text(text + "\n", encoding="utf-8")
    return 0


def _both(comparison: Comparison, name: str) -> tuple[float, float]:
    return getattr(comparison.product, name), getattr(comparison.reference, name)


def _line(title: str, product: float, reference: float) -> str:
    return f"{title:<40}{_number(product):>10}{_number(reference):>11}"


def _checked(check: Check) -> str:
    within = f"±{check.tolerance:g}"
    line = _line(ROWS[check.figure], check.product, check.reference)
    return f"{line}{check.measured_first:>8g}{within:>8}  {'met' if check.met else 'NOT MET'}"


def _unchecked(comparison: Comparison, name: str) -> str:
    return _line(ROWS[name], *_both(comparison, name))


def _number(value: float) -> str:
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def _cause(cause: Cause, found: list[Case]) -> list[str]:
    """A cause with its count and some cases; what is unexplained is shown in full."""
    shown = found if cause is Cause.UNEXPLAINED else found[:SHOWN_EXAMPLES]
    return [f"{len(found):>5}  {cause.value}", *(f"         {_case(one)}" for one in shown)]


def _case(case: Case) -> str:
    where = f"{case.conversation} ({case.position}), message {case.message}"
    return f"{where}: {case.entity} {case.path} {case.value!r}"


def _record(comparison: Comparison) -> dict[str, Any]:
    causes = [
        {
            "cause": cause.name.lower(),
            "meaning": cause.value,
            "count": len(found),
            "cases": [_plain(one) for one in (found if cause is Cause.UNEXPLAINED else found[:KEPT_EXAMPLES])],
        }
        for cause, found in comparison.by_cause().items()
    ]
    return {
        "product": asdict(comparison.product),
        "reference": asdict(comparison.reference),
        "checks": [asdict(check) | {"met": check.met} for check in comparison.checks],
        "agreed": comparison.agreed,
        "causes": causes,
    }


def _plain(case: Case) -> dict[str, Any]:
    return {name: value for name, value in asdict(case).items() if name != "cause"}


if __name__ == "__main__":
    sys.exit(main())
