"""Names of tools: whether one changes something, and what kind of entity it speaks of."""

from __future__ import annotations

from ...identity import ID_WORDS, words

#: First words of tools that change what they speak of.
WRITING_VERBS = frozenset(
    """
    add apply approve assign book cancel change close confirm create decline delete disable edit enable exchange grant
    insert modify move open order pay place post put rebook refund register reject remove rename replace reschedule
    reset return revoke schedule send set submit switch toggle transfer update upsert write
    """.split()  # noqa: SIM905  a list of words reads better without its quotes
)


def is_writing(tool: str) -> bool:
    """Whether a tool's name says that it changes something."""
    return next(iter(words(tool)), "") in WRITING_VERBS


def kind_of(field: str, tool: str) -> str:
    """The kind of entity an id field names; a bare `id` names what the tool is about.

    >>> kind_of("order_id", "x"), kind_of("flightNumber", "x"), kind_of("id", "get_customer_details")
    ('order', 'flight', 'customer')
    """
    kind = [word for word in words(field) if word not in ID_WORDS]
    return "_".join(kind) or _subject(tool)


def _subject(tool: str) -> str:
    """The noun of a tool's name: its first word after the verb."""
    found = words(tool)
    return found[1] if len(found) > 1 else (found[0] if found else "entity")
