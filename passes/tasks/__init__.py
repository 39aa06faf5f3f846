"""Tasks: which are open, what each may still use, and what a switch between them means."""
