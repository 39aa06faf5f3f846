"""Laying text out: columns that respect wide characters, narrow terminals and encodings without them."""

from __future__ import annotations

from rich.cells import cell_len

_ASCII = str.maketrans({"·": "-", "→": ">", "…": ".", "×": "x", "–": "-", "≥": ">", "•": "*"})


def pad(text: str, width: int) -> str:
    """A text filled up with blanks to a width in columns.

    >>> pad("退款", 6) + "|"
    '退款  |'
    """
    return text + " " * max(0, width - cell_len(text))


def cut(text: str, width: int) -> str:
    """A text cut to a width in columns, the cut marked.

    >>> cut("refund or exchange", 8), cut("退款还是换货", 8)
    ('refund …', '退款还…')
    """
    if cell_len(text) <= width:
        return text
    kept = ""
    for char in text:
        if cell_len(kept + char) > width - 1:
            break
        kept += char
    return kept + "…"


def cut_front(text: str, width: int) -> str:
    """A text cut at its beginning, where its end tells more.

    >>> cut_front("reservation/4WQ150/cabin", 12)
    '…WQ150/cabin'
    """
    return text if cell_len(text) <= width else cut(text[::-1], width)[::-1]


def told_apart(one: str, other: str, width: int) -> tuple[str, str]:
    """Two texts cut to a width; where they begin alike beyond that, from the word in which they differ.

    >>> told_apart("The earbuds are black.", "The earbuds are white.", 12)
    ('…black.', '…white.')
    """
    short = cut(one, width), cut(other, width)
    if one == other or short[0] != short[1]:
        return short
    alike = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    start = one.rfind(" ", 0, alike) + 1
    return cut(f"…{one[start:]}", width), cut(f"…{other[start:]}", width)


def wrapped(text: str, width: int) -> list[str]:
    """A text on as many lines as it takes, broken between words, later lines set in.

    >>> wrapped("the old card was used again", 14)
    ['the old card', '  was used', '  again']
    """
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1].strip() else lines[-1] + word
        if lines[-1].strip() and cell_len(longer) > width:
            lines.append(f"  {word}")
        else:
            lines[-1] = longer
    return lines


def plain(text: str, encoding: str) -> str:
    """A text that an encoding can carry: typographic signs replaced, everything else it lacks escaped."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_ASCII).encode(encoding, "backslashreplace").decode(encoding)
    return text


def count(number: float) -> str:
    """A number as people read it: thousands from ten thousand on.

    >>> count(467), count(12345), count(2500000)
    ('467', '12.3k', '2.5M')
    """
    if number < 10_000:
        return f"{number:,.0f}".replace(",", " ")
    if number < 1_000_000:
        return f"{number / 1000:.1f}k"
    if number < 1_000_000_000:
        return f"{number / 1_000_000:.1f}M"
    return f"{number:.1e}"


def plural(number: int, noun: str) -> str:
    """A number with its noun.

    >>> plural(1, "entry"), plural(3, "entry"), plural(2, "message")
    ('1 entry', '3 entries', '2 messages')
    """
    if number == 1:
        return f"1 {noun}"
    return f"{count(number)} {noun[:-1]}ies" if noun.endswith("y") else f"{count(number)} {noun}s"
