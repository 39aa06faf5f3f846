"""Which values say by themselves what they are, so that a value alone may be linked far from its field.

A value is distinctive if it looks like an identifier (four or more characters, a digit among them, neither a short
plain number nor a measure), if it is long (sixteen or more characters, a Chinese one counting twice), or if it is a
number of five or more digits or with decimals.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable

from ...values import Value

LONG_TEXT = 16
SHORTEST_IDENTIFIER = 4
FEWEST_DIGITS = 5
#: So many Chinese characters are about two words: texts of two often stand by chance in what others write, of four not.
_FEWEST_HAN = 4
HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_NUMERAL = re.compile(r"-?(0|[1-9]\d{0,14})(\.\d+)?\Z")
_RARE = re.compile(r"\d{4}|[A-Z]{5,}|\w[\w.]*[ -]\S.{2,}")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_IDENTIFIER = re.compile(r"[#@]?\w[\w.:/#@-]*\Z", re.ASCII)
_UNITS = (
    "st|nd|rd|th|am|pm|hrs?|hours?|mins?|secs?|days?|weeks?|months?|years?|mm|cm|km|in|inch(?:es)?|ft|yd|mi|miles?"
    "|mg|kg|lbs?|oz|ml|cl|[kmgt]b|[kmg]?hz|[km]?wh?|mah|px|[dp]pi|fps|pcs?|stars?|people|persons?"
)
#: An ordinal or a number with its unit, a number joined to words, sides of something, a time of day, a short range.
_MEASURE = re.compile(
    rf"\d+(?:[.,]\d+)?(?:(?i:{_UNITS})|[mglhsxpk])\Z|\d{{1,4}}(?:st|nd|rd|th)?(?:-[A-Za-z][a-z]+)+\Z"
    r"|\d+(?:x\d+)+\Z|\d{1,2}(?::\d\d){1,2}(?i:am|pm)?\Z|\d{1,2}-\d{1,2}\Z",
    re.ASCII,
)


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
    return len(text) >= LONG_TEXT or len(text) + han(text) >= LONG_TEXT or is_identifier(text)


def is_quotable(value: Value) -> bool:
    """Whether finding a value in a reply means that the reply quotes it: it is distinctive, or rare in prose.

    Rare are several words, a hyphenated one, four digits, five or more capitals, and measures of four signs or more.
    Chinese is written without blanks, so there four characters are taken for several words.

    >>> [is_quotable(value) for value in ("space grey", "v-neck", "8484", "IFOYYZ", "10am", "grey", 42)]
    [True, True, True, True, True, False, False]
    >>> [is_quotable(value) for value in ("等待补货", "已取消", "北京")]
    [True, False, False]
    """
    if is_distinctive(value):
        return True
    text = value.strip() if isinstance(value, str) else ""
    return _RARE.fullmatch(text) is not None or _is_sign(text) or han(text) >= _FEWEST_HAN


def han(text: str) -> int:
    """How many characters of a text are Chinese, in Japanese and Korean too.

    >>> han("在三号库等待补货"), han("東京タワー"), han("depot 3")
    (8, 2, 0)
    """
    return 0 if text.isascii() else len(HAN.findall(text))


def is_proper_name(value: Value) -> bool:
    """Whether a value is an identifier that names one thing wherever it stands: letters and digits, and no date.

    >>> [is_proper_name(value) for value in ("card_12", "#W2378156", "2024-05-20", "14467", "a.b@shop.example")]
    [True, True, False, False, True]
    """
    text = value.strip() if isinstance(value, str) else ""
    letters = text[:1] in ("#", "@") or any(char.isalpha() for char in text)
    return is_identifier(text) and letters and _DATE.match(text) is None


def is_identifier(text: str) -> bool:
    """Whether a text looks like the id of something: `#W15-7`, `sofia_kim_7287`, `2024-05-20`, `a@b.example`.

    What counts or measures is none, for it may well stand twice for two things.

    >>> [text for text in ("W15-7", "10th", "10:30am", "28-inch", "256GB", "19x10", "2nd-floor") if is_identifier(text)]
    ['W15-7']
    """
    return _is_sign(text) and _MEASURE.match(text) is None


def _is_sign(text: str) -> bool:
    """Whether a text of four signs or more is one word with a digit or an address."""
    if len(text) < SHORTEST_IDENTIFIER or not _IDENTIFIER.match(text):
        return False
    return any(char.isdigit() for char in text) or "@" in text[1:]


def _is_telling_number(text: str) -> bool:
    digits = sum(char.isdigit() for char in text)
    return digits >= FEWEST_DIGITS or (digits >= SHORTEST_IDENTIFIER - 1 and "." in text and not text.endswith(".0"))
