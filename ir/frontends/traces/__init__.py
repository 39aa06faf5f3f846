"""Traces: runs and spans that an instrumented agent left, put together to the conversations they are of."""
