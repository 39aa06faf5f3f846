"""A kit for authors of passes: programs to try them on, and checks; needs the extra `testing`.

`check_pass(MyPass)` puts a pass through everything that applies to it. Each check can be made by itself too, on a
program of your own.
"""

from .checks import check_append, check_deterministic, check_least, check_monotone, check_paths
from .estimates import check_estimate
from .files import check_file
from .joins import check_joins
from .laws import check_laws
from .naive import naive_solution
from .needs import check_needs
from .programs import SCOPE, chains, forked, graphs, instructions, programs
from .states import check_exact, check_reaching, paths
from .whole import check_on, check_pass
from .witnesses import check_witness

__all__ = [
    "SCOPE",
    "chains",
    "check_append",
    "check_deterministic",
    "check_estimate",
    "check_exact",
    "check_file",
    "check_joins",
    "check_laws",
    "check_least",
    "check_monotone",
    "check_needs",
    "check_on",
    "check_pass",
    "check_paths",
    "check_reaching",
    "check_witness",
    "forked",
    "graphs",
    "instructions",
    "naive_solution",
    "paths",
    "programs",
]
