"""The text form of the IR, `.smir`: printing then parsing gives an equal program."""

from .dot import to_dot
from .facts import Fact
from .parser import Document, parse, read
from .printer import dumps
from .wording import statement

__all__ = ["Document", "Fact", "dumps", "parse", "read", "statement", "to_dot"]
