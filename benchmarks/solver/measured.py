"""What a measurement found: seconds of each run, and the answer by which it is compared."""

from dataclasses import dataclass, field
from statistics import median

from benchmarks.solver.expected import Expected
from benchmarks.solver.prints import Prints, differing


@dataclass(frozen=True)
class Found:
    """Seconds of each run, what kind of answer it is, fingerprints by block, and a note.

    Without seconds nothing was measured, and the reason says why.
    """

    seconds: list[float] = field(default_factory=list)
    answer: str = ""
    prints: Prints = field(default_factory=dict)
    note: str = ""
    reason: str = ""

    @property
    def median(self) -> float | None:
        """The middle one of the runs."""
        return median(self.seconds) if self.seconds else None

    def differing(self, right: Expected) -> list[int] | None:
        """The blocks whose answer is another; None where there is nothing to compare."""
        expected: Prints = getattr(right, self.answer, {})
        if not any(block in self.prints for block in expected):
            return None
        return differing(self.prints, expected)
