"""Tasks within tasks: what leaves the context, what comes back with its task, what ends with it, what a task lacks.

While a task is open the story holds the floor: what others said in between would be said in that task.
"""

from __future__ import annotations

from statemem.ir import Requirement

from ..dialogue import Entry
from ..questions import finding, trusted
from ..story import NEXT, Story, Telling, task_cell
from .registry import PROGRAM, SAID, tale

#: Of so many tasks within each other one is asked about when it goes on, the outermost among them.
_ASKED_EVERY = 4


@tale(SAID)
def digression(story: Story) -> Telling:
    """A task is put aside for another, and that for a third; each comes back whole when the one within has ended."""
    yield from _task(story, story.deep(), leaves=story.draw.random() < 0.5)


def _task(story: Story, inner: int, *, leaves: bool) -> Telling:
    """A task with as many within it; with `leaves` it is put aside before the next, else it waits below it.

    Written as a loop over two lists, since digressions may be nested deeper than calls.
    """
    opened: list[list[Entry]] = []
    tasks: list[str] = []
    for depth in range(inner + 1):
        yield from _open(story, tasks, opened, leaves=leaves and depth > 0)
    story.task = tasks[-1]
    story.uses(*opened[-1])
    story.asks(finding("Suspend"), finding("Release"))
    yield NEXT
    story.task = None
    while tasks:
        yield from _close(story, tasks, opened, leaves=leaves)


def _open(story: Story, tasks: list[str], opened: list[list[Entry]], *, leaves: bool) -> Telling:
    """The task at hand is put aside, another is opened and learns what it works with."""
    kind, fields = story.world.words.task(story.draw)
    task = f"{kind}-{story.world.number()}"
    story.says("user")
    if leaves:
        story.leaves(tasks[-1])
    story.enters(task)
    if opened:
        story.suspends(opened[-1])
    tasks.append(task)
    yield NEXT
    story.task = task
    opened.append([story.sets(task_cell(task, one), story.required(kind, one), by="user") for one in fields])
    yield NEXT
    story.task = None


def _close(story: Story, tasks: list[str], opened: list[list[Entry]], *, leaves: bool) -> Telling:
    """The task at hand ends, and the one it was opened in goes on as it was."""
    task = tasks.pop()
    story.says("user")
    story.ends(task)
    opened.pop()
    if not tasks:
        return
    if leaves:
        story.enters(tasks[-1])
    story.resumes(opened[-1])
    is_asked = len(tasks) % _ASKED_EVERY == 1
    story.asks(*[finding("Resume")] * is_asked)
    yield NEXT
    story.task = tasks[-1]
    story.uses(*opened[-1])
    for one in opened[-1] if is_asked else ():
        story.asks_about(one.cell)
    yield NEXT
    story.task = None


@tale(SAID)
def leak(story: Story) -> Telling:
    """A task reads what only another one knows: there nothing is known of it, and it is to be asked."""
    kind, (field, *_) = story.world.words.task(story.draw)
    first = story.opens(kind)
    yield NEXT
    story.task = first
    story.sets(task_cell(first, field), story.required(kind, field), by="user")
    yield NEXT
    story.closes(first)
    second = story.opens(kind)
    yield NEXT
    story.task = second
    story.reads(task_cell(second, field))
    yield NEXT
    story.closes(second)


@tale(PROGRAM)
def requirement(story: Story) -> Telling:
    """An open task lacks what tasks of its kind require, until it is said."""
    kind, fields = story.world.words.task(story.draw)
    kind = f"{kind}-{story.world.number()}"
    task = f"{kind}-at-hand"
    story.world.declarations.append(Requirement(kind, tuple(task_cell(kind, one) for one in fields)))
    lacking = [task_cell(task, one) for one in fields]
    story.says("user")
    story.enters(task, kind)
    for cell in lacking:
        story.finds("Ask", f"needs {cell}")
    story.asks(finding("Ask"))
    for cell in lacking:
        yield NEXT
        story.task = task
        story.sets(cell, story.required(kind.partition("-")[0], cell.path[-1].text), by="user")
        story.settles("Ask", f"needs {cell}")
        story.asks(finding("Ask"))
    yield NEXT
    story.closes(task)


@tale(SAID)
def result_of_a_task(story: Story) -> Telling:
    """What came of a task outlives it: that the task's own cells end takes no ground away."""
    kind, (field, *_) = story.world.words.task(story.draw)
    task = story.opens(kind)
    yield NEXT
    story.task = task
    known = story.sets(task_cell(task, field), story.required(kind, field), by="user")
    yield NEXT
    result = story.derives(story.conclusion(), known)
    yield NEXT
    story.closes(task)
    yield story.later()
    story.uses(result)
    story.asks(trusted(result))


@tale(SAID)
def abandoned(story: Story) -> Telling:
    """A task is put aside and never taken up again: what it knows stays aside."""
    kind, fields = story.world.words.task(story.draw)
    task = story.opens(kind)
    yield NEXT
    story.task = task
    known = [story.sets(task_cell(task, one), story.required(kind, one), by="user") for one in fields]
    yield NEXT
    story.task = None
    story.says("user")
    story.leaves(task)
    story.suspends(known)
    story.asks(finding("Suspend"))
