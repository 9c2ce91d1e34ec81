"""Decide which shares hold a repository, by rendezvous hashing."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

COPIES = 2
"""Number of shares that hold each repository, so that one machine can be lost without losing
answers."""


def place_repository(name: str, shares: Sequence[str], copies: int = COPIES) -> tuple[str, ...]:
    """Return the names of the `copies` shares that hold a repository.

    The first is the one to ask first. Each share gets about the same number of repositories. When a
    share is added or removed, only the repositories that it gains or loses are moved.
    """
    return tuple(sorted(shares, key=lambda share: _weight(name, share))[:copies])


def _weight(name: str, share: str) -> bytes:
    text = f"{share}\0{name}".encode(errors="surrogateescape")
    return hashlib.sha256(text).digest()
