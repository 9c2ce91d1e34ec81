"""Detects private keys over several lines: complete, truncated, or inside string literals.

A key ends at its end marker. A key without an end marker ends with its last line of base64.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from codeindex.secrets.detector import Span

RULE = "private_key"

_BLANK = r"(?:[ +_]|%20|&nbsp;)"
_KIND_OF_KEY = (
    rf"(?:(?:[A-Z0-9]{{1,16}}{_BLANK}){{0,4}}PRIVATE{_BLANK}KEY(?:{_BLANK}BLOCK)?"
    rf"|OpenVPN{_BLANK}Static{_BLANK}key{_BLANK}V\d)"
)
_DASHES = r"(?:-{4,5}|(?:%2D){5})"
"""Dashes, plain or percent-encoded."""
_BEGIN = re.compile(
    rf"{_DASHES} ?BEGIN{_BLANK}{_KIND_OF_KEY} ?{_DASHES}|PuTTY-User-Key-File-\d: [\w-]{{1,40}}",
    re.ASCII,
)
_END = re.compile(rf"{_DASHES} ?END{_BLANK}{_KIND_OF_KEY} ?{_DASHES}", re.ASCII)
_CASED_NEEDLES = ("PRIVATE", "PuTTY-User-Key-File-", "OpenVPN")
NEEDLES = tuple(needle.lower() for needle in _CASED_NEEDLES)
"""Strings in lower case, one of which is in every text with a private key."""
_ENCODED = re.compile(r"%[0-9A-Fa-f]{2}|\\/")
"""An escaped character of base64, in a URL or in JSON."""
_BASE64_WORD = re.compile(r"[A-Za-z0-9+/=]{12,}")
_LEAST_BODY = 24
"""Fewest base64 characters of a key: low, as sample keys in tests are shorter than real ones."""
_MOST_OF_LINE = 0.8
"""Least share of base64 in a line that holds a whole key, with blanks in place of line ends."""
_LONGEST_BODY = 40_000
"""Most characters up to the end marker: bounds the search; an RSA key of 16,384 bits has 13,000."""
_EDGE = r"""[\s\#*/"'`+,;|>().\\\[\]]"""
"""A character around the lines of a key that is quoted, commented or indented."""
_BREAK = r"(?:\\{1,8}[nr]|&\#1[03];|\r)"
"""A line end inside a string literal or XML."""
_BODY = re.compile(rf"(?x) {_EDGE}*+ (?P<run>(?:{_BREAK}|[A-Za-z0-9+/=])++) {_EDGE}*+ \Z")
"""A line of base64."""
_EDGE_LINE = re.compile(rf"(?x) (?: {_BREAK} | {_EDGE} )*+")
"""A line without base64 that does not end the body."""
_HEADER = re.compile(
    rf"(?x) {_EDGE}*+ (?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID|Encryption"
    r"|Public-Lines|Private-Lines|Private-MAC|Private-Hash|Key-Derivation|Argon2-\w{1,16}):"
)
"""A header line before the body."""
_GLUED = re.compile(rf"(?x) {_EDGE}*+ [A-Za-z0-9+/=]{{40,}}+")
"""A line of a key, with other text directly after it."""
_PAGE_EDGE_LINES = 4
_PAGE_BREAK = re.compile(rf"(?:[^\n]*\n){{0,{_PAGE_EDGE_LINES}}}?\[page \d+\][^\n]*\n")
"""A page break in the text of a PDF (`ingest.documents`), with the footer before it."""
_LONG_RUN = 16
"""Base64 characters from which a line counts as long: a line of a key has 64 or 70, a word of prose
has fewer than 16."""
_LINE_PREFIX = re.compile(
    r"[ \t]*(?:[-+>|][ \t]*)?(?:\d{1,6}[ \t]*[-:|.)\t ][ \t]*)?"
    r"(?:[$\w.>\[\]-]{1,40}(?:[ \t]+=[ \t]|[ \t]*[.+]=|[ \t]*<<|\.\w{1,20}\()[ \t]*)?"
)
"""Text before a line of a key: a line number, the sign of a diff, a call that appends."""


def private_key_spans(text: str) -> Iterator[Span]:
    """Yield the spans of private keys with their markers; a marker without key has no span."""
    if not any(needle in text for needle in _CASED_NEEDLES):
        return
    markers = list(_BEGIN.finditer(text))
    limits = [marker.start() for marker in markers[1:]] + [len(text)] * bool(markers)
    for marker, limit in zip(markers, limits, strict=True):
        start = marker.end()
        end = _end_by_marker(text, start, limit) or _end_by_body(text, start, limit)
        if end > start:
            yield marker.start(), end


def _end_by_marker(text: str, start: int, limit: int) -> int:
    """Return the offset after the end marker of a key that begins at `start`; 0 without one.

    The marker counts only if at least half of the text before it is base64. It is searched up to
    `limit`.
    """
    marker = _END.search(text, start, min(limit, start + _LONGEST_BODY))
    if not marker:
        return 0
    between = _ENCODED.sub("+", text[start : marker.start()])
    body = sum(len(word) for word in _BASE64_WORD.findall(between) if _is_base64(word))
    letters = sum(map(str.isalnum, between))
    return marker.end() if body >= max(_LEAST_BODY, letters / 2) else 0


def _is_base64(word: str) -> bool:
    return any(map(str.isdigit, word)) and any(map(str.isalpha, word))


def _end_by_body(text: str, start: int, limit: int) -> int:
    """Return the offset after a key's last line of base64, between `start` and `limit`.

    Return `start` if there is no such line.
    """
    position, end, seen_long = start, start, False
    while position < limit:
        stop = _line_end(text, position, limit)
        marker = _END.search(text, position, stop)
        kind = _classify_line(text[position : marker.start() if marker else stop])
        is_body = kind == "long" or (
            kind == "short"
            and (seen_long or (not marker and _has_end_marker(text, stop + 1, limit)))
        )
        if marker:
            return marker.end() if is_body or end > start else start
        if not is_body and kind != "edge":
            if seen_long and (further := _find_on_next_page(text, position, limit)):
                position = further
                continue
            glued = _GLUED.match(text, position, stop)
            return glued.end() if glued else end
        if is_body:
            seen_long, end = seen_long or kind == "long", stop
        position = stop + 1
    return end


def _find_on_next_page(text: str, position: int, limit: int) -> int:
    """Return the offset at which a key goes on after a page break; 0 if it does not.

    A page of a document may have a few other lines at its edge.
    """
    page = _PAGE_BREAK.match(text, position, limit)
    start = page.end() if page else limit
    for _ in range(_PAGE_EDGE_LINES):
        stop = _line_end(text, start, limit)
        if _classify_line(text[start:stop]) == "long":
            return start
        start = stop + 1
        if start >= limit:
            break
    return 0


def _line_end(text: str, position: int, limit: int) -> int:
    end = text.find("\n", position, limit)
    return limit if end < 0 else end


def _classify_line(line: str) -> str:
    """Return the kind of a line near the start or end of a private key.

    It is `long` or `short` for a line of base64, `edge` for a header or another line that a key may
    have, else `other`.
    """
    if _EDGE_LINE.fullmatch(line):
        return "edge"
    if prefix := _LINE_PREFIX.match(line):
        line = line[prefix.end() :]
    if body := _BODY.match(line):
        return "long" if len(body["run"]) >= _LONG_RUN else "short"
    if _HEADER.match(line):
        return "edge"
    words = sum(len(word) for word in _BASE64_WORD.findall(line) if _is_base64(word))
    return "long" if words >= max(_LEAST_BODY, _MOST_OF_LINE * len(line)) else "other"


def _has_end_marker(text: str, position: int, limit: int) -> bool:
    """Tell whether the line at the offset `position` has an end marker of a key.

    A short line before such a line is a part of the key.
    """
    return bool(_END.search(text, position, _line_end(text, min(position, limit), limit)))
