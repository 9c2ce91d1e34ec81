"""Read and write the columns of chunks that no search reads: contexts and token counts.

They are compressed together for each file, to a third: in rows of `chunks` they would take as much
space as half of the texts.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from codeindex.types import PreparedChunk

_PAIR_BYTES = 4
"""Bytes of a token id with its count (`PreparedChunk.tokens`)."""
_LEVEL = 1
"""Level of compression: 6 takes twice as long and saves 6 % more."""


class PackedChunksError(sqlite3.DatabaseError):
    """The packed columns of a file are missing, or are not those of its chunks."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


def put_packed_chunks(
    connection: sqlite3.Connection, file_id: int, chunks: Sequence[PreparedChunk]
) -> None:
    """Store the contexts and token counts of a file's chunks in place of earlier ones."""
    connection.execute(
        "INSERT OR REPLACE INTO packed_chunks VALUES (?, ?, ?)",
        (
            file_id,
            zlib.compress(json.dumps([each.chunk.context for each in chunks]).encode(), _LEVEL),
            _pack([each.tokens for each in chunks]),
        ),
    )


def packed_columns(connection: sqlite3.Connection, file_id: int) -> list[tuple[str, bytes]]:
    """Return (context, token counts) of a file's chunks, in the order of their ids.

    Raise PackedChunksError if they are damaged or missing, or if there is not one for each chunk.
    """
    row = connection.execute(
        "SELECT contexts, tokens, (SELECT count(*) FROM chunks c WHERE c.file_id = p.file_id)"
        " FROM packed_chunks p WHERE file_id = ?",
        (file_id,),
    ).fetchone()
    with _unreadable_is_damage():
        contexts, tokens, count = row
        texts = json.loads(zlib.decompress(contexts))
        return list(zip(texts, _unpack(tokens, count), strict=True))


def chunk_tokens(connection: sqlite3.Connection) -> Iterator[bytes]:
    """Yield the token counts of all chunks (`PreparedChunk.tokens`), ascending by chunk id.

    Raise PackedChunksError if they are damaged or missing, or if a file has not one for each chunk.
    """
    rows = connection.execute(
        "SELECT c.count, p.tokens FROM (SELECT file_id, min(id) AS first, count(*) AS count"
        " FROM chunks GROUP BY file_id) c LEFT JOIN packed_chunks p ON p.file_id = c.file_id"
        " ORDER BY c.first"
    )
    for count, packed in rows:
        with _unreadable_is_damage():
            tokens = _unpack(packed, count)
        yield from tokens


@contextlib.contextmanager
def _unreadable_is_damage() -> Iterator[None]:
    """Raise PackedChunksError for what the block raises if packed columns are damaged."""
    try:
        yield
    except (zlib.error, ValueError, TypeError) as error:
        raise PackedChunksError(f"packed columns of chunks are damaged: {error}") from error


def _pack(chunks: Sequence[bytes]) -> bytes:
    """Compress the token counts of a file's chunks.

    The data are the number of chunks, the size of each in bytes, and all pairs (see `pack_counts`):
    first the first byte of every pair, then the second of every pair, and so on, because such bytes
    are alike and compress better.
    """
    sizes = np.array([len(chunks), *map(len, chunks)], dtype="<u4")
    pairs = np.frombuffer(b"".join(chunks), dtype=np.uint8).reshape(-1, _PAIR_BYTES)
    return zlib.compress(sizes.tobytes() + pairs.T.tobytes(), _LEVEL)


def _unpack(packed: bytes, count: int) -> list[bytes]:
    """Reverse `_pack`: return the token counts of each of `count` chunks.

    Raise ValueError if they are of another number of chunks.
    """
    data = np.frombuffer(zlib.decompress(packed), dtype=np.uint8)
    head = data[: 4 + 4 * count].view("<u4")
    if len(head) != 1 + count or head[0] != count:
        raise ValueError(f"they are not of {count} chunks")
    sizes, planes = head[1:], data[head.nbytes :]
    pairs = planes.reshape(_PAIR_BYTES, -1).T.tobytes()
    ends = np.cumsum(sizes).tolist()
    return [pairs[end - size : end] for end, size in zip(ends, sizes.tolist(), strict=True)]
