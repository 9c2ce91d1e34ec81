"""Sphinx settings of the documentation site: `.ci/docs` builds `codeindex/docs` with them."""

import re
from typing import Any

import codeindex

project = "codeindex"
author = "the codeindex contributors"
version = release = codeindex.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["examples/*"]
myst_heading_anchors = 4

html_theme = "furo"
html_title = f"codeindex {release}"
html_show_sourcelink = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
python_display_short_literal_types = True

_PAGES = {
    ".github/CONTRIBUTING.md": "contributing.md",
    "../tests/attacks.md": "attacks.md",
    "../../tests/attacks.md": "attacks.md",
}
_CODE = re.compile(r"`+[^`]+`+")
_MARKUP = re.compile(r"(\*(?!\s)|[_|\\])")


def as_restructured_text(text: str) -> str:
    """Turn a docstring, plain text with code in single backticks, into reStructuredText."""
    parts, end = [], 0
    for code in _CODE.finditer(text):
        parts += [_MARKUP.sub(r"\\\1", text[end : code.start()]), f"``{code[0].strip('`')}``"]
        end = code.end()
    return "".join([*parts, _MARKUP.sub(r"\\\1", text[end:])])


def _convert(
    app: object, what: str, name: str, thing: object, options: object, lines: list[str]
) -> None:
    if what == "module":  # the table of errors: as it stands
        lines[:] = ["::", "", *(f"    {line}" for line in lines)]
    else:
        lines[:] = as_restructured_text("\n".join(lines)).split("\n")


def _lead_to_pages(*arguments: Any) -> None:
    """Have links to files outside of the docs lead to the pages that include them."""
    source = arguments[-1]
    for place, page in _PAGES.items():
        source[0] = source[0].replace(f"]({place})", f"]({page})")


def setup(app: Any) -> None:
    app.connect("source-read", _lead_to_pages)
    app.connect("include-read", _lead_to_pages)
    app.connect("autodoc-process-docstring", _convert)
