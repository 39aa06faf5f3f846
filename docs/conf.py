"""How the documentation is built: `sphinx-build -W -n docs docs/_build`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

from tables import substitutions

from statemem import __version__

project = "statemem"
copyright = "the statemem maintainers"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"statemem {__version__}"
html_static_path = ["_static"]
html_css_files = ["wide.css"]
_code = {"code-font-size": "var(--font-size--small--3)"}
html_theme_options = {"light_css_variables": _code, "dark_css_variables": _code}
html_copy_source = False
html_show_sourcelink = False

myst_enable_extensions = ["deflist", "substitution"]
myst_heading_anchors = 3
myst_substitutions = substitutions()

# In docstrings a word between single backticks is code.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_default_options = {"members": True, "undoc-members": False}

# A type in a signature is named where it is defined; those without an entry of their own stay plain text.
_elsewhere = r"(statemem|collections|datetime|pathlib|re|networkx)\..*"
nitpick_ignore_regex = [("py:class", rf"{_elsewhere}|Cell|Definition|Ending|Entry|Word")]

# The console and other languages without a lexer of their own are shown as they are.
highlight_language = "text"
