"""Compute the SHA-256 of files, and short digests of lines."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from codeindex.files.safe_open import open_beneath


def sha256_of(path: Path) -> str:
    """Return the hexadecimal SHA-256 of a file; raise OSError if it cannot be read."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def sha256_beneath(root: Path, path: str) -> str:
    """Return the SHA-256 of a regular file below `root`, as hexadecimal digits.

    Raise OSError if it is no regular file or cannot be read.
    """
    with open_beneath(root, path) as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def line_digests(lines: Iterable[str]) -> tuple[str, ...]:
    """Return a short digest of each line, which does not depend on the line end (LF or CRLF)."""
    return tuple(
        hashlib.blake2b(line.rstrip("\r").encode("utf-8", "replace"), digest_size=8).hexdigest()
        for line in lines
    )
