"""Extract the prose of code comments, so that it can be quoted like a document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby, takewhile

from codeindex.types import Hit, SafeText

_LINE = re.compile(r"^\s*(?://[/!]?|#:?(?=\s|$)|--[-|]?(?=\s|$)|;{1,4}(?=\s|$)|%{1,3}(?=\s|$)) ?")
_BLOCK_STARTS = re.compile(r"^\s*(?:/\*+!?|\{-\|?|\(\*+|--\[=*\[)\s?")
_BLOCK_ENDS = re.compile(r"\s*(?:\*+/|-\}|\*+\)|\]=*\])\s*$")
_IN_BLOCK = re.compile(r"^\s*\*+(?!/)\s?")
_DOCSTRING = re.compile(r"^\s*(?:@(?:module|type)?doc\s+)?(?:~[sS]|[rRuU])?(\"{3}|'{3})")
_TAG = re.compile(r"^\s*[@\\](?!brief\b)[A-Za-z]")
"""A documentation tag at the start of a line, such as `@param name`."""
_HTML = re.compile(
    r"</?(?:p|div|pre|h\d|ul|ol|li|dl|dd|dt|br|i|b|em|strong|code|tt|para|c|see|summary|remarks)"
    r"(?:\s[^<>]*)?/?>"
)
"""HTML and XML tags in comments of Java and C#; a line with nothing else ends a paragraph."""
_LICENCE = re.compile(
    r"(?i)copyright|\blicen[cs]ed?\b|all rights|redistribut|warrant(?:y|ies)\b"
    r"|\bliab(?:le|ility)\b|\bL?GPL"
)


def comments_as_prose(hit: Hit) -> Hit:
    """Return a hit in code with only the prose of its comments; all other lines are empty.

    The number of lines stays the same. Licences and tags such as `@param` are removed too.
    """
    lines = [_HTML.sub("", "" if _TAG.match(line) else line) for line in _comment_lines(hit.lines)]
    kept: list[str] = []
    for is_text, group in groupby(lines, key=lambda line: bool(line.strip())):
        paragraph = list(group)
        is_licence = is_text and _LICENCE.search(" ".join(paragraph))
        kept += [""] * len(paragraph) if is_licence else paragraph
    return replace(hit, text=SafeText("\n".join(kept)))


def leading_comments(hit: Hit) -> int:
    """Return the number of the last line of the comments above the first line of code in a hit."""
    lines = zip(hit.lines, _comment_lines(hit.lines), strict=True)
    before = takewhile(lambda pair: not pair[0].strip() or _is_comment(*pair), lines)
    return hit.start_line - 1 + sum(1 for _ in before)


def _is_comment(line: str, comment: str) -> bool:
    """Tell whether a line has no code: it is blank, only punctuation, or a comment with text.

    `comment` is the comment that `_comment_lines` found in the line.
    """
    return bool(comment.strip()) or not any(character.isalnum() for character in line)


def _comment_lines(lines: list[str]) -> Iterator[str]:
    """Yield for each line its comment, without comment marks; "" for a line without a comment."""
    in_block, quotes = False, ""
    for line in lines:
        starts = None if quotes or in_block else _BLOCK_STARTS.match(line)
        if quotes:
            text, ends, _ = line.partition(quotes)
            quotes = "" if ends else quotes
            yield text
        elif in_block or starts:
            text = line[starts.end() :] if starts else _IN_BLOCK.sub("", line)
            in_block = not _BLOCK_ENDS.search(text)
            yield _LINE.sub("", _BLOCK_ENDS.sub("", text))
        elif opens := _DOCSTRING.match(line):
            text, ends, _ = line[opens.end() :].partition(opens[1])
            quotes = "" if ends else opens[1]
            yield text
        elif marks := _LINE.match(line):
            yield line[marks.end() :]
        else:
            yield ""
