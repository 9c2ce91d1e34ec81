"""Computes fingerprints, which identify a secret without storing it."""

from __future__ import annotations

import hmac
from dataclasses import dataclass

PREFIX = "fingerprint:"
"""Prefix of a fingerprint among the entries of the setting `secrets.ignore`."""
LENGTH = 16
"""Hex digits of a fingerprint: the probability that any two of a million secrets have the same
fingerprint is 1 in 40 million."""


@dataclass(frozen=True, slots=True)
class Fingerprints:
    """The user's key for fingerprints, and the fingerprints of secrets declared harmless.

    The key is needed because a plain hash of a password can be looked up in a list of passwords.
    """

    key: bytes
    harmless: frozenset[str] = frozenset()

    def of(self, secret: str) -> str:
        """Return the fingerprint of a secret: `LENGTH` hex digits."""
        digest = hmac.digest(self.key, secret.encode("utf-8", "surrogatepass"), "sha256")
        return digest.hex()[:LENGTH]
