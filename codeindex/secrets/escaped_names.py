r"""Decodes names of secrets that contain escapes: `"pass\u0077ord"`, `pass\ word`.

Detectors run over a copy of the text in which these names are decoded. The copy has the same
length, so that the spans of hits are valid in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from codeindex.secrets.name_patterns import KEY_NAME, NAME_SUFFIX, PASSWORD_NAME

_ASCII = r"(?:u00|x|U000000|u\{)[2-7][\dA-Fa-f]\}?"
_ESCAPE = re.compile(rf"\\(?:[ :=]|{_ASCII})", re.ASCII)
"""An escaped character of a name."""
_CODE = re.compile(r"\\{1,3}(?:u00|x|U000000|u\{)([2-7][\dA-Fa-f])\}?", re.ASCII)
"""An escaped character, with its code point as a group."""
_IN_QUOTES = re.compile(
    rf"""["'](?P<name>(?:[\w .:@/-]{{1,60}}+|\\{{1,3}}{_ASCII}){{1,60}}+)"""
    r"""(?=\\{0,3}["']\]?[ \t]{0,8}(?:=>|[:=]))""",
    re.ASCII,
)
"""A quoted name with escapes, before an operator."""
_AT_START = re.compile(
    rf"[ \t]{{0,80}}(?P<name>(?:[\w.-]{{1,60}}+|\\(?:[ :=]|{_ASCII})){{1,60}}+)"
    r"(?=[ \t]{0,8}[:=])",
    re.ASCII,
)
"""An unquoted name with escapes at the start of a line, before an operator."""
_BLANK = re.compile(r"[ :=]")
_JOINED = re.compile(r"(?i)(pass) +(?=word|phrase|code)")
_ENDS_IN_NAME = re.compile(rf"(?i)(?:{PASSWORD_NAME}|{KEY_NAME})s?{NAME_SUFFIX}\Z", re.ASCII)
_LONGEST_END = 40
"""Characters at the end of a name that are tested; names in `name_patterns` are shorter."""
_LONGEST_START = 80
"""Most characters of a name before its first escape: bounds the time of long lines."""


def unescape_names(text: str) -> str:
    """Return a copy of a text in which escapes in names of secrets are decoded.

    Return "" if no name has escapes. The copy has the length of the text, so that offsets are valid
    in both.
    """
    parts: list[str] = []
    end = 0
    for start, stop in _escaped_names(text):
        if plain := _decode_name(text[start:stop]):
            parts += (text[end:start], plain.rjust(stop - start, "_"))
            end = stop
    return "".join((*parts, text[end:])) if parts else ""


def _escaped_names(text: str) -> Iterator[tuple[int, int]]:
    """Yield the (start, end) of each name with an escape, in quotes or at the start of a line."""
    end = 0
    for escape in _ESCAPE.finditer(text):
        at = escape.start()
        if at < end:
            continue
        line = text.rfind("\n", max(end, at - _LONGEST_START), at) + 1
        first = line or max(end, at - _LONGEST_START)
        quote = max(text.rfind(sign, first, at) for sign in "\"'")
        name = _IN_QUOTES.match(text, quote) if quote >= 0 else _AT_START.match(text, first)
        if name and (quote >= 0 or first == line):
            yield name.span("name")
            end = name.end()


def _decode_name(name: str) -> str:
    """Return a name without escapes and with `_` for blanks; "" if it names no secret."""
    decoded = _CODE.sub(lambda code: chr(int(code[1], 16)), name).replace("\\", "")
    plain = _BLANK.sub("_", _JOINED.sub(r"\1", decoded))
    return plain if _ENDS_IN_NAME.search(plain[-_LONGEST_END:]) else ""
