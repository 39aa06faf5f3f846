"""A dialogue written down for systems that are not run here: its forms, and what is asked with the answers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from statemem.cli.files import write_whole
from statemem.ir.diagnostics import UsageError

from .dialogue import Dialogue, Entry, Question
from .forms import SUFFIXES, WRITERS, chat

SCHEMA = "statemem.synthetic.answers/1"


def written(dialogue: Dialogue, forms: Iterable[str], folder: Path) -> Iterator[Path]:
    """Write a dialogue in some forms, and its answers beside them; each file is written whole or not at all."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; name a folder")
    folder.mkdir(parents=True, exist_ok=True)
    for form in forms:
        yield _whole(folder / f"{dialogue.name}.{form}{_suffix(form)}", WRITERS[form](dialogue))
    yield _whole(folder / f"{dialogue.name}.answers.json", json_text(answers(dialogue)))


def _suffix(form: str) -> str:
    """What follows the form in a file's name; a form that is called like its suffix needs none."""
    return "" if SUFFIXES[form] == f".{form}" else SUFFIXES[form]


def _whole(path: Path, text: str) -> Path:
    write_whole(path, text)
    return path


def json_text(value: Any) -> str:
    """JSON as files have it."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def answers(dialogue: Dialogue) -> dict[str, Any]:
    """All that is known of a dialogue, as JSON types; turns, questions and messages count from 1."""
    return {
        "schema": SCHEMA,
        "name": dialogue.name,
        "turns": len(dialogue.turns),
        "rules": _rules(dialogue),
        "turn_of_each_message": chat.turns_of_messages(dialogue),
        "questions": [_question(number, one) for number, one in enumerate(dialogue.questions, 1)],
        "entries": [_entry(one) for one in dialogue.entries.values()],
        "stories": [
            {"name": one.story, "kind": one.kind, "depth": one.depth, "turns": one.distance, "forms": sorted(one.forms)}
            for one in dialogue.plants.values()
        ],
    }


def _rules(dialogue: Dialogue) -> dict[str, Any]:
    """What is agreed beforehand: who must agree to changes, whether a weaker source that says otherwise contradicts."""
    return {
        "guards": [{"cells": str(one.cells), "by": list(one.by)} for one in dialogue.policy.guards],
        "weaker_sources_contradict": dialogue.policy.authority is not None,
    }


def _question(number: int, question: Question) -> dict[str, Any]:
    return {
        "number": number,
        "turn": question.turn,
        "kind": question.kind,
        "about": question.about,
        "text": question.text,
        "answer": sorted(question.answer),
        "story": None if question.plant is None else question.plant.story,
    }


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "id": entry.id,
        "cell": str(entry.cell),
        "value": entry.value,
        "turn": entry.turn,
        "actor": entry.actor,
        "premises": list(entry.premises),
        "story": entry.plant.story,
    }
