"""Which values say by themselves what they are, so that a value alone may be linked far from its field.

A value is distinctive if it looks like an identifier (four or more characters, a digit among them, not a short plain
number), if it is long (sixteen or more characters), or if it is a number of five or more digits or with decimals.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable

from ...values import Value

LONG_TEXT = 16
SHORTEST_IDENTIFIER = 4
FEWEST_DIGITS = 5
_NUMERAL = re.compile(r"-?(0|[1-9]\d{0,14})(\.\d+)?\Z")
_RARE = re.compile(r"\d{4}|[A-Z]{5,}|\w[\w.]*[ -]\S.{2,}")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_IDENTIFIER = re.compile(r"[#@]?\w[\w.:/#@-]*\Z", re.ASCII)


def link_key(value: Value) -> Hashable | None:
    """What a value is looked up by: numbers by value wherever they are written, text after NFC and trimming.

    None for values that are no scalar or an empty text.

    >>> link_key("561.0") == link_key(561), link_key("0561") == link_key(561)
    (True, False)
    """
    if value is None or isinstance(value, bool):
        return (type(value).__name__, value)
    if isinstance(value, (int, float)):
        return ("number", value)
    if not isinstance(value, str):
        return None
    text = unicodedata.normalize("NFC", value).strip()
    if _NUMERAL.match(text):
        return ("number", float(text))
    return ("text", text) if text else None


def is_distinctive(value: Value) -> bool:
    """Whether the value alone is evidence enough.

    >>> [is_distinctive(value) for value in ("W2378156", "economy", 2, 561.05, "yes", "763 Broadway, Suite 9")]
    [True, False, False, True, False, True]
    """
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, (int, float)):
        return _is_telling_number(str(value))
    text = str(value).strip()
    if _NUMERAL.match(text):
        return _is_telling_number(text)
    return len(text) >= LONG_TEXT or is_identifier(text)


def is_quotable(value: Value) -> bool:
    """Whether finding a value in a reply means that the reply quotes it: it is distinctive, or rare in prose.

    Rare are several words, a hyphenated one, four digits, and five or more capitals.

    >>> [is_quotable(value) for value in ("space grey", "v-neck", "8484", "IFOYYZ", "grey", 42)]
    [True, True, True, True, False, False]
    """
    if is_distinctive(value):
        return True
    return isinstance(value, str) and _RARE.fullmatch(value.strip()) is not None


def is_proper_name(value: Value) -> bool:
    """Whether a value is an identifier that names one thing wherever it stands: letters and digits, and no date.

    >>> [is_proper_name(value) for value in ("card_12", "#W2378156", "2024-05-20", "14467", "a.b@shop.example")]
    [True, True, False, False, True]
    """
    text = value.strip() if isinstance(value, str) else ""
    letters = text[:1] in ("#", "@") or any(char.isalpha() for char in text)
    return is_identifier(text) and letters and _DATE.match(text) is None


def is_identifier(text: str) -> bool:
    """Whether a text looks like the id of something: `#W15-7`, `sofia_kim_7287`, `2024-05-20`, `a@b.example`."""
    if len(text) < SHORTEST_IDENTIFIER or not _IDENTIFIER.match(text):
        return False
    return any(char.isdigit() for char in text) or "@" in text[1:]


def _is_telling_number(text: str) -> bool:
    digits = sum(char.isdigit() for char in text)
    return digits >= FEWEST_DIGITS or (digits >= SHORTEST_IDENTIFIER - 1 and "." in text and not text.endswith(".0"))
