"""Collection: what is still referred to, and what has outlived how much."""
