"""Taking secrets out of text."""

from __future__ import annotations

from dataclasses import dataclass

from codeindex.types import SafeText


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its secrets, line for line, and what was taken out."""

    text: SafeText
    findings: tuple[object, ...] = ()


def redact(text: str) -> Redacted:
    return Redacted(SafeText(text))
