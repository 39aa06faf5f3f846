"""Data that tools print as text: JSON behind a sentence, Python literals, tables, lines of fields, and pages of HTML.

A text is taken for data only where nothing else is in it and where a field says by its name that it is an id, so that
prose with a comma or a colon in it stays prose.
"""

from __future__ import annotations

import csv
import html
import json
import re
from typing import Any

from ...identity import ID_WORDS, is_id_name, words
from ..reading.json_text import JSONError, decode
from ..reading.literals import decoded_arguments

_LONGEST = 1_000_000
_LONGEST_SENTENCE = 200
_FENCE = re.compile(r"```(?:json|JSON)?[ \t]*\n(.*?)\n[ \t]*```", re.DOTALL)
_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_FIELD = re.compile(r"[-*•]?[ \t]*\**([^\W\d_][\w -]{0,40}?)\**[ \t]*:\**[ \t]+(\S.*)")
_NUMERAL = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?\Z")
#: Fields with such a word in their names hold digits that do not count anything.
_SIGNS = ID_WORDS | frozenset("account card fax iban mobile phone postal telephone zip".split())  # noqa: SIM905
_HTML = re.compile(r"\s*(?:<!doctype html|<html[\s>])", re.IGNORECASE)
_TAG = re.compile(r"/?[A-Za-z][A-Za-z0-9]*")
_MARKS_OF_A_FENCE = 2
_FEWEST_FIELDS = 2
_FEWEST_LINES = 2


def data_in(text: str) -> Any:
    """The data that a text is, or the text itself.

    >>> data_in("Here it is:\\n{\\"order_id\\": \\"W15\\"}"), data_in("order_id,total\\nW15,89.5\\nW16,12")
    ({'order_id': 'W15'}, [{'order_id': 'W15', 'total': 89.5}, {'order_id': 'W16', 'total': 12}])
    >>> data_in("Order ID: W15\\nStatus: sent"), data_in("Sent: Monday")
    ({'order_id': 'W15', 'status': 'sent'}, 'Sent: Monday')
    """
    if len(text) > _LONGEST:
        return text
    if _HTML.match(text):
        return page_text(text)
    for read in (_structure, _behind_a_sentence, _table, _fields):
        found = read(text)
        if found is not None:
            return found
    return text


def page_text(page: str) -> str:
    """What a page of HTML says, without marks, scripts and styles.

    >>> page_text("<html><style>p {}</style><p>Tea &amp; <b>cake</b></p></html>")
    'Tea & cake'
    """
    first, *pieces = page.split("<")
    said, skipped = [first], ""
    for piece in pieces:
        tag, _, rest = piece.partition(">")
        name = _TAG.match(tag)
        mark = name[0].casefold() if name else ""
        if not skipped:
            said.append(rest)
            skipped = mark if mark in ("script", "style") else ""
            if skipped:
                said.pop()
        elif mark == f"/{skipped}":
            said.append(rest)
            skipped = ""
    return " ".join(html.unescape(" ".join(said)).split())


def _structure(text: str) -> Any:
    """An object or a list as JSON, or as Python writes it."""
    if text[:1] not in ("{", "["):
        return None
    try:
        return decode(text)
    except JSONError:
        found = decoded_arguments(f'{{"value": {text}\n}}')
    return _held(found["value"]) if isinstance(found, dict) and len(found) == 1 else None


def _held(value: Any) -> Any:
    """A value that Python wrote, as JSON can hold it; None where it cannot."""
    try:
        return decode(json.dumps(value))
    except (JSONError, RecursionError):
        return None


def _behind_a_sentence(text: str) -> Any:
    """The one fence of JSON, or the JSON to the end, of a text that has only a sentence besides."""
    fence = _FENCE.search(text) if text.count("```") == _MARKS_OF_A_FENCE else None
    if fence is not None:
        around, inner = text[: fence.start()] + text[fence.end() :], fence[1].strip()
    else:
        around, _, rest = text.partition("\n")
        inner = rest.strip()
    if "```" in around or len(around) > _LONGEST_SENTENCE or len(around.split("\n\n")) > _FEWEST_LINES:
        return None
    found = _structure(inner)
    return found if isinstance(found, (dict, list)) and found else None


def _table(text: str) -> list[dict[str, Any]] | None:
    """A table with a header, by Markdown, commas or tabs, of which a column is an id."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < _FEWEST_LINES:
        return None
    if _RULE.fullmatch(lines[1]) and "|" in lines[1]:
        rows = [_cells(line) for line in (lines[0], *lines[2:])]
    else:
        rows = _separated(lines, "\t" if "\t" in lines[0] else ",")
    return _objects(rows) if rows and _is_table(rows) else None


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


def _separated(lines: list[str], mark: str) -> list[list[str]]:
    try:
        return [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=mark, strict=True)]
    except csv.Error:
        return []


def _is_table(rows: list[list[str]]) -> bool:
    """Whether all rows are as wide as the header, whose names are names, one that of an id which no two rows share."""
    header = rows[0]
    if len(header) < _FEWEST_FIELDS or len(rows) < _FEWEST_LINES or any(len(row) != len(header) for row in rows):
        return False
    names = [_name(cell) for cell in header]
    if len(set(names)) < len(names) or not all(names):
        return False
    own = next((at for at, name in enumerate(names) if is_id_name(name)), None)
    if own is None:
        return False
    ids = [row[own] for row in rows[1:]]
    return all(ids) and len(set(ids)) == len(ids)


def _objects(rows: list[list[str]]) -> list[dict[str, Any]]:
    """The rows as objects; an empty cell tells nothing."""
    names = [_name(cell) for cell in rows[0]]
    return [{name: _value(name, cell) for name, cell in zip(names, row, strict=True) if cell} for row in rows[1:]]


def _fields(text: str) -> dict[str, Any] | None:
    """Lines that are all a field and its value, one of them an id."""
    fields: dict[str, str] = {}
    for line in text.splitlines():
        field = _FIELD.fullmatch(line.strip())
        if line.strip() and (field is None or _name(field[1]) in fields):
            return None
        if field is not None:
            fields[_name(field[1])] = field[2].strip()
    if len(fields) < _FEWEST_FIELDS or not any(map(is_id_name, fields)):
        return None
    return {name: _value(name, value) for name, value in fields.items()}


def _name(title: str) -> str:
    """A title as the name of a field: `Order ID` is `order_id`; one that is a name already stays."""
    text = title.strip().strip("*`")
    return text if re.fullmatch(r"[^\W\d]\w*", text) and not text[0].isupper() else "_".join(words(text))


def _value(name: str, text: str) -> Any:
    """A number where the text is one and its field does not hold signs that merely are digits."""
    is_sign = bool(_SIGNS.intersection(words(name)))
    return json.loads(text) if _NUMERAL.match(text) and not is_sign else text
