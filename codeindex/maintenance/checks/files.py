"""Check the stored text of files against the files on disk.

A changed file is only stale, because the next sync updates it. Two results are problems that no
sync would correct: a file that was stored wrongly, and a file whose content changed while its size
and times stayed the same.
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
from codeindex.maintenance.checks.context import REPAIR, CheckContext
from codeindex.store.catalog.verification import (
    VerifiedFile,
    are_packed_columns_sound,
    chunk_rows_with_text,
    verified_files,
)
from codeindex.store.catalog.write_files import ChunkRow, pack_layout
from codeindex.text.truncate import name_some
from codeindex.types.verdicts import Verdict, note, ok, problem

_INDEXED = {"indexed", "plain"}
_Chunk = tuple[ChunkRow, str]
"""A chunk's columns and its text."""


@dataclass(slots=True)
class _PathsByVerdict:
    """The paths of the compared files, one list for each result of the comparison."""

    stale: list[str] = field(default_factory=list)
    changed_unnoticed: list[str] = field(default_factory=list)
    incomplete: list[str] = field(default_factory=list)
    """Files with a line that is in no chunk, or a chunk layout that differs from the chunks."""
    wrong_text: list[str] = field(default_factory=list)
    unreadable_columns: list[str] = field(default_factory=list)
    """Files with chunks whose context or token counts are missing or damaged."""
    same: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    """Files that were skipped for their content, which has not changed."""


def check_files(context: CheckContext) -> Iterator[Verdict]:
    """Read every file and compare its digest, lines and text with the catalog."""
    paths = _PathsByVerdict()
    for file in verified_files(context.connection):
        _compare_file(context, file, paths)
    if paths.stale:
        text = (
            f"{name_some(paths.stale)}: changed since they were read; searches read the files"
            " that they cite"
        )
        yield note("files", text, remedy="run `codeindex index`", names=tuple(paths.stale))
    wrong = (
        (paths.changed_unnoticed, "the content changed, but not the size and times"),
        (paths.incomplete, "not every line is in a chunk, or searches see other chunks"),
        (paths.wrong_text, "the stored text differs from the file"),
        (paths.unreadable_columns, "the stored token counts or contexts cannot be read"),
    )
    for names, text in wrong:
        if names:
            yield problem("files", f"{name_some(names)}: {text}", remedy=REPAIR, names=tuple(names))
    skipped = f", and {len(paths.left_out):,} skipped" if paths.left_out else ""
    yield ok("files", f"{len(paths.same):,} as they were read{skipped}")


def _compare_file(context: CheckContext, file: VerifiedFile, paths: _PathsByVerdict) -> None:
    if not file.digest:  # the file could not be read
        return
    chunks = chunk_rows_with_text(context.connection, file.id)
    if not _is_covered(file, chunks):
        paths.incomplete.append(file.path)
    elif not are_packed_columns_sound(context.connection, file.id):
        paths.unreadable_columns.append(file.path)
    data = _read_content(context.repository.root, file)
    if data is None:
        paths.stale.append(file.path)
    elif sha256(data.content).hexdigest() != file.digest:
        (paths.changed_unnoticed if data.looks_same else paths.stale).append(file.path)
    elif _differs(file, data.content, chunks):
        paths.wrong_text.append(file.path)
    elif file.status in _INDEXED:
        paths.same.append(file.path)
    else:
        paths.left_out.append(file.path)


def _is_covered(file: VerifiedFile, chunks: Sequence[_Chunk]) -> bool:
    """Tell whether the chunks cover every line of a file and agree with its `files.layout`."""
    ends = 0
    for start, end in sorted((key.start_line, key.end_line) for key, _ in chunks):
        if start > ends + 1:
            return False
        ends = max(ends, end)
    whole = ends == file.lines or file.status not in _INDEXED
    return whole and pack_layout(key for key, _ in chunks) == file.layout


class _FileContent(NamedTuple):
    content: bytes
    looks_same: bool
    """Whether size and times are equal to those in the catalog."""


def _read_content(root: Path, file: VerifiedFile) -> _FileContent | None:
    """Read a file from disk; None if it cannot be opened."""
    try:
        with open_beneath(root, file.path) as handle:
            same = size_and_times(os.fstat(handle.fileno())) == (
                file.size,
                file.mtime_ns,
                file.ctime_ns,
            )
            return _FileContent(handle.read(), same)
    except OSError:
        return None


def _differs(file: VerifiedFile, data: bytes, chunks: Sequence[_Chunk]) -> bool:
    """Tell whether the text of a chunk differs from the lines of the file.

    Return False for files with secrets, whose stored text is redacted, and for documents, whose
    stored text is extracted. `check_reparse` compares these files.
    """
    if file.findings != "[]" or not chunks or LANGUAGES[file.language].document:
        return False
    try:
        lines = decode(data).split("\n")
    except NotTextError:
        return True
    return any("\n".join(lines[c.start_line - 1 : c.end_line]) != text for c, text in chunks)
