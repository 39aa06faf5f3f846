"""What a user would say of the tools of a domain, in a domain file: which act on the world, and which conclude."""

from __future__ import annotations

from ..words import Words
from .chat.calls import KEY, concluding


def text(words: Words) -> str:
    """The domain file, as TOML."""
    acting = "".join(f'[tools.{one}]\neffect = true\neffect_key = "{KEY}"\n\n' for one in words.data["effects"])
    return f'{acting}[tools."{concluding(words.data["conclusion"]["kind"])}"]\nconcludes = true\n'
