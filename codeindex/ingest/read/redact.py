"""Take the secrets out of one file, as far as its user lets us."""

from __future__ import annotations

import sys
from collections.abc import Container, Iterable
from dataclasses import dataclass
from pathlib import Path

from codeindex.config import SecretPattern
from codeindex.secrets import Fingerprints, RedactedText, is_settings_file, redact
from codeindex.secrets.fingerprints import PREFIX

_EVERY_LINE = range(1, sys.maxsize)


@dataclass(frozen=True, slots=True)
class SecretRules:
    """Lines that the user calls no secrets, and the patterns of settings.

    `trusted` is the user's `secrets.ignore`: globs, `path:line` and fingerprints, which `key` makes
    of what is found. A repository can exempt nothing.
    """

    trusted: tuple[str, ...] = ()
    patterns: tuple[SecretPattern, ...] = ()
    key: bytes = b""

    @property
    def fingerprints(self) -> Fingerprints | None:
        """None where no fingerprint is wanted: they take time."""
        if not self.key:
            return None
        prints = (one.removeprefix(PREFIX) for one in self.trusted if one.startswith(PREFIX))
        return Fingerprints(self.key, frozenset(prints))


def fingerprint_key_for(entries: Iterable[str], file: Path) -> bytes:
    """Return the key of fingerprints if an entry is one, else none; a lost key fits no secret."""
    if not any(one.startswith(PREFIX) for one in entries):
        return b""
    return file.read_bytes() if file.is_file() else b""


def redact_file(text: str, *, path: str, rules: SecretRules) -> RedactedText:
    """Redact the whole text of the file at `path`."""
    return redact(
        text,
        settings=is_settings_file(path),
        extra=rules.patterns,
        trusted=_lines(path, rules.trusted),
        fingerprints=rules.fingerprints,
    )


def _lines(path: str, entries: Iterable[str]) -> Container[int]:
    """Return the lines of `path` that the entries name, or all of them where a glob does."""
    lines = set()
    globs = []
    for entry in entries:
        if entry.startswith(PREFIX):
            continue
        place, _, line = entry.rpartition(":")
        if place and line.isdecimal():
            lines |= {int(line)} if place == path else set()
        else:
            globs.append(entry)
    return _EVERY_LINE if globs and _matches(path, globs) else lines


def _matches(path: str, globs: list[str]) -> bool:
    from codeindex.text.globs import IgnoreRules

    return IgnoreRules(globs).selects(path)
