"""Frontends: from the logs people have to programs, one file or room a format.

A frontend of one's own reads records into `Message`s of a `Conversation` and gives these to `programs`, which links
their values as it does those of every other format.
"""

from . import fields
from .base import Frontend, choose, frontends, lower
from .conversations.programs import programs
from .messages import (
    Conversation,
    Message,
    Opaque,
    Part,
    Prompt,
    Removal,
    Role,
    Stated,
    Text,
    ToolCall,
    ToolResult,
)
from .reader import Document, Record, read

__all__ = [
    "Conversation",
    "Document",
    "Frontend",
    "Message",
    "Opaque",
    "Part",
    "Prompt",
    "Record",
    "Removal",
    "Role",
    "Stated",
    "Text",
    "ToolCall",
    "ToolResult",
    "choose",
    "fields",
    "frontends",
    "lower",
    "programs",
    "read",
]
