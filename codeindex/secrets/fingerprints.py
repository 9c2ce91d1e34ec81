"""Telling a secret again without keeping it."""

from __future__ import annotations

import hmac
from dataclasses import dataclass

PREFIX = "fingerprint:"
"""What a fingerprint begins with among the entries of `secrets.ignore`."""
LENGTH = 16
"""Hex digits: chance gives two of a million secrets the same once in 40 million times."""


@dataclass(frozen=True, slots=True)
class Fingerprints:
    """The user's own key, without which a fingerprint tells nothing, and what they call harmless.

    A plain hash of a password can be looked up in a list of passwords.
    """

    key: bytes
    harmless: frozenset[str] = frozenset()

    def of(self, secret: str) -> str:
        found = hmac.digest(self.key, secret.encode("utf-8", "surrogatepass"), "sha256")
        return found.hex()[:LENGTH]
