"""Forks of conversations that are trees: where the raw JSON has several messages after one, against the programs.

A fork is right where a block branches at the same message into as many ways. Real coding sessions that we have were
never taken back, though their lines of progress look like it; so forks are planted in copies of them as well.
"""

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.lowering.tallies import Tally
from statemem import lower_all
from statemem.ir import Program
from statemem.ir.blocks import Block
from statemem.ir.terminators import Branch

Record = dict[str, Any]
Forks = dict[str, int]
"""The messages after which a conversation goes on in several ways, and in how many."""

FOLDERS = ("oasst_trees", "toolbench", "formats", "claude_code")
SPOKEN = ("user", "assistant", "system")
PLANTED = 12


def measure(folder: Path) -> list[Tally]:
    """A tally for each kind of tree."""
    replies, searches = Tally("forks of trees of replies (oasst)"), Tally("forks of searches (toolbench)")
    exports, sessions = Tally("forks of chat exports"), Tally("forks of coding sessions")
    planted = Tally("forks planted in coding sessions")
    for path in sorted((folder / "oasst_trees").glob("*.gz")):
        for tree in _lines(path):
            _compare(replies, _replies(tree["prompt"]), tree, lambda block: block.origin.event or "")
    for path in sorted((folder / "toolbench").glob("*.gz")):
        _compare(searches, _searched(_whole(path)["tree"]["tree"]), path, lambda block: block.name)
    for path in sorted((folder / "formats").glob("chatgpt_export*")):
        content = json.loads(path.read_text(encoding="utf-8"))
        _compare(exports, _exported(content), path, lambda block: block.origin.event or "")
    for path in sorted((folder / "claude_code").glob("*.jsonl.gz")):
        lines = _lines(path)
        _compare(sessions, _session(lines), path, _line_of)
        copied = _with_forks(lines)
        if len(copied) > len(lines):
            _compare(planted, _session(copied), copied, _record_of)
    return [replies, searches, exports, sessions, planted]


def _compare(tally: Tally, gold: Forks, source: Any, place: Callable[[Block], str]) -> None:
    found = branches(lower_all(source), place)
    tally.items += 1
    for at in gold.keys() | found.keys():
        right = gold.get(at) == found.get(at)
        missed = "another number of ways" if at in found else "no branch there"
        surplus = "another number of ways" if at in gold else "no fork there"
        tally.judge(at in gold, at in found, right, missed=missed, surplus=surplus)


def branches(programs: Iterator[Program], place: Callable[[Block], str]) -> Forks:
    """The blocks that branch, by where they stand in the log."""
    blocks = [block for program in programs for block in program.blocks]
    return {place(one): len(one.terminator.arms) for one in blocks if isinstance(one.terminator, Branch)}


def _line_of(block: Block) -> str:
    return str(block.origin.line)


def _record_of(block: Block) -> str:
    return str(block.origin.record)


def _whole(path: Path) -> Any:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return json.load(stream)


def _lines(path: Path) -> list[Any]:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return [_value(line) for line in stream if line.strip()]


def _value(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


# the raw trees


def _replies(prompt: Record) -> Forks:
    found: Forks = {}
    work = [prompt]
    while work:
        message = work.pop()
        replies = message.get("replies") or []
        work += replies
        if len(replies) > 1:
            found[message["message_id"]] = len(replies)
    return found


def _searched(root: Record) -> Forks:
    """Nodes are numbered as they were tried; what was observed is a block behind that of its node."""
    found: Forks = {}
    work, number = [root], 0
    while work:
        node = work.pop()
        number += 1 + (node is not root and node["node_type"] == "Action Input" and node.get("observation") != "")
        if len(node["children"]) > 1:
            found[f"m{number}"] = len(node["children"])
        work += reversed(node["children"])
    return found


def _exported(content: Any) -> Forks:
    conversations = content if isinstance(content, list) else [content]
    nodes = [node for one in conversations for node in one["mapping"].values() if node.get("message")]
    return {node["message"]["id"]: len(node["children"]) for node in nodes if len(node["children"]) > 1}


def _session(lines: list[Any]) -> Forks:
    """Lines of one message, and results of the calls of one, are one message that follows what its first line follows.

    Further lines may stand behind results of the message's own calls. Lines that tell of progress are no messages.
    Each result is a block where it stands, so a fork after several is one after the last of them.
    """
    known = {line["uuid"]: line for line in lines if isinstance(line, dict) and "uuid" in line}
    first, message = _messages(lines)
    last = {own: number for number, own in _placed(lines, message) if own.startswith("results of ")}
    after: Counter[str] = Counter()
    for number in first.values():
        line = lines[number - 1]
        before = _spoken_before(line, known, message)
        if before is not None and _side(known[before]) == _side(line):
            after[message[before]] += 1
    return {str(last.get(one, first[one])): count for one, count in after.items() if count > 1}


def _messages(lines: list[Any]) -> tuple[dict[str, int], dict[str, str]]:
    """The number of the first line of each message, and the message of each spoken line."""
    first: dict[str, int] = {}
    message: dict[str, str] = {}
    callers: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if isinstance(line, dict) and line.get("type") in SPOKEN and "uuid" in line and line["uuid"] not in message:
            own = _own(line, callers)
            message[line["uuid"]] = own
            first.setdefault(own, number)
    return first, message


def _placed(lines: list[Any], message: dict[str, str]) -> Iterator[tuple[int, str]]:
    """The number and the message of each spoken line."""
    for number, line in enumerate(lines, 1):
        own = message.get(str(line.get("uuid"))) if isinstance(line, dict) else None
        if own is not None:
            yield number, own


def _own(line: Record, callers: dict[str, str]) -> str:
    said = line["message"] if isinstance(line.get("message"), dict) else {}
    content = said.get("content")
    blocks = [one for one in content if isinstance(one, dict)] if isinstance(content, list) else []
    own = str(said.get("id") or line["uuid"]) if line["type"] == "assistant" else line["uuid"]
    for block in blocks:
        if block.get("type") == "tool_use":
            callers[block["id"]] = own
    if blocks and all(block.get("type") == "tool_result" for block in blocks):
        return f"results of {callers.get(blocks[0]['tool_use_id'], own)}"
    return own


def _spoken_before(line: Record, known: Mapping[str, Record], message: Mapping[str, str]) -> str | None:
    before = line.get("parentUuid") or line.get("logicalParentUuid")
    while before is not None and before not in message:
        before = known[before].get("parentUuid") if before in known else None
    return before


def _side(line: Record) -> str:
    return str(line.get("agentId") or line.get("isSidechain") or "")


def _with_forks(lines: list[Any]) -> list[Any]:
    """A copy in which some messages of either side were made anew, as when one goes back and edits."""
    first, message = _messages(lines)
    starts = [lines[number - 1] for number in first.values()]
    spoken = [one for one in starts if one["type"] != "system" and one.get("parentUuid") in message and not _side(one)]
    chosen = spoken[:: max(1, len(spoken) // PLANTED)]
    seen = Counter(message[one["parentUuid"]] for one in chosen)
    planted = [_made_anew(one, number) for number, one in enumerate(chosen) if seen[message[one["parentUuid"]]] == 1]
    return [*lines, *planted] if None not in lines else lines


def _made_anew(line: Record, number: int) -> Record:
    placed = {name: line[name] for name in ("type", "sessionId", "isSidechain", "parentUuid") if name in line}
    said = {"id": f"anew-{number}", "role": line["type"], "content": [{"type": "text", "text": "Once more."}]}
    return placed | {"uuid": f"anew-{number}-line", "message": said}
