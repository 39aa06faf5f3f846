"""The intermediate representation: cells, instructions, blocks, programs and their meaning."""

from .builder import Builder, build
from .cells import ANY, Cell, Place, Reference, Scope, Segment, key, name
from .cfg import ControlFlow
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
from .origin import Actor, Origin
from .paths import PathError, parse_cell, parse_place, parse_scope
from .program import Block, Declaration, Definition, Entry, Program, Task
from .state import State, run
from .terminators import Arm, Branch, End, Fork, Goto, Open
from .values import UNKNOWN

__all__ = [
    "ANY",
    "UNKNOWN",
    "Actor",
    "Add",
    "Append",
    "Arm",
    "Bind",
    "Block",
    "Branch",
    "Builder",
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
    "Open",
    "Operand",
    "Origin",
    "PathError",
    "Place",
    "Program",
    "Read",
    "Reference",
    "Same",
    "Scope",
    "Segment",
    "Set",
    "State",
    "Task",
    "Use",
    "Write",
    "build",
    "key",
    "name",
    "parse_cell",
    "parse_place",
    "parse_scope",
    "run",
]
