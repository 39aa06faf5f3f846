"""The intermediate representation: cells, instructions, blocks, programs and their meaning."""

from .blocks import Block, Task
from .builder import Builder, build, workflow
from .cells import ANY, Cell, Place, Reference, Scope, Segment, key, name
from .declarations import Declaration, Requirement
from .entries import Definition, Entry
from .flow.cfg import ControlFlow
from .instructions import (
    Add,
    Append,
    Bind,
    Default,
    Delete,
    Derive,
    Effect,
    Enter,
    How,
    Instruction,
    Leave,
    Mode,
    Operand,
    Read,
    Same,
    Set,
    Use,
    Write,
)
from .origin import Actor, Authority, Origin
from .paths import PathError, parse_cell, parse_place, parse_scope
from .program import Program
from .rewriting.attach import attach
from .rewriting.edits import redact, redact_entry, retract, separate
from .rewriting.normalise import Normaliser, normalised
from .state import State, run
from .terminators import Arm, Branch, Call, End, Fork, Goto, Open, Return, Suspend
from .values import UNKNOWN

__all__ = [
    "ANY",
    "UNKNOWN",
    "Actor",
    "Add",
    "Append",
    "Arm",
    "Authority",
    "Bind",
    "Block",
    "Branch",
    "Builder",
    "Call",
    "Cell",
    "ControlFlow",
    "Declaration",
    "Default",
    "Definition",
    "Delete",
    "Derive",
    "Effect",
    "End",
    "Enter",
    "Entry",
    "Fork",
    "Goto",
    "How",
    "Instruction",
    "Leave",
    "Mode",
    "Normaliser",
    "Open",
    "Operand",
    "Origin",
    "PathError",
    "Place",
    "Program",
    "Read",
    "Reference",
    "Requirement",
    "Return",
    "Same",
    "Scope",
    "Segment",
    "Set",
    "State",
    "Suspend",
    "Task",
    "Use",
    "Write",
    "attach",
    "build",
    "key",
    "name",
    "normalised",
    "parse_cell",
    "parse_place",
    "parse_scope",
    "redact",
    "redact_entry",
    "retract",
    "run",
    "separate",
    "workflow",
]
