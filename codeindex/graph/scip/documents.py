"""Read the documents of a SCIP index one by one: https://github.com/sourcegraph/scip.

Messages and field numbers are those of `scip.proto`; fields that are not listed here are ignored.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader
from typing import NamedTuple

from codeindex.graph.scip.wire import WireError, read_fields, read_varint, stream_messages

_INDEX_DOCUMENT = 2
_PATH, _OCCURRENCE, _LANGUAGE, _TEXT, _ENCODING = 1, 2, 4, 5, 6
_RANGE, _SYMBOL, _ROLES = 1, 2, 3
DEFINITION_ROLE = 1
UTF8, UTF16, UTF32 = 1, 2, 3

MAX_INDEX_BYTES = 1 << 30
_MAX_DOCUMENT_BYTES = 1 << 25
MAX_OCCURRENCES = 1_000_000
"""Maximum occurrences of a document."""
_SAME_LINE, _TWO_LINES = 3, 4
"""Lengths of a range: 3 is (line, column, end column), 4 is (line, column, end line, end
column)."""


class Occurrence(NamedTuple):
    """A range in one line that refers to a symbol, or defines it, as the bits in `roles` tell.

    Lines and columns count from 0; the end column is excluded.
    """

    line: int
    start: int
    end: int
    symbol: str
    roles: int

    @property
    def is_definition(self) -> bool:
        return bool(self.roles & DEFINITION_ROLE)


@dataclass(frozen=True, slots=True)
class ScipDocument:
    """The part of a SCIP index about one file; `text` is empty in most indexes."""

    path: str
    language: str
    encoding: int
    text: str
    occurrences: tuple[Occurrence, ...]


def stream_documents(handle: BufferedReader) -> Iterator[ScipDocument]:
    """Yield the documents of an index; raise WireError if it is malformed or too large."""
    size = os.fstat(handle.fileno()).st_size
    if size > MAX_INDEX_BYTES:
        raise WireError(f"it has {size:,} bytes, more than {MAX_INDEX_BYTES:,}")
    messages = stream_messages(handle, size, _INDEX_DOCUMENT, longest=_MAX_DOCUMENT_BYTES)
    return map(parse_document, messages)


def parse_document(data: bytes) -> ScipDocument:
    """Decode a document from its protobuf message; raise WireError if it is malformed."""
    texts = {_PATH: "", _LANGUAGE: "", _TEXT: ""}
    encoding = 0
    occurrences: list[Occurrence] = []
    symbols: dict[bytes, str] = {}
    for number, value, end in read_fields(data, 0, len(data)):
        if number == _OCCURRENCE and end >= 0:
            if len(occurrences) >= MAX_OCCURRENCES:
                raise WireError(f"a document has more than {MAX_OCCURRENCES:,} occurrences")
            if occurrence := _occurrence(data, value, end, symbols):
                occurrences.append(occurrence)
        elif number in texts and end >= 0:
            texts[number] = _text(data[value:end])
        elif number == _ENCODING and end < 0:
            encoding = value
    return ScipDocument(texts[_PATH], texts[_LANGUAGE], encoding, texts[_TEXT], tuple(occurrences))


def _occurrence(data: bytes, start: int, end: int, symbols: dict[bytes, str]) -> Occurrence | None:
    """Decode the occurrence in the bytes `start` to `end` of a message.

    Return None if it has no symbol or spans several lines.
    """
    place: list[int] = []
    symbol = ""
    roles = 0
    for number, value, stop in read_fields(data, start, end):
        if number == _RANGE:
            place += _packed(data, value, stop) if stop >= 0 else [value]
        elif number == _SYMBOL and stop >= 0:
            raw = data[value:stop]
            symbol = symbols.get(raw) or symbols.setdefault(raw, _text(raw))
        elif number == _ROLES and stop < 0:
            roles = value
    if len(place) == _TWO_LINES and place[0] == place[2]:
        del place[2]
    if not symbol or len(place) != _SAME_LINE:
        return None
    line, first, last = place
    return Occurrence(line, first, last, symbol, roles)


def _packed(data: bytes, at: int, end: int) -> list[int]:
    numbers: list[int] = []
    while at < end and len(numbers) <= _TWO_LINES:
        number, at = read_varint(data, at)
        numbers.append(number)
    return numbers


def _text(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise WireError("a text is not UTF-8") from error
