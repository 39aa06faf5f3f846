"""The parts of the documentation that are made from the code, so that they cannot go stale: Markdown, by name."""

import json
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

import click

from benchmarks.synthetic.dialogue import FORMS
from benchmarks.synthetic.stories import STORIES
from benchmarks.synthetic.suites import SUITES
from statemem import actions, policy
from statemem.cli import main
from statemem.ir import frontends, verifier
from statemem.ir.text import errors
from statemem.passes import Analysis
from statemem.passes.framework import Pass, passes
from statemem.passes.framework.registry import kind_of
from statemem.report import record

#: Mistaken texts and, beside each, what is printed of it.
MISTAKES = Path(__file__).parents[1] / "tests" / "ir" / "errors"
#: The mistake to be shown for a code that has several, where it is not the first by name.
_TELLING = {
    "TX001": "single-quotes",
    "TX002": "wrong-operator",
    "TX003": "task-that-is-not-closed",
    "TX004": "open-string",
    "TX006": "origin-field-that-does-not-exist",
    "TX008": "fact-without-its-point",
    "TX009": "task-that-changes",
    "TX010": "declared-cell-without-a-scope",
    "IR001": "goto-nowhere",
    "IR003": "two-entries-of-one-id",
    "IR004": "scope-that-is-not-declared",
    "IR005": "scope-of-another-session",
    "IR006": "entry-that-does-not-exist",
    "IR012": "open-end-of-a-workflow",
    "IR014": "too-few-arguments",
    "IR015": "jump-into-another-task",
    "IR017": "cells-that-depend-on-each-other",
    "IR101": "read-of-what-nothing-wrote",
}


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table.

    >>> print(table(["code", "meaning"], [["IR001", "no such block"]]))
    | code | meaning |
    | --- | --- |
    | IR001 | no such block |
    """
    titles = list(head)
    return "\n".join(_row(cells) for cells in [titles, ["---"] * len(titles), *rows])


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def codes(known: Mapping[str, str]) -> str:
    """Codes with what each means."""
    return table(["code", "meaning"], ([f"`{code}`", meaning] for code, meaning in known.items()))


def linked_codes(known: Mapping[str, str]) -> str:
    """Codes with what each means, as links to the examples on the same page."""
    return table(["code", "meaning"], ([f"[`{code}`](#{code.lower()})", meaning] for code, meaning in known.items()))


def mistakes(known: Mapping[str, str]) -> str:
    """A section for each code: what it means, a mistaken text, and what is printed of it."""
    return "\n\n".join(_mistake(code, meaning) for code, meaning in known.items())


def _mistake(code: str, meaning: str) -> str:
    files = sorted(MISTAKES.glob(f"{code}-*.smir"))
    file = MISTAKES / f"{code}-{_TELLING[code]}.smir" if code in _TELLING else files[0]
    command = f"$ statemem check {file.name}"
    text, printed = (one.read_text(encoding="utf-8") for one in (file, file.with_suffix(".txt")))
    return f"### {code}\n\n{_sentence(meaning)}\n\n```text\n{text}```\n\n```console\n{command}\n{printed}```"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def all_passes() -> str:
    """The passes that `statemem passes` lists."""
    rows = ([f"`{name}`", _kind(one), one.title()] for name, one in passes().items())
    return table(["pass", "kind", "what it finds"], rows)


def _kind(one: type[Pass]) -> str:
    return f"analysis, {one.direction.value}" if issubclass(one, Analysis) else kind_of(one)


def formats() -> str:
    """The formats that `statemem formats` lists, with a record of each."""
    known = frontends.frontends().values()
    return "\n\n".join(f"`{one.name}`: {one.title}\n\n```text\n{one.example}\n```" for one in known)


def all_commands() -> dict[str, click.Command]:
    """Every command by what one types; those of a group by both words."""
    found: dict[str, click.Command] = {}
    for name, one in main.commands.items():
        inner = one.commands.items() if isinstance(one, click.Group) else ()
        found.update({f"{name} {sub}": part for sub, part in inner} or {name: one})
    return found


def command(name: str, found: click.Command) -> str:
    """The arguments and options of a command."""
    context = click.Context(found, info_name=f"statemem {name}")
    usage = f"```text\n{' '.join([context.command_path, *found.collect_usage_pieces(context)])}\n```"
    options = [one for one in found.params if isinstance(one, click.Option)]
    rows = (_option(one.get_help_record(context)) for one in options)
    return f"{usage}\n\n{table(['option', 'meaning'], rows)}" if options else usage


def _option(help_record: tuple[str, str] | None) -> list[str]:
    name, meaning = help_record or ("", "")
    return [f"`{name}`", meaning]


def generations() -> str:
    """The thresholds of the default policy."""
    rows = (
        [f"`{name}`", str(one.cold_after), "never" if one.archive_factor is None else str(one.archive_factor)]
        for name, one in policy.Policy().generations.items()
    )
    return table(["generation", "`cold_after`", "`archive_factor`"], rows)


def schema() -> str:
    """The JSON Schema of a report."""
    return f"```text\n{json.dumps(record.json_schema(), indent=1)}\n```"


def synthetic_suites() -> str:
    """A table a suite of synthetic dialogues: what each of its stories plants, and the forms that can express it."""
    return "\n\n".join(f"**{name}**\n\n{_suite(stories)}" for name, stories in SUITES.items())


def _suite(stories: Iterable[str]) -> str:
    head = ["story", "what happens", "told in"]
    return table(head, ([f"`{one}`", STORIES[one].title, _forms(STORIES[one].forms)] for one in stories))


def _forms(forms: Collection[str]) -> str:
    return "all forms" if len(forms) == len(FORMS) else ", ".join(f"`{one}`" for one in FORMS if one in forms)


def substitutions() -> dict[str, str]:
    """Every part by the name under which pages ask for it."""
    return {
        "action_codes": codes(actions.CODES),
        "verifier_codes": linked_codes(verifier.CODES),
        "verifier_mistakes": mistakes(verifier.CODES),
        "text_codes": linked_codes(errors.CODES),
        "text_mistakes": mistakes(errors.CODES),
        "passes": all_passes(),
        "formats": formats(),
        "generations": generations(),
        "schema": schema(),
        "synthetic_suites": synthetic_suites(),
        **{f"command_{name.replace(' ', '_')}": command(name, one) for name, one in all_commands().items()},
    }
