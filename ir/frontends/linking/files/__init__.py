"""Files as agents know them: what they were shown of each, and what their edits made of it (rule 10)."""
