"""`requests`: records of a gateway or proxy, one a call of a model, each of which repeats the history before it."""

from .frontend import Requests

__all__ = ["Requests"]
