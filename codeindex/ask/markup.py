"""Tell prose from code and tables, and take the markup out of quoted prose."""

from __future__ import annotations

import re

_PROSE_WORD = re.compile(
    r"[`*_\"'\u201c(\[]*[^\W\d_][^\W_]*(?:['\u2019/-]\w+)*[`*_\"'\u201d)\].,:;!?]*"
)
_CODE = re.compile(r"(?:import|from \S+ import|def|const|let|var|func|fn|using|package|#include)\s")
"""Beginnings of code statements that consist of words, so that they look like prose."""
_ROFF = re.compile(r"\\f(?:[A-Z]|\[)|(?:^|\s)\.(?:TP|IP|SH|SS|PP)\b")
"""Matches markup of roff, the language in which manual pages are written: `\\fB`, `.SH`."""
_TABLE_MARKS = 3
"""A paragraph with this many column separators is a table."""
_LEAST_PROSE, _FEWEST_WORDS = 0.65, 4
"""Least share of plain words in prose, and least words of a paragraph."""
_INLINE_TAG = re.compile(r"\{@(\w+)\s+([\w#.$]*(?:\([^)]*\))?)([^}]*)\}")
_ROLE = re.compile(r":[a-z][\w:+-]*:`([^`<]+?)(?:\s*<[^`>]*>)?`")
_LINK = re.compile(r"(?<!!)\[([^\]\[]+)\](?:\([^)\s]*\)|\[[^\]\[]*\])|\[(`[^`\]]+`)\]")
_TAG = re.compile(r"</?(?:br|sup|sub|b|i|em|strong|code|kbd|a|p)\b[^<>]*>")
_STRESS = re.compile(r"(?<![\w*])(\*{1,2})(\S(?:[^*]*\S)?)\1(?![\w*])")


def is_prose(text: str) -> bool:
    """Tell whether a text is prose: enough words, most of them plain, unlike code and tables."""
    words = text.split()
    plain = sum(bool(_PROSE_WORD.fullmatch(word)) for word in words)
    is_worded = len(words) >= _FEWEST_WORDS and plain >= _LEAST_PROSE * len(words)
    is_marked_up = text.count(" | ") >= _TABLE_MARKS or _ROFF.search(text)
    return is_worded and not (_CODE.match(text) or is_marked_up)


def strip_markup(text: str) -> str:
    """Remove Markdown and reStructuredText markup: HTML tags, roles, links and emphasis.

    The text of links and roles stays.
    """
    text = _INLINE_TAG.sub(_inline_tag, _TAG.sub("", text))
    text = _ROLE.sub(lambda match: f"`{match[1].lstrip('~@!.')}`", text)
    text = _LINK.sub(lambda match: match[1] or match[2], text).replace("``", "`")
    return _STRESS.sub(r"\2", text)


def _inline_tag(match: re.Match[str]) -> str:
    """Return the text that a tag of Javadoc stands for: its label, or the name it links to."""
    kind, name, label = match[1], match[2], match[3]
    if kind in {"link", "linkplain"}:
        return label.strip() or name.lstrip("#").replace("#", ".")
    return f"{name}{label}"
