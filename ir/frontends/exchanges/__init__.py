"""Exchanges: calls of a model, each of which repeats the history before it, joined to conversations."""
