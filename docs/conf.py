"""How sphinx builds the documentation: `sphinx-build -W docs build/docs`."""

from __future__ import annotations

from typing import Any

from docutils.nodes import SkipNode
from docutils.utils.math.latex2mathml import tex2mathml

import symview

project = "symview"
author = "The symview developers"
copyright = "The symview developers"
version = release = symview.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_design", "sphinx_copybutton"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["build"]
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3
default_role = "code"
html_math_renderer = "mathml"
html_static_path = ["static"]
html_extra_path = ["try.html", "try.mjs"]
html_css_files = ["narrow.css"]
suppress_warnings = ["myst.xref_missing"]  # links out of this folder; a test holds that they lead somewhere
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = f"symview {version}"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0072b2", "color-brand-content": "#0072b2"},
    "dark_css_variables": {"color-brand-primary": "#56b4e9", "color-brand-content": "#56b4e9"},
}


def _formula(translator: Any, node: Any) -> None:
    """Writes a formula as MathML, which browsers show without a script."""
    translator.body.append(tex2mathml(node.astext(), as_block=node.tagname == "math_block"))
    raise SkipNode


def _nothing(translator: Any, node: Any) -> None:
    """A formula has no end of its own."""


def setup(app: Any) -> None:
    """Adds the renderer of formulas."""
    app.add_html_math_renderer("mathml", (_formula, _nothing), (_formula, _nothing))
