"""Why statemem missed an answer in the chat form: what of the story did not come out of the messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from statemem.ir import Bind, Delete, Enter, Instruction, Leave, Same
from statemem.passes.chains import slice_forward

from .dialogue import Dialogue, Entry, Question
from .forms import chat
from .scoring import Judged, Result
from .speaking import entries_of, with_premises
from .systems.statemem import Labels, report_on

#: The systems that read chats, with whether they are told what is to be known of tools.
SYSTEMS = {"statemem/chat": False, "statemem/chat+domain": True}
NOT_EXPLAINED = "not explained"

#: What people say in sentences alone, by the instruction that it is.
_PROSE: Mapping[type[Instruction], str] = {
    Same: "a second name",
    Bind: "what a word means",
    Enter: "which task is at hand",
    Leave: "which task is put aside or ended",
    Delete: "a withdrawal",
}
#: Kinds of questions that are about what rests on what.
LINKED = ("rests_on", "trusted", "Revalidate")
#: What was not found although all entries were, and their links, by the kinds of questions that need it.
_NOT_FOUND = {
    **dict.fromkeys(LINKED, "all links to premises were found, not that the ground was lost"),
    "Supersede": "both entries were found, not what relates them",
    "Merge": "both entries were found, not what relates them",
    "FlagConflict": "both entries were found, not what relates them",
    "FlagStaleUse": "the use of the entry was not found",
    "spent": "the use of the entry was not found",
    "unread": "it was found to be used, or to be replaced",
    "Ask": "all entries were found, not what is to be asked",
    "Quarantine": "the way from the untrusted source was not found",
    "Confirm": "the change was not found to be of a guarded value",
    "FlagRepeat": "the effect was not found to be one done before",
}


class Causes:
    """Why answers of one system on one dialogue were missed; nothing for systems that read anything but chats."""

    def __init__(self, result: Result) -> None:
        self._dialogue = result.dialogue
        self._system = result.system
        self._found: dict[int, _Found] = {}

    def of(self, judged: Judged) -> Mapping[str, str]:
        """Why each answer to a question was missed."""
        if self._system not in SYSTEMS or not judged.missed:
            return {}
        question = judged.question
        at = question.turn
        if at not in self._found:
            self._found[at] = _Found(self._dialogue.upto(at), knows=SYSTEMS[self._system])
        return {text: _cause(text, question, self._dialogue, self._found[at]) for text in sorted(judged.missed)}


class _Found:
    """What came out of a chat: which of the generator's entries, and which of them rest on which."""

    def __init__(self, dialogue: Dialogue, *, knows: bool) -> None:
        labels = Labels(dialogue, "chat")
        self._report = report_on(dialogue, "chat", knows=knows)
        self._own = {one.entry.id: own for one in self._report.entries if (own := labels.entry(one)) is not None}
        self._standings = {self._own[one.entry.id]: one for one in self._report.entries if one.entry.id in self._own}

    def __contains__(self, entry: Entry) -> bool:
        return entry.id in self._standings

    def is_linked(self, entry: Entry, premise: Entry) -> bool:
        """Whether one was found to rest on the other."""
        above = slice_forward(self._report.manager, self._standings[premise.id].entry)
        return entry.id in {self._own.get(one.id) for one in above}


def _cause(text: str, question: Question, dialogue: Dialogue, found: _Found) -> str:
    entries = entries_of(text, question, dialogue)
    ground = with_premises(entries, dialogue)
    lost = next((one for one in ground if one not in found), None)
    if lost is not None:
        return f"never became an entry: {chat.surface(lost)}"
    prose = _said_in_prose(text, ground, question, dialogue)
    if prose is not None:
        return f"is said in prose alone: {prose}"
    if question.kind in LINKED and not all(found.is_linked(*link) for link in _links(ground, dialogue)):
        return "the link to a premise was not found"
    return _NOT_FOUND.get(question.kind, NOT_EXPLAINED)


def _links(ground: Iterable[Entry], dialogue: Dialogue) -> Iterator[tuple[Entry, Entry]]:
    return ((one, dialogue.entries[premise]) for one in ground for premise in one.premises)


def _said_in_prose(text: str, entries: Iterable[Entry], question: Question, dialogue: Dialogue) -> str | None:
    """What of the stories that an answer belongs to chats have in sentences alone."""
    stories = {one.plant.story for one in entries} | {one.story for one in dialogue.plants_in(text)}
    if question.plant is not None:
        stories.add(question.plant.story)
    said = {type(one) for turn in dialogue.turns if turn.story in stories for one in turn.instructions}
    return next((name for kind, name in _PROSE.items() if kind in said), None)
