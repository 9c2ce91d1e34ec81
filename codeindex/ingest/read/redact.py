"""Redact the secrets of one file, except values that the user declared harmless."""

from __future__ import annotations

import sys
from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from codeindex.config import Config, SecretPattern
from codeindex.secrets import Fingerprints, RedactedText, is_settings_file, redact
from codeindex.secrets.fingerprints import PREFIX
from codeindex.secrets.paths import is_translation_file

_EVERY_LINE = range(1, sys.maxsize)


@dataclass(frozen=True, slots=True)
class SecretRules:
    """The user's settings for redaction: values that are not secrets, and additional patterns.

    `trusted` is the user's `secrets.ignore`: globs, `path:line` and fingerprints. Fingerprints are
    computed with `key`. A repository's own settings cannot exempt anything.
    """

    trusted: tuple[str, ...] = ()
    patterns: tuple[SecretPattern, ...] = ()
    key: bytes = b""

    @property
    def fingerprints(self) -> Fingerprints | None:
        """The trusted fingerprints with the key to compute others; None without a key."""
        if not self.key:
            return None
        trusted = (entry for entry in self.trusted if entry.startswith(PREFIX))
        return Fingerprints(self.key, frozenset(entry.removeprefix(PREFIX) for entry in trusted))

    def without_lines(self) -> SecretRules:
        """Return the rules for parts of files, in which the line numbers of `trusted` are wrong."""
        trusted = tuple(entry for entry in self.trusted if _trusted_line(entry) is None)
        return replace(self, trusted=trusted)


def rules_of(config: Config, key_file: Path) -> SecretRules:
    """Return the rules for redaction that settings contain.

    The key for fingerprints is read from `key_file`, if it exists.
    """
    secrets = config.secrets
    key = fingerprint_key_for(secrets.ignore, key_file)
    return SecretRules(secrets.ignore, config.secret_patterns, key)


def fingerprint_key_for(entries: Iterable[str], file: Path) -> bytes:
    """Return the key in `file` to compute fingerprints; b"" if `entries` have no fingerprint.

    Also return b"" if the file is missing: then no fingerprint is trusted.
    """
    if not any(entry.startswith(PREFIX) for entry in entries):
        return b""
    return file.read_bytes() if file.is_file() else b""


def redact_file(text: str, *, path: str, rules: SecretRules) -> RedactedText:
    """Redact the secrets in `text`.

    `path` tells whether the file has settings or translations, and which lines the user trusts.
    """
    return redact(
        text,
        settings=is_settings_file(path),
        translations=is_translation_file(path),
        extra=rules.patterns,
        trusted=_trusted_lines(path, rules.trusted),
        fingerprints=rules.fingerprints,
    )


def _trusted_lines(path: str, entries: Iterable[str]) -> Container[int]:
    """Return the lines of `path` that the user's settings exempt from redaction.

    `entries` are those of `secrets.ignore`. All lines are exempt if a glob matches the path; lines
    count from 1.
    """
    lines = set()
    globs = []
    for entry in entries:
        if place := _trusted_line(entry):
            lines |= {place[1]} if place[0] == path else set()
        elif not entry.startswith(PREFIX):
            globs.append(entry)
    return _EVERY_LINE if globs and _matches(path, globs) else lines


def _trusted_line(entry: str) -> tuple[str, int] | None:
    """Return (path, line) of an entry of `secrets.ignore`; None for globs and fingerprints."""
    path, _, line = entry.rpartition(":")
    is_place = path and line.isdecimal() and not entry.startswith(PREFIX)
    return (path, int(line)) if is_place else None


def _matches(path: str, globs: list[str]) -> bool:
    from codeindex.text.globs import glob_rules

    return glob_rules(globs).selects(path)
