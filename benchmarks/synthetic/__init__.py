"""Synthetic dialogues with planted faults and the true answer to every question asked of them."""
