"""Frontends: from the logs people have to programs, one file a format."""

from .base import Frontend, choose, frontends, lower

__all__ = ["Frontend", "choose", "frontends", "lower"]
