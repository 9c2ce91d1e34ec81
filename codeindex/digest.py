"""SHA-256 of what is on disk."""

from __future__ import annotations

import hashlib
from pathlib import Path


def sha256_of(path: Path) -> str:
    """Return the hexadecimal digest of a file's bytes; OSError if it cannot be read."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()
