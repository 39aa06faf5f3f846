"""An estimate of how many tokens a model spends on a text, by class of script.

Four letters of an alphabetic script make a token, one and a half characters of a syllabic or ideographic
one do. Tokenisers differ by some ten per cent; a caller who has the real one can pass it instead.
"""

from __future__ import annotations

from .cells import Cell
from .values import UNKNOWN, Value, dumps

LETTERS_PER_TOKEN = 4
IDEOGRAPHS_PER_TOKEN = 1.5
_FIRST_DENSE_SCRIPT = 0x2E80  # CJK radicals; Kana, Hangul and the ideographs follow


def estimate(text: str) -> int:
    """Tokens of a text, at least one for any text that is not empty.

    >>> estimate("white"), estimate(""), estimate("退款还是换货")
    (2, 0, 4)
    """
    if text.isascii():
        return -(-len(text) // LETTERS_PER_TOKEN)
    dense = sum(char >= chr(_FIRST_DENSE_SCRIPT) for char in text)
    return max(1, round((len(text) - dense) / LETTERS_PER_TOKEN + dense / IDEOGRAPHS_PER_TOKEN))


def of_entry(cell: Cell, value: Value) -> int:
    """Tokens to show one fact as `field: value`.

    >>> from .cells import Scope, name
    >>> of_entry(Cell(Scope("user", "7"), (name("color"),)), "white")
    3
    """
    field = cell.path[-1].text if cell.path else ""
    shown = value if isinstance(value, str) else "" if value is UNKNOWN else dumps(value)
    return estimate(f"{field}: {shown}")
