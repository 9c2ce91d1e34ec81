"""Encode prepared files as JSON lines, which a worker process sends to its parent.

The format is JSON and not pickle: the worker has run parsers over untrusted files, and unpickling
its output could run code.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from dataclasses import asdict
from operator import attrgetter
from typing import Any, NamedTuple

from codeindex.ingest.bundle.record_place import RecordPlace
from codeindex.types import (
    Chunk,
    EncodedRelations,
    PreparedChunk,
    PreparedFile,
    SourceFile,
    Symbol,
    SymbolKind,
)

READY_LINE = b"ready\n"
"""The reply to settings."""
_SETTINGS_START = b'{"settings"'
"""How a line with settings begins, and no request does."""
_FIELDS = {
    kind: attrgetter(*kind.__slots__)
    for kind in (PreparedFile, PreparedChunk, Chunk, Symbol, EncodedRelations)
}
"""Functions that return the values of all fields, by dataclass."""


class PrepareRequest(NamedTuple):
    """A request to a worker to prepare a file; with `plain`, the file is not parsed.

    `record` tells where the file's record in a bundle lies. The request does not contain the
    record, because it must fit into a pipe.
    """

    file: SourceFile
    plain: bool
    record: RecordPlace | None


def request_line(file: SourceFile, *, plain: bool, record: RecordPlace | None = None) -> bytes:
    return json.dumps({"file": asdict(file), "plain": plain, "record": record}).encode() + b"\n"


def settings_line(settings: dict[str, Any]) -> bytes:
    """Return the line that sets the settings for the requests after it."""
    return json.dumps({"settings": settings}).encode() + b"\n"


def parse_settings(line: bytes) -> dict[str, Any] | None:
    """Return the settings in a line; None if the line is a request for a file instead."""
    if not line.startswith(_SETTINGS_START):
        return None
    settings: dict[str, Any] = json.loads(line)["settings"]
    return settings


def parse_request(line: bytes) -> PrepareRequest:
    message = json.loads(line)
    place = message["record"]
    record = RecordPlace(*place) if place else None
    return PrepareRequest(SourceFile(**message["file"]), message["plain"], record)


def reply_line(file: PreparedFile) -> bytes:
    return json.dumps(file, default=_as_json).encode() + b"\n"


def parse_reply(line: bytes) -> PreparedFile:
    message = dict(zip(PreparedFile.__slots__, json.loads(line), strict=False))
    message["symbols"] = tuple(_symbol(*fields) for fields in message["symbols"])
    message["chunks"] = tuple(_chunk(*fields) for fields in message["chunks"])
    message["relations"] = _relations(*message["relations"])
    message["identifiers"] = tuple(message["identifiers"])
    message["findings"] = tuple((rule, line) for rule, line in message["findings"])
    return PreparedFile(**message)


def _as_json(value: Any) -> object:
    """Return a JSON value for bytes (as Base64) or for a dataclass (the values of its fields).

    The values are not converted: the JSON encoder calls this again. `asdict` copies every value and
    takes five times as long; names of fields take twice as long to write and to read.
    """
    if isinstance(value, bytes):
        return b64encode(value).decode("ascii")
    return _FIELDS[type(value)](value)


def _symbol(name: str, qualified: str, kind: str, *others: Any) -> Symbol:
    return Symbol(name, qualified, SymbolKind(kind), *others)


def _chunk(chunk: list[Any], words: str, names: str, tokens: str, *others: str) -> PreparedChunk:
    return PreparedChunk(Chunk(*chunk), words, names, b64decode(tokens), *others)


def _relations(
    declared: str, used: str, interface: str, package: str, names: list[str]
) -> EncodedRelations:
    return EncodedRelations(b64decode(declared), b64decode(used), interface, package, tuple(names))
