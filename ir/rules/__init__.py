"""The rules of the verifier, a file for each thing they look at."""
