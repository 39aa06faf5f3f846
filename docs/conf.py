"""How the documentation is built: `sphinx-build -W -n docs docs/_build`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from tables import substitutions  # noqa: E402  the folder of this file is no package

from statemem import __version__  # noqa: E402

project = "statemem"
copyright = "the statemem maintainers"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"statemem {__version__}"
html_copy_source = False
html_show_sourcelink = False

myst_enable_extensions = ["deflist", "substitution"]
myst_heading_anchors = 3
myst_substitutions = substitutions()

# In docstrings a word between single backticks is code.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_default_options = {"members": True, "undoc-members": False}

# The console and other languages without a lexer of their own are shown as they are.
highlight_language = "text"
