"""Others that solve liveness and reaching definitions, each over the same graph."""
