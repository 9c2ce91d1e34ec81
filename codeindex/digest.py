"""SHA-256 of what is on disk."""

from __future__ import annotations

import hashlib
from pathlib import Path

from codeindex.beneath import open_beneath


def sha256_of(path: Path) -> str:
    """Return the hexadecimal digest of a file's bytes; OSError if it cannot be read."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def sha256_beneath(root: Path, path: str) -> str:
    """Return the digest of a file of somebody's tree; OSError for what is no plain file in it."""
    with open_beneath(root, path) as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()
