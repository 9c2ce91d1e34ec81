"""Make the entry of a model's file in `models.lock`."""

from __future__ import annotations

from pathlib import Path

from codeindex.files.digest import sha256_of


def lock_entry(file: Path) -> str:
    """Return the TOML table with the file's name, size in bytes and SHA-256."""
    size, digest = file.stat().st_size, sha256_of(file)
    return f'[[model.file]]\nname = "{file.name}"\nsize = {size}\nsha256 = "{digest}"\n'
