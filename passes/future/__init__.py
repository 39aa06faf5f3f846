"""The future: what a workflow may still read, and when a cell is used next."""
