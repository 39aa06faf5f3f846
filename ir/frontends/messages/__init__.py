"""Messages: what every chat format is read as, and the readers of the forms that vendors write."""

from .model import (
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

__all__ = [
    "Conversation",
    "Message",
    "Opaque",
    "Part",
    "Prompt",
    "Removal",
    "Role",
    "Stated",
    "Text",
    "ToolCall",
    "ToolResult",
]
