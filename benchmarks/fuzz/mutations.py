"""Damage to a text: small pieces lost, doubled, moved or replaced, and a few things that make it large.

Every mutation takes the text, another one and the draw, and gives the text that comes of it.
"""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from benchmarks.fuzz.corpus import CHARACTERS, TOKENS, words

Mutation = Callable[[str, str, random.Random], str]

#: No input has more characters, so that one that takes long has no excuse.
LONGEST = 90_000

_WORD = re.compile(r"\w+")
_STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
_NUMBER = re.compile(r"-?\b\d[\d.]*\b")
_TOKEN = re.compile(rf"{_STRING.pattern}|[\w-]+|[ \t]+|.", re.DOTALL)
_VALUE = re.compile(rf"{_STRING.pattern}|{_NUMBER.pattern}|\?")
_NUMBER_IN_WORD = re.compile(r"[0-9]{1,9}")
_BRACKET = re.compile(r"[][(){}]")
_FEW = 8
_MOST = 4


def mutated(text: str, other: str, draw: random.Random) -> str:
    """A text after a few mutations; half of the texts get only such after which they may read still."""
    kinds: tuple[Sequence[Mutation], ...] = (_GENTLE, _LARGE, _ROUGH)
    weights = draw.choice(((12, 1, 0), (12, 1, 9)))
    for _ in range(int(1.2 * _MOST ** draw.random())):
        mutation = draw.choice(draw.choices(kinds, weights)[0])
        text = mutation(text, other, draw)[:LONGEST]
    return text


def awkward(draw: random.Random) -> str:
    """A character, a word or a token that seldom belongs anywhere."""
    kinds: tuple[Sequence[str], ...] = (CHARACTERS, TOKENS, words())
    return draw.choice(draw.choice(kinds))


# pieces: lines, tokens or characters


def lose(text: str, _: str, draw: random.Random) -> str:
    """Without a few pieces."""
    pieces = _pieces(text, draw)
    start, end = _run(pieces, draw)
    return "".join(pieces[:start] + pieces[end:])


def double(text: str, _: str, draw: random.Random) -> str:
    """With a few pieces twice."""
    pieces = _pieces(text, draw)
    start, end = _run(pieces, draw)
    return "".join(pieces[:end] + pieces[start:])


def move(text: str, _: str, draw: random.Random) -> str:
    """With a few pieces at another place."""
    pieces = _pieces(text, draw)
    start, end = _run(pieces, draw)
    rest = pieces[:start] + pieces[end:]
    place = draw.randint(0, len(rest))
    return "".join(rest[:place] + pieces[start:end] + rest[place:])


def swap(text: str, _: str, draw: random.Random) -> str:
    """With two pieces in each other's place."""
    pieces = _pieces(text, draw)
    if pieces:
        left, right = draw.randrange(len(pieces)), draw.randrange(len(pieces))
        pieces[left], pieces[right] = pieces[right], pieces[left]
    return "".join(pieces)


def put(text: str, _: str, draw: random.Random) -> str:
    """With something awkward between two pieces."""
    pieces = _pieces(text, draw)
    pieces.insert(draw.randint(0, len(pieces)), awkward(draw))
    return "".join(pieces)


def replace(text: str, _: str, draw: random.Random) -> str:
    """With something awkward in place of a piece."""
    pieces = _pieces(text, draw)
    if pieces:
        pieces[draw.randrange(len(pieces))] = awkward(draw)
    return "".join(pieces)


# single things of the language


def unbalance(text: str, _: str, draw: random.Random) -> str:
    """With one bracket lost, doubled or turned into another."""
    return _at_one(_BRACKET, text, lambda found: draw.choice(("", found * 2, *"[](){}")), draw)


def unquote(text: str, _: str, draw: random.Random) -> str:
    """With one quotation mark lost, escaped or doubled."""
    return _at_one(re.compile('"'), text, lambda _: draw.choice(("", '\\"', '""', "'", '\\\\"')), draw)


def separate(text: str, _: str, draw: random.Random) -> str:
    """With other characters for the ends of lines or for blanks, once or everywhere."""
    usual, new = draw.choice("\n "), draw.choice(CHARACTERS)
    everywhere = draw.random() < 0.5
    return text.replace(usual, new) if everywhere else _at_one(re.compile(usual), text, lambda _: new, draw)


def revalue(text: str, _: str, draw: random.Random) -> str:
    """With another value, or none."""
    return _at_one(_VALUE, text, lambda _: draw.choice(TOKENS), draw)


def rename(text: str, _: str, draw: random.Random) -> str:
    """With one word for another of the text, once or everywhere; words of the language stay."""
    known = [word for word in _WORD.findall(text) if word not in words()] or ["-"]
    return text.replace(draw.choice(known), draw.choice(known), draw.choice((1, -1)))


def exchange(text: str, _: str, draw: random.Random) -> str:
    """With another string or number of the text for one of them."""
    pattern = draw.choice((_STRING, _NUMBER))
    known = pattern.findall(text) or ["?"]
    return _at_one(pattern, text, lambda _: draw.choice(known), draw)


def reorder(text: str, _: str, draw: random.Random) -> str:
    """With one line less, twice, or at another place."""
    lines = _lines(text)
    place = draw.randrange(len(lines))
    line = lines.pop(place)
    for _again in range(draw.choice((0, 1, 1, 2))):
        lines.insert(max(0, place + draw.randint(-_FEW, _FEW)), line)
    return "".join(lines)


def splice(text: str, other: str, draw: random.Random) -> str:
    """The beginning of one text and the end of another."""
    mine, others = _pieces(text, draw), _pieces(other, draw)
    return "".join(mine[: draw.randint(0, len(mine))] + others[draw.randint(0, len(others)) :])


# what makes a text large


def nest(text: str, _: str, draw: random.Random) -> str:
    """With a value deep in brackets, which need not be closed."""
    depth = draw.choice((10, 99, 100, 101, 1000, LONGEST))
    before, behind = draw.choice((("[", "]"), ('{"a": ', "}"), ("[*]", ""), ("(", ")")))
    behind = draw.choice((behind, behind, ""))
    return _at_one(_VALUE, text, lambda found: f"{before * depth}{found}{behind * depth}", draw)


def stretch(text: str, _: str, draw: random.Random) -> str:
    """With a piece many times over in one line."""
    pieces = _pieces(text, draw)
    start, end = _run(pieces, draw)
    piece, between = "".join(pieces[start:end]).strip("\n"), draw.choice(("", "", ", ", ".", " ", "\\", ";;"))
    return "".join(pieces[:start]) + between.join([piece] * _times(text, piece + between, draw)) + "".join(pieces[end:])


def multiply(text: str, _: str, draw: random.Random) -> str:
    """With some lines many times over, and some of their words another each time."""
    lines = _lines(text)
    start, end = _run(lines, draw)
    unit = "".join(lines[start:end])
    counted = draw.choice((_counted_on, _numbered))
    copies = counted(unit, _times(text, unit, draw), draw)
    return "".join([*lines[:start], *copies, *lines[end:]])


def crowded(text: str, draw: random.Random) -> str:
    """A text with one to three of its lines or blocks as often as there is room, all of their numbers counting on."""
    for _ in range(draw.randint(1, 3)):
        lines = _lines(text)
        start = draw.randrange(len(lines))
        end = _end_of_block(lines, start) if lines[start].strip().startswith("block") else start + 1
        unit = "".join(lines[start:end])
        times = (LONGEST - len(text)) // (len(unit) + 3 * len(_NUMBER_IN_WORD.findall(unit)) + 1)
        copies = _counted_on(unit, int(times * draw.choice((0.1, 0.5, 1))), draw)
        text = "".join([*lines[:start], *copies, *lines[end:]])
    return text


def _end_of_block(lines: list[str], start: int) -> int:
    return next((number + 1 for number in range(start, len(lines)) if lines[number].strip() == "}"), len(lines))


def _counted_on(text: str, times: int, _: random.Random) -> Iterator[str]:
    """Every number in a word counts on, so that what one copy names may be what the next one does."""
    for number in range(times):
        yield _NUMBER_IN_WORD.sub(partial(_more, number), text)


def _numbered(text: str, times: int, draw: random.Random) -> Iterator[str]:
    """One or two words of the text get a number, one may be ahead of the other."""
    known = list(dict.fromkeys(_WORD.findall(text))) or ["-"]
    first, second = draw.choice(known), draw.choice(known)
    pattern = re.compile(rf"\b(?:{re.escape(first)}|{re.escape(second)})\b")
    ahead = draw.choice((0, 1))
    for number in range(times):
        counted = {first: f"{first}{number}", second: f"{second}{number + ahead}"}
        yield pattern.sub(partial(_looked_up, counted), text)


def _more(number: int, match: re.Match[str]) -> str:
    return str(int(match[0]) + number)


def _looked_up(known: dict[str, str], match: re.Match[str]) -> str:
    return known[match[0]]


def _times(text: str, piece: str, draw: random.Random) -> int:
    """How often a piece is repeated: mostly a few times, seldom as often as there is room."""
    most = max(2, (LONGEST - len(text)) // max(1, len(piece) + 3))
    return most if draw.random() < 0.2 else int(most ** draw.random()) + 1


# inside


def _pieces(text: str, draw: random.Random) -> list[str]:
    cut: Callable[[str], list[str]] = draw.choice((_TOKEN.findall, _TOKEN.findall, _lines, list))
    return cut(text)


def _lines(text: str) -> list[str]:
    return re.split(r"(?<=\n)", text)


def _run(pieces: list[str], draw: random.Random) -> tuple[int, int]:
    start = draw.randint(0, len(pieces))
    return start, min(len(pieces), start + draw.randint(1, _FEW))


def _at_one(pattern: re.Pattern[str], text: str, made: Callable[[str], str], draw: random.Random) -> str:
    """With something else in one place where a pattern matches."""
    matches = list(pattern.finditer(text))
    if not matches:
        return text
    match = draw.choice(matches)
    return text[: match.start()] + made(match[0]) + text[match.end() :]


_ROUGH: tuple[Mutation, ...] = (
    *(lose, double, move, swap, put, replace),
    *(unbalance, unquote, separate, revalue, splice),
)
#: After these a text often reads still.
_GENTLE: tuple[Mutation, ...] = (rename, exchange, reorder)
_LARGE: tuple[Mutation, ...] = (nest, stretch, multiply, multiply)
