"""Conversations: from messages, a chain or a tree of them, to programs."""
