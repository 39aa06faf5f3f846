"""Count how tau conversations use what they learn: the figures, over the facts of `tau_facts`.

Definitions are the scalar leaves of results and the values recognised in user text. An *identifier* (an id,
an e-mail address, a date) is one object wherever it occurs; any other value is one per entity, field and
value. A use is an argument equal to a known value, or a distinctive value quoted in a reply: an identifier,
or at least four characters that are not all letters. It credits every earlier definition of its value.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from statistics import median

from benchmarks.lowering.tau_facts import Entity, Fact, objects, replay, restates
from benchmarks.lowering.tau_log import Conversation, Message, canonical, leaves

IDENTIFIER = re.compile(
    r"#W\d+|\d{7,}|[a-z]+(_[a-z]+)*_\d{4,}|[A-Z0-9]{6}"  # order, item, user or payment, reservation or flight
    r"|[^@\s]+@[^@\s]+|\d{4}-\d{2}-\d{2}"
)
USER_VALUE = re.compile(
    r"(?P<id>#W\d+|\b\d{7,}\b|\b[a-z]+(?:_[a-z]+)*_\d{4,}\b|\b(?=[A-Z]*\d)[A-Z0-9]{6}\b|[\w.]+@[\w.]+\w)"
    r"|(?P<date>\b\d{4}-\d{2}-\d{2}\b|\b(?:January|February|March|April|May|June|July|August|September|October"
    r"|November|December) \d{1,2})"
    r"|(?P<amount>\$ ?\d[\d,]*(?:\.\d+)?)"
    r"|(?P<number>\b\d+(?:\.\d+)?\b)"
    r"|(?P<airport>\b[A-Z]{3}\b)"
    r"|(?P<name>\b[A-Z][a-z]+\b)"
)
USER = Entity("user text", "")

ObjectKey = str | tuple[Fact, str]


@dataclass(frozen=True)
class Figures:
    """What a set of conversations comes to; shares are in percent."""

    conversations: int
    definitions: int
    objects: int
    never_used: float
    facts: int
    overwritten: float
    reuse_distance: float
    redefinitions: int
    restated: float
    token_steps: float
    rereads: int
    rereads_lacking: int
    lacking_by_tool: dict[str, int]


@dataclass
class Held:
    """An object in memory: what it costs, the assistant steps of its definition and of its last use."""

    tokens: float
    defined: int
    last_use: int | None = None


@dataclass
class Memory:
    """The objects of one conversation, counted in assistant steps; distances in messages."""

    step: int = 0
    definitions: int = 0
    held: dict[ObjectKey, Held] = field(default_factory=dict)
    of_value: dict[str, list[Held]] = field(default_factory=lambda: defaultdict(list))
    last_seen: dict[str, int] = field(default_factory=dict)
    distances: list[int] = field(default_factory=list)

    def define(self, fact: Fact, value: str, index: int) -> None:
        """Take in a definition; a value met before under the same key is the same object."""
        self.definitions += 1
        self.last_seen[value] = index
        key: ObjectKey = value if IDENTIFIER.fullmatch(value) else (fact, value)
        if key in self.held:
            return
        name = fact.path.rpartition(".")[2]
        self.held[key] = Held((len(name) + 2 + len(value)) / 4, self.step)
        self.of_value[value].append(self.held[key])

    def use(self, value: str, index: int) -> None:
        """Credit every object of the value; the distance is from the value's previous appearance."""
        self.distances.append(index - self.last_seen[value])
        self.last_seen[value] = index
        for held in self.of_value[value]:
            held.last_use = self.step

    def steps_used(self) -> float:
        """Tokens times steps, from each object's definition to its last use."""
        used = ((one, one.last_use) for one in self.held.values() if one.last_use is not None)
        return sum(one.tokens * (last_use - one.defined) for one, last_use in used)

    def steps_carried(self) -> float:
        """Tokens times steps, from each object's definition to the end of the conversation."""
        return sum(one.tokens * (self.step - one.defined) for one in self.held.values())


@dataclass(frozen=True)
class Redefinitions:
    """What later results of a conversation did to facts and objects already known."""

    facts: int
    overwritten: int
    redefined: int
    restated: int
    rereads: int
    lacking: Counter[str]


def count(conversations: Iterable[Conversation]) -> Figures:
    """The figures of some conversations together."""
    pairs = [(remember(conversation), redefine(conversation)) for conversation in conversations]
    memories, changes = [memory for memory, _ in pairs], [change for _, change in pairs]
    held = [one for memory in memories for one in memory.held.values()]
    facts, redefined = sum(change.facts for change in changes), sum(change.redefined for change in changes)
    lacking = sum((change.lacking for change in changes), Counter[str]())
    return Figures(
        conversations=len(pairs),
        definitions=sum(memory.definitions for memory in memories),
        objects=len(held),
        never_used=_percent(sum(one.last_use is None for one in held), len(held)),
        facts=facts,
        overwritten=_percent(sum(change.overwritten for change in changes), facts),
        reuse_distance=median(distance for memory in memories for distance in memory.distances),
        redefinitions=redefined,
        restated=_percent(sum(change.restated for change in changes), redefined),
        token_steps=_percent(sum(m.steps_used() for m in memories), sum(m.steps_carried() for m in memories)),
        rereads=sum(change.rereads for change in changes),
        rereads_lacking=lacking.total(),
        lacking_by_tool=dict(lacking),
    )


def remember(conversation: Conversation) -> Memory:
    """Replay one conversation's definitions and uses."""
    memory = Memory()
    for message in conversation.messages:
        for value in _uses(message, memory.last_seen):
            memory.use(value, message.index)
        memory.step += message.role == "assistant"
        for fact, value in _definitions(message):
            memory.define(fact, value, message.index)
    return memory


def redefine(conversation: Conversation) -> Redefinitions:
    """Compare each object in a result with the object as it was; to search a flight again is no re-read."""
    results = list(replay(conversation))
    fields = [
        (Fact(found.entity, path), before.get(path), now)
        for _, _, found, before in results
        for path, now in found.fields.items()
    ]
    again = [(fact, restates(before, now)) for fact, before, now in fields if before is not None]
    rereads = [
        (call.tool, before.keys() <= found.fields.keys())
        for _, call, found, before in results
        if before and found.named and found.entity.kind != "flight"
    ]
    return Redefinitions(
        facts=len({fact for fact, _, _ in fields}),
        overwritten=len({fact for fact, kept in again if not kept}),
        redefined=len(again),
        restated=sum(kept for _, kept in again),
        rereads=len(rereads),
        lacking=Counter(tool for tool, whole in rereads if not whole),
    )


def _definitions(message: Message) -> Iterator[tuple[Fact, str]]:
    """The facts a message brings; an empty value is none."""
    if message.role == "user":
        for match in USER_VALUE.finditer(message.text):
            yield Fact(USER, match.lastgroup or ""), canonical(match.group().lstrip("$ ").replace(",", ""))
    for found in objects(message):
        for path, values in found.fields.items():
            yield from ((Fact(found.entity, path), value) for value in values if value)


def _uses(message: Message, known: Collection[str]) -> set[str]:
    """The known values an assistant message passes to a tool or quotes."""
    if message.role != "assistant":
        return set()
    arguments = {value for call in message.calls for _, value in leaves(call.arguments)}
    return arguments.intersection(known) | {value for value in known if _quoted(value, message.text)}


def _quoted(value: str, text: str) -> bool:
    """Whether a reply holds a distinctive value as a word of its own."""
    if value not in text or not _distinctive(value):
        return False
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None


def _distinctive(value: str) -> bool:
    return IDENTIFIER.fullmatch(value) is not None or (len(value) >= 4 and not value.isalpha())


def _percent(part: float, whole: float) -> float:
    return 100 * part / whole if whole else 0.0
