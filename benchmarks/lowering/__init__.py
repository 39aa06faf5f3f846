"""What lowering finds in a log, beside independent counts over the raw records."""
