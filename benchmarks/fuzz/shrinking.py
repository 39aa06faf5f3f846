"""The smallest text that still does what a larger one does, found greedily."""

from collections.abc import Callable, Sequence

#: After so many trials a text is small enough.
TRIALS = 3_000


def shrunk(text: str, still: Callable[[str], bool], trials: int = TRIALS) -> str:
    """A part of a text that is `still` what the text is: without lines, then without characters it can spare."""
    budget = _Budget(still, trials)
    before = None
    while before != text and budget.left:
        before = text
        text = "".join(_spared(text.splitlines(keepends=True), budget))
        text = "".join(_spared(text, budget))
    return text


class _Budget:
    """A question that is answered a limited number of times, and with no after that."""

    def __init__(self, still: Callable[[str], bool], trials: int) -> None:
        self._still = still
        self.left = trials

    def allows(self, text: str) -> bool:
        if not self.left:
            return False
        self.left -= 1
        return self._still(text)


def _spared(pieces: Sequence[str], budget: _Budget) -> Sequence[str]:
    """The pieces that are needed: runs are left out, long ones first, then ones of half the length."""
    length = len(pieces)
    while length := length // 2 if length > 1 else 0:
        pieces = _without_runs(pieces, length, budget)
    return pieces


def _without_runs(pieces: Sequence[str], length: int, budget: _Budget) -> Sequence[str]:
    start = 0
    while start < len(pieces) and budget.left:
        rest = [*pieces[:start], *pieces[start + length :]]
        if budget.allows("".join(rest)):
            pieces = rest
        else:
            start += length
    return pieces
