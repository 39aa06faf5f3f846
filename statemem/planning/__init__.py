"""The planner: memory actions from solved facts and a policy. One file a family of actions.

Nothing is called dead that the horizon does not speak of: of an entry in force that nobody expects and nobody excludes,
only its age decides, and that by policy.
"""

from .planner import Planner, plan
from .wording import purpose_of

__all__ = ["Planner", "plan", "purpose_of"]
