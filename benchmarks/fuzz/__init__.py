"""Fuzzing: inputs made from a seed, what is demanded of each, and the smallest inputs that do not meet it."""
