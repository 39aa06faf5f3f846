"""Recording: what an agent was shown, used and learned while it runs, as `ops` logs that state it exactly."""

from .recorder import Recorder

__all__ = ["Recorder"]
