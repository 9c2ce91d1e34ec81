r"""Names of secrets that are spelled with escapes or blanks: `"pass\u0077ord"`, `pass\ word`.

Detectors read a copy of the text in which such names are plain. It has the length of the text, so
that what they find in the copy stands at the same place in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from codeindex.secrets.name_patterns import KEY_NAME, NAME_SUFFIX, PASSWORD_NAME

_ASCII = r"(?:u00|x|U000000|u\{)[2-7][\dA-Fa-f]\}?"
_ESCAPE = re.compile(rf"\\(?:[ :=]|{_ASCII})", re.ASCII)
"""An escape of a character that a name may have."""
_CODE = re.compile(r"\\{1,3}(?:u00|x|U000000|u\{)([2-7][\dA-Fa-f])\}?", re.ASCII)
_IN_QUOTES = re.compile(
    rf"""["'](?P<name>(?:[\w .:@/-]{{1,60}}+|\\{{1,3}}{_ASCII}){{1,60}}+)"""
    r"""(?=\\{0,3}["']\]?[ \t]{0,8}(?:=>|[:=]))""",
    re.ASCII,
)
_AT_START = re.compile(
    rf"[ \t]{{0,80}}(?P<name>(?:[\w.-]{{1,60}}+|\\(?:[ :=]|{_ASCII})){{1,60}}+)"
    r"(?=[ \t]{0,8}[:=])",
    re.ASCII,
)
_BLANK = re.compile(r"[ :=]")
_JOINED = re.compile(r"(?i)(pass) +(?=word|phrase|code)")
_ENDS_IN_NAME = re.compile(rf"(?i)(?:{PASSWORD_NAME}|{KEY_NAME})s?{NAME_SUFFIX}\Z", re.ASCII)
_LONGEST_END = 40  # characters; names are shorter
_LONGEST_START = 80
"""Characters of a name before its first escape."""


def unescape_names(text: str) -> str:
    """Return a copy of `text` with all names of secrets spelled plainly; "" if they were already.

    The copy has as many characters as the text.
    """
    parts: list[str] = []
    end = 0
    for start, stop in _names(text):
        if plain := _plain(text[start:stop]):
            parts += (text[end:start], plain.rjust(stop - start, "_"))
            end = stop
    return "".join((*parts, text[end:])) if parts else ""


def _names(text: str) -> Iterator[tuple[int, int]]:
    """Yield where a name with an escape stands: in quotes, or at the start of a line."""
    end = 0
    for escape in _ESCAPE.finditer(text):
        at = escape.start()
        if at < end:
            continue
        line = text.rfind("\n", max(end, at - _LONGEST_START), at) + 1
        first = line or max(end, at - _LONGEST_START)
        quote = max(text.rfind(sign, first, at) for sign in "\"'")
        found = _IN_QUOTES.match(text, quote) if quote >= 0 else _AT_START.match(text, first)
        if found and (quote >= 0 or first == line):
            yield found.span("name")
            end = found.end()


def _plain(name: str) -> str:
    """Return a name without escapes and blanks; "" if it is not the name of a secret."""
    decoded = _CODE.sub(lambda code: chr(int(code[1], 16)), name).replace("\\", "")
    plain = _BLANK.sub("_", _JOINED.sub(r"\1", decoded))
    return plain if _ENDS_IN_NAME.search(plain[-_LONGEST_END:]) else ""
