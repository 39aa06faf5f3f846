"""What a user knows of a domain and logs do not say, and the TOML files that say it."""

from .declared import declare
from .rules import UNKNOWN, Domain, EntityRule, ToolRule

__all__ = ["UNKNOWN", "Domain", "EntityRule", "ToolRule", "declare"]
