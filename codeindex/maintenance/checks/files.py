"""Check the stored text of files against the files on disk.

A changed file is stale, which the next sync mends. A file whose content differs under the same size
and times, or that was stored wrongly, would stay wrong.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from codeindex.files.safe_open import open_beneath, size_and_times
from codeindex.ingest.read.decode import NotTextError, decode
from codeindex.languages import LANGUAGES
from codeindex.maintenance.checks.context import REPAIR, CheckContext, name_some
from codeindex.store.catalog.files import ChunkRow, pack_layout
from codeindex.store.catalog.verification import (
    VerifiedFile,
    chunk_rows_with_text,
    verified_files,
)
from codeindex.types.verdicts import Verdict, note, ok, problem

_INDEXED = {"indexed", "plain"}
_Chunk = tuple[ChunkRow, str]
"""A chunk's columns and its text."""


@dataclass(slots=True)
class _Found:
    """Paths by what is wrong with them."""

    stale: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    torn: list[str] = field(default_factory=list)
    """A line is in no chunk, or the chunk layout differs from the chunks."""
    false: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    """Skipped for their content, which is unchanged."""


def check_files(context: CheckContext) -> Iterator[Verdict]:
    """Read every file and compare digest, lines and text."""
    found = _Found()
    for row in verified_files(context.connection):
        _look(context, row, found)
    if found.stale:
        text = (
            f"{name_some(found.stale)}: not as when last read; the next search reads what it cites"
        )
        yield note("files", text, remedy="run `codeindex index`", names=tuple(found.stale))
    wrong = (
        (found.hidden, "other bytes than were read, under the same size and times"),
        (found.torn, "not every line is in a chunk, or searches see other chunks"),
        (found.false, "the stored text is not that of the file"),
    )
    for paths, text in wrong:
        if paths:
            yield problem("files", f"{name_some(paths)}: {text}", remedy=REPAIR, names=tuple(paths))
    skipped = f", and {len(found.left_out):,} skipped" if found.left_out else ""
    yield ok("files", f"{len(found.same):,} as they were read{skipped}")


def _look(context: CheckContext, row: VerifiedFile, found: _Found) -> None:
    if not row.digest:  # it could not be read then
        return
    chunks = chunk_rows_with_text(context.connection, row.id)
    if not _is_covered(row, chunks):
        found.torn.append(row.path)
    data = _bytes(context.site.repository.root, row)
    if data is None:
        found.stale.append(row.path)
    elif sha256(data.content).hexdigest() != row.digest:
        (found.hidden if data.looks_same else found.stale).append(row.path)
    elif _differs(row, data.content, chunks):
        found.false.append(row.path)
    elif row.status in _INDEXED:
        found.same.append(row.path)
    else:
        found.left_out.append(row.path)


def _is_covered(row: VerifiedFile, chunks: Sequence[_Chunk]) -> bool:
    """Tell whether every line is in a chunk, and searches see the chunks that there are."""
    ends = 0
    for start, end in sorted((key.start_line, key.end_line) for key, _ in chunks):
        if start > ends + 1:
            return False
        ends = max(ends, end)
    whole = ends == row.lines or row.status not in _INDEXED
    return whole and pack_layout(key for key, _ in chunks) == row.layout


class _Bytes(NamedTuple):
    content: bytes
    looks_same: bool
    """Its size and times are those of when it was read."""


def _bytes(root: Path, row: VerifiedFile) -> _Bytes | None:
    """Read a file; None if there is none any more."""
    try:
        with open_beneath(root, row.path) as handle:
            same = size_and_times(os.fstat(handle.fileno())) == row[3:6]
            return _Bytes(handle.read(), same)
    except OSError:
        return None


def _differs(row: VerifiedFile, data: bytes, chunks: Sequence[_Chunk]) -> bool:
    """Tell whether a chunk is not the file's own lines; those with secrets in them are not.

    Nor are those of documents, whose text is made: a deep check makes it again.
    """
    if row.findings != "[]" or not chunks or LANGUAGES[row.language].document:
        return False
    try:
        lines = decode(data).split("\n")
    except NotTextError:
        return True
    return any("\n".join(lines[c.start_line - 1 : c.end_line]) != text for c, text in chunks)
