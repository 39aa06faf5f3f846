"""Declared dependencies: which cells did not follow a change."""
