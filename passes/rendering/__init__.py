"""What passes found, for people and programs: as text, as JSON, as a picture."""

from .facts import Found, View
from .picture import to_dot
from .record import SCHEMA, json_schema, to_json, to_record
from .text import facts_of, render, to_text

__all__ = [
    "SCHEMA",
    "Found",
    "View",
    "facts_of",
    "json_schema",
    "render",
    "to_dot",
    "to_json",
    "to_record",
    "to_text",
]
