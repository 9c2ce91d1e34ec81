"""Find the comments at the beginning of a file, and the licences among them."""

from __future__ import annotations

import re

BLOCK_COMMENT = re.compile(r"^\s*/\*+!?(.+?)\*/", re.DOTALL)
LINE_COMMENTS = re.compile(r"^\s*((?://[/!]?|#|--|;+)[^\n]*(?:\n\s*(?://[/!]?|#|--|;+)[^\n]*)*)")
_COMMENT_LINE = re.compile(r"\s*(?:/?\*|//|--|;|#(?![\[!]|\w))|\s*$")
_LICENCE = re.compile(r"copyright|licen[sc]e|spdx", re.IGNORECASE)


def licence_lines(text: str) -> int:
    """Return the number of lines of the licence comments at the beginning of a file."""
    length = 0
    while match := BLOCK_COMMENT.match(text[length:]) or LINE_COMMENTS.match(text[length:]):
        if not _LICENCE.search(match[0]):
            break
        length += match.end()
    return text.count("\n", 0, length) + 1 if length else 0


def is_comment(line: str) -> bool:
    """Tell whether a line above a definition is blank or a comment, judged by how it begins."""
    return _COMMENT_LINE.match(line) is not None
