"""`langgraph`: checkpoints of LangGraph in their SQLite database, a tree of states for each thread."""

from .frontend import LangGraph

__all__ = ["LangGraph"]
