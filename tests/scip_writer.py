"""Write SCIP indexes for tests."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

DEFINITION = 1


class Shown(NamedTuple):
    """A name in a line, counted from 1, and the symbol that a compiler says it is."""

    line: int
    text: str
    symbol: str
    roles: int = 0
    at: int = 0
    """Which of the places of the name in the line, from 0."""


def varint(number: int) -> bytes:
    raw = bytearray()
    while number > 0x7F:
        raw.append(number & 0x7F | 0x80)
        number >>= 7
    raw.append(number)
    return bytes(raw)


def number_field(number: int, value: int) -> bytes:
    return varint(number << 3) + varint(value)


def bytes_field(number: int, content: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(content)) + content


def occurrence(text: str, shown: Shown) -> bytes:
    """Encode an occurrence; columns count UTF-16 code units, as those of most indexers."""
    line = text.split("\n")[shown.line - 1]
    start = [match.start() for match in re.finditer(re.escape(shown.text), line)][shown.at]
    before = len(line[:start].encode("utf-16-le")) // 2
    columns = (shown.line - 1, before, before + len(shown.text.encode("utf-16-le")) // 2)
    return (
        bytes_field(1, b"".join(map(varint, columns)))
        + bytes_field(2, shown.symbol.encode())
        + number_field(3, shown.roles)
    )


def document(path: str, text: str, names: Iterable[Shown], *, with_text: bool = False) -> bytes:
    """Encode what an index says of a file."""
    return (
        bytes_field(1, path.encode())
        + b"".join(bytes_field(2, occurrence(text, shown)) for shown in names)
        + (bytes_field(5, text.encode()) if with_text else b"")
        + number_field(6, 2)
    )


def index(documents: Sequence[bytes]) -> bytes:
    """Encode an index, with metadata as indexers write them first."""
    metadata = bytes_field(2, bytes_field(1, b"scip-test"))
    return bytes_field(1, metadata) + b"".join(bytes_field(2, each) for each in documents)


def index_of(
    files: Mapping[str, str], names: Mapping[str, Iterable[Shown]], *, with_text: bool = False
) -> bytes:
    """Encode an index of some files."""
    return index(
        [document(path, files[path], shown, with_text=with_text) for path, shown in names.items()]
    )
