"""Find the comments at the beginning of a file, and the licences among them."""

from __future__ import annotations

import re
from collections.abc import Sequence

BLOCK_COMMENT = re.compile(r"^\s*/\*!?(.+?)\*/", re.DOTALL)
_DIRECTIVES = "define|elif|else|endif|error|if|ifdef|ifndef|import|include|pragma|undef|warning"
_LINE = rf"(?://[/!]?|#(?!(?:{_DIRECTIVES})\b)|--|;+)[^\n]*"
LINE_COMMENTS = re.compile(rf"^\s*({_LINE}(?:\n[ \t]*{_LINE})*)")
"""Matches comments on successive lines, without directives of a preprocessor (`#include`)."""
_COMMENT_LINE = re.compile(r"\s*(?:/?\*|//|--|;|#(?![\[!]|\w))|\s*$")
_QUOTES = ('"""', "'''")
_SHOWN_LINES = 3
"""Lines of the comment above a definition that are shown, unless it has at most one more; whole
comments take 50 tokens of an answer."""
LICENCE = re.compile(r"copyright|licen[sc]e|spdx", re.IGNORECASE)
PRAGMA = re.compile(
    r"coding[:=]|-\*-|eslint|@ts-|#!|\bvim?:|go:build|pylint|prettier|noqa|(?:ruff|mypy|isort): "
    r"|rubocop|frozen_string_literal|shellcheck|nolint|clang-format",
    re.IGNORECASE,
)
"""Matches comments that are for an interpreter, an editor or a linter."""


def licence_lines(text: str) -> int:
    """Return how many lines at the beginning of a file to leave out as its licence.

    They are licence comments, and comments for programs above one. Return 0 if there is no licence
    comment, or if other text is above it.
    """
    end = length = 0
    while match := BLOCK_COMMENT.match(text[length:]) or LINE_COMMENTS.match(text[length:]):
        length += match.end()
        if LICENCE.search(match[0]):
            end = length
        elif not PRAGMA.search(match[0]):
            break
    return text.count("\n", 0, end) + 1 if end else 0


def comment_lines(lines: Sequence[tuple[int, str]]) -> list[int]:
    """Return the numbers of the blank and comment lines above a definition.

    `lines` are (number, text) of the lines above the definition. The beginning of a line shows
    whether it is a comment. All lines of a text in triple quotes, such as Elixir's `@doc`, count
    as comments.
    """
    numbers: list[int] = []
    inside = False
    for number, text in lines:
        quotes = sum(text.count(quote) for quote in _QUOTES)
        if inside or quotes or _COMMENT_LINE.match(text):
            numbers.append(number)
        inside ^= quotes % 2 == 1
    return numbers


def surplus_comment_lines(lines: Sequence[tuple[int, str]]) -> Sequence[int]:
    """Return the numbers of the comment lines above a definition that are too many to show.

    `lines` are (number, text) of the lines above the definition. Return () for a short comment.
    """
    comment = comment_lines(lines)
    return comment[_SHOWN_LINES:] if len(comment) > _SHOWN_LINES + 1 else ()
