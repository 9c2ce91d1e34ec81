"""Encode prepared files as JSON lines, which a worker process sends to its parent.

The format is JSON and not pickle: the worker has run parsers over untrusted files, and unpickling
its output could run code.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from dataclasses import asdict
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
    message = json.loads(line)
    message["symbols"] = tuple(_symbol(fields) for fields in message["symbols"])
    message["chunks"] = tuple(_chunk(fields) for fields in message["chunks"])
    message["relations"] = _relations(message["relations"])
    message["identifiers"] = tuple(message["identifiers"])
    message["findings"] = tuple((rule, line) for rule, line in message["findings"])
    return PreparedFile(**message)


def _as_json(value: Any) -> object:
    """Return a JSON value for bytes (as Base64) or for a dataclass (as an object).

    The values in the object are not converted: the JSON encoder calls this again. `asdict` copies
    every value and takes five times as long.
    """
    if isinstance(value, bytes):
        return b64encode(value).decode("ascii")
    return {name: getattr(value, name) for name in value.__slots__}


def _symbol(message: dict[str, Any]) -> Symbol:
    return Symbol(**{**message, "kind": SymbolKind(message["kind"])})


def _relations(message: dict[str, Any]) -> EncodedRelations:
    return EncodedRelations(
        b64decode(message["declared"]),
        b64decode(message["used"]),
        message["interface"],
        message["package"],
        tuple(message["names"]),
    )


def _chunk(message: dict[str, Any]) -> PreparedChunk:
    return PreparedChunk(
        chunk=Chunk(**message["chunk"]),
        words=message["words"],
        names=message["names"],
        tokens=b64decode(message["tokens"]),
        name=message["name"],
        owner=message["owner"],
        signature=message["signature"],
        doc=message["doc"],
    )
