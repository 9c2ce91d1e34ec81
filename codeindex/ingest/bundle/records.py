"""Write the record of a file: what its parser found, without the file's text.

The text of every chunk comes from the checkout that reads the record, which redacts it again. A
record is one JSON object in one line.
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from base64 import b64encode
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from codeindex.store.catalog.parsed_files import ParsedChunk, ParsedFile

LOSS_REASON = re.compile(r"(?:syntax error near line ([\d,]+), ([\d,]+) of [\d,]+ lines lost)?")
"""Matches the reasons of files that have a record: no reason, or lines that the parser lost. Files
with other reasons are read again, which costs little."""
SYMBOL_FIELDS = 12
CHUNK_FIELDS = 11


def texts_digest(texts: Iterable[str]) -> str:
    """Return a SHA-256 digest of the redacted texts of a file's chunks.

    It tells whether a bundle's record was made from the same texts.
    """
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode("utf-8", "surrogatepass"))
        digest.update(b"\0")
    return digest.hexdigest()


def record_line(
    file: ParsedFile, symbols: Iterable[tuple[Any, ...]], chunks: list[ParsedChunk]
) -> bytes | None:
    """Return the record of a file, one line of JSON; None if the file needs no record.

    Records are written for files that were parsed, wholly or with lost lines. Other files are cheap
    to read again.
    """
    if not LOSS_REASON.fullmatch(file.reason):
        return None
    record = {
        "path": file.path,
        "digest": file.digest,
        "language": file.language,
        "reason": file.reason,
        "lost": file.lost,
        "texts": texts_digest(chunk.text for chunk in chunks),
        "symbols": list(symbols),
        "chunks": [(*chunk[:-2], b64encode(chunk.tokens).decode("ascii")) for chunk in chunks],
        "declared": _unpacked(file.declared),
        "used": _unpacked(file.used),
    }
    return json.dumps(record, separators=(",", ":")).encode("ascii") + b"\n"


def _unpacked(relations: bytes) -> Any:
    return json.loads(zlib.decompress(relations)) if relations else None
