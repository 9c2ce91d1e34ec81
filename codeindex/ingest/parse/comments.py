"""Extract the first paragraph of a comment, without marks, parameters and directives."""

from __future__ import annotations

import re

_DOC_CHARS = 400
"""Most characters that are stored: at most 100 tokens of a hit."""
_QUOTES = re.compile(r"^[A-Za-z]{0,2}(\"{3}|'{3}|[\"'`])|(\"{3}|'{3}|[\"'`])$")
_MARKS = re.compile(
    r"^\s*(?:///?!?|/\*+!?|\*+/?|#+|--+(?:\[=*\[|\s?[|^])?|;+|%+|\{-(?:\s?\|)?|\(\*\*?(?=\s))?\s?"
)
_END_MARKS = re.compile(r"\s*(?:\*+/|-\}|\]=*\]|(?<=\s)\*+\))\s*$")
_SUMMARY = re.compile(r"</?(?:summary|para)>")
_TAG = re.compile(
    r"[@\\][a-z]|:(?:param|returns?|raises|type)\b|- (?:Parameter|Returns|Throws)"
    r"|<(?:p|param|typeparam|returns|remarks|exception|example|value)\b"
)
"""The start of the parameter list of a documentation comment, which ends the summary."""
_DIRECTIVE = re.compile(
    r"go:\w|@ts-|@__|eslint-|prettier-|biome-|nolint|noqa|pylint:|type: ignore|noinspection"
    r"|rubocop:"
)
"""The start of a comment for a tool, which documents nothing."""


def docstring_summary(literal: str) -> str:
    """Return the first paragraph of a docstring literal as one line, without the quotes."""
    return comment_summary(_QUOTES.sub("", literal))


def comment_summary(comment: str) -> str:
    """Return the first paragraph of a comment as one line, without its comment marks."""
    lines: list[str] = []
    for line in comment.strip().splitlines():
        bare = _SUMMARY.sub("", _END_MARKS.sub("", _MARKS.sub("", line))).strip()
        if lines and (not bare or _TAG.match(bare)):
            break
        if bare and not _DIRECTIVE.match(bare):
            lines.append(bare)
    return " ".join(lines)[:_DOC_CHARS]
