"""Reading as a stream: bytes from a source, text from bytes, records from text, none of it held longer than needed."""
