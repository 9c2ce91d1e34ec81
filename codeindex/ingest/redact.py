"""Take the secrets out of one file, as far as its user lets us."""

from __future__ import annotations

import sys
from collections.abc import Container, Iterable
from dataclasses import dataclass

from codeindex.config import SecretPattern
from codeindex.secrets import Redacted, is_settings_file, redact

_EVERY_LINE = range(1, sys.maxsize)


@dataclass(frozen=True, slots=True)
class SecretRules:
    """Lines that people call no secrets, as `path:line` or a glob, and detectors of their own.

    `trusted` comes from the user's own configuration, `doubted` from the repository's, which is
    not believed about private keys and providers' tokens.
    """

    trusted: tuple[str, ...] = ()
    doubted: tuple[str, ...] = ()
    patterns: tuple[SecretPattern, ...] = ()


def redact_file(text: str, *, path: str, rules: SecretRules) -> Redacted:
    """Redact the whole text of the file at `path`."""
    return redact(
        text,
        settings=is_settings_file(path),
        extra=rules.patterns,
        trusted=_lines(path, rules.trusted),
        doubted=_lines(path, rules.doubted),
    )


def _lines(path: str, entries: Iterable[str]) -> Container[int]:
    """Return the lines of `path` that the entries name, or all of them where a glob does."""
    lines = set()
    globs = []
    for entry in entries:
        place, _, line = entry.rpartition(":")
        if place and line.isdecimal():
            lines |= {int(line)} if place == path else set()
        else:
            globs.append(entry)
    return _EVERY_LINE if globs and _matches(path, globs) else lines


def _matches(path: str, globs: list[str]) -> bool:
    from codeindex.globs import Ignore

    return Ignore(globs).selects(path)
