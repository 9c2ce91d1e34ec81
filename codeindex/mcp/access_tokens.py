"""Read which repositories each access token may see."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import takewhile
from pathlib import Path

from codeindex.errors import AddressError
from codeindex.mcp.address import is_token, read_private_file

_MOST_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class AccessGrant:
    """The repositories that a client with a certain token may see. `globs` match their names."""

    globs: tuple[str, ...]

    def may_see(self, name: str) -> bool:
        """Tell whether the grant includes the repository `name`; case matters."""
        return any(fnmatchcase(name, pattern) for pattern in self.globs)


def token_digest(token: str) -> str:
    """Return the SHA-256 of a token, by which its grant is looked up.

    So no comparison depends on a secret.
    """
    return hashlib.sha256(token.encode()).hexdigest()


def read_access_grants(file: Path) -> dict[str, AccessGrant]:
    """Read a file with lines `TOKEN GLOB [GLOB …]`; return {digest of the token: grant}.

    `*` allows all repositories; '#' at the start of a word begins a comment. Raise AddressError for
    a file that others may read, for an invalid line, for a glob that begins with '!' and for a
    token that occurs twice; no message shows a token.
    """
    text = read_private_file(file, most=_MOST_BYTES).decode("utf-8", errors="replace")
    grants: dict[str, AccessGrant] = {}
    for number, digest, grant in _grants(text, file):
        if digest in grants:
            raise AddressError(
                f"Line {number} of '{file}' has the token of an earlier line: write one line with"
                " all its repositories."
            )
        grants[digest] = grant
    if not grants:
        raise AddressError(f"The token file '{file}' has no token: write `TOKEN GLOB` lines.")
    return grants


def _grants(text: str, file: Path) -> Iterator[tuple[int, str, AccessGrant]]:
    for number, line in enumerate(text.splitlines(), 1):
        words = list(takewhile(lambda word: not word.startswith("#"), line.split()))
        if not words:
            continue
        if not is_token(words[0]):
            raise AddressError(
                f"Line {number} of '{file}' begins with no token: it needs at least 16 letters,"
                " digits or any of -._~+/."
            )
        if len(words) == 1:
            raise AddressError(
                f"Line {number} of '{file}' allows no repository: write names or globs behind the"
                " token, `*` for all."
            )
        if negated := next((glob for glob in words[1:] if glob.startswith("!")), ""):
            raise AddressError(
                f"Line {number} of '{file}' has '{negated}': a glob cannot take repositories away;"
                " write those that the token may see."
            )
        yield number, token_digest(words[0]), AccessGrant(tuple(words[1:]))
