"""Private keys, which span lines: whole ones, cut ones, and ones inside string literals."""

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
_BEGIN = re.compile(
    rf"{_DASHES} ?BEGIN{_BLANK}{_KIND_OF_KEY} ?{_DASHES}|PuTTY-User-Key-File-\d: [\w-]{{1,40}}",
    re.ASCII,
)
_END = re.compile(rf"{_DASHES} ?END{_BLANK}{_KIND_OF_KEY} ?{_DASHES}", re.ASCII)
_NEEDLES = ("PRIVATE", "PuTTY-User-Key-File-", "OpenVPN")
_ENCODED = re.compile(r"%[0-9A-Fa-f]{2}|\\/")
"""A sign of base64 in an address or in JSON."""
_WORD = re.compile(r"[A-Za-z0-9+/=]{12,}")
_LEAST_BODY = 24
"""Characters of base64 that a key has at least; samples of tests have fewer than real ones."""
_MOSTLY = 0.8
"""The part of a line of a key that is base64 where blanks stand in place of line ends."""
_LONGEST_BODY = 40_000
_EDGE = r"""[\s\#*/"'`+,;|>().\\\[\]]"""
"""What stands around the lines of a key that is quoted, commented or indented."""
_BREAK = r"(?:\\{1,8}[nr]|&\#1[03];|\r)"
_BODY = re.compile(rf"(?x) {_EDGE}*+ (?P<run>(?:{_BREAK}|[A-Za-z0-9+/=])++) {_EDGE}*+ \Z")
_EDGES = re.compile(rf"(?x) (?: {_BREAK} | {_EDGE} )*+")
_HEADER = re.compile(
    rf"(?x) {_EDGE}*+ (?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID|Encryption"
    r"|Public-Lines|Private-Lines|Private-MAC|Private-Hash|Key-Derivation|Argon2-\w{1,16}):"
)
_GLUED = re.compile(rf"(?x) {_EDGE}*+ [A-Za-z0-9+/=]{{40,}}+")
"""A line of a key with something else right behind it."""
_HEAD_LINES = 4
_PAGE = re.compile(rf"(?:[^\n]*\n){{0,{_HEAD_LINES}}}?\[page \d+\][^\n]*\n")
"""The line that begins a page of a PDF (`ingest.documents`), with the foot of the one before."""
_LONG = 16
"""Characters: a line of a key has 64 or 70 of them, a word of prose fewer than this."""
_LEAD = re.compile(
    r"[ \t]*(?:[-+>|][ \t]*)?(?:\d{1,6}[ \t]*[-:|.)\t ][ \t]*)?"
    r"(?:[$\w.>\[\]-]{1,40}(?:[ \t]+=[ \t]|[ \t]*[.+]=|[ \t]*<<|\.\w{1,20}\()[ \t]*)?"
)
"""What stands before a line of a key: a line number, the sign of a diff, a call that appends."""


def private_key_spans(text: str) -> Iterator[Span]:
    """Yield where private keys stand, markers included; a mere mention of a marker stays."""
    if not any(needle in text for needle in _NEEDLES):
        return
    begins = list(_BEGIN.finditer(text))
    limits = [begin.start() for begin in begins[1:]] + [len(text)] * bool(begins)
    for begin, limit in zip(begins, limits, strict=True):
        end = _closed_end(text, begin.end(), limit) or _body_end(text, begin.end(), limit)
        if end > begin.end():
            yield begin.start(), end


def _closed_end(text: str, start: int, limit: int) -> int:
    """Return where the end marker ends, if most of what is before it is base64; else 0."""
    marker = _END.search(text, start, min(limit, start + _LONGEST_BODY))
    if not marker:
        return 0
    between = _ENCODED.sub("+", text[start : marker.start()])
    body = sum(len(word) for word in _WORD.findall(between) if _is_base64(word))
    letters = sum(map(str.isalnum, between))
    return marker.end() if body >= max(_LEAST_BODY, letters / 2) else 0


def _is_base64(word: str) -> bool:
    return any(map(str.isdigit, word)) and any(map(str.isalpha, word))


def _body_end(text: str, start: int, limit: int) -> int:
    """Return where the body between `start` and `limit` ends, or `start` if there is none."""
    position, end, seen_long = start, start, False
    while position < limit:
        stop = _line_end(text, position, limit)
        marker = _END.search(text, position, stop)
        kind = _kind(text[position : marker.start() if marker else stop])
        is_body = kind == "long" or (
            kind == "short" and (seen_long or (not marker and _closes(text, stop + 1, limit)))
        )
        if marker:
            return marker.end() if is_body or end > start else start
        if not is_body and kind != "edge":
            if seen_long and (further := _on_next_page(text, position, limit)):
                position = further
                continue
            glued = _GLUED.match(text, position, stop)
            return glued.end() if glued else end
        if is_body:
            seen_long, end = seen_long or kind == "long", stop
        position = stop + 1
    return end


def _on_next_page(text: str, position: int, limit: int) -> int:
    """Return where a key goes on behind a page's foot and the next one's head; 0 if it does not."""
    found = _PAGE.match(text, position, limit)
    start = found.end() if found else limit
    for _ in range(_HEAD_LINES):
        stop = _line_end(text, start, limit)
        if _kind(text[start:stop]) == "long":
            return start
        start = stop + 1
        if start >= limit:
            break
    return 0


def _line_end(text: str, position: int, limit: int) -> int:
    end = text.find("\n", position, limit)
    return limit if end < 0 else end


def _kind(line: str) -> str:
    if _EDGES.fullmatch(line):
        return "edge"
    if lead := _LEAD.match(line):
        line = line[lead.end() :]
    if body := _BODY.match(line):
        return "long" if len(body["run"]) >= _LONG else "short"
    if _HEADER.match(line):
        return "edge"
    words = sum(len(word) for word in _WORD.findall(line) if _is_base64(word))
    return "long" if words >= max(_LEAST_BODY, _MOSTLY * len(line)) else "other"


def _closes(text: str, position: int, limit: int) -> bool:
    """Tell whether this line ends the key: then even a short line before it is of its body."""
    return bool(_END.search(text, position, _line_end(text, min(position, limit), limit)))
