"""Trust: where labels come from, how they spread, and where they may not arrive."""
