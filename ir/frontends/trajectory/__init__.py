"""`trajectory`: runs of coding and tool-using agents as research projects publish them, one file a project."""

from .frontend import Trajectory

__all__ = ["Trajectory"]
