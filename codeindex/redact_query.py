"""Redact secrets that a user pasted into a query, an argument or a message."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from codeindex.types import SafeText

_MAY_BE_SECRET = re.compile(
    r"(?<!\S)(?=\S{12})[^\s\d]*+\d|://|-----"
    r"|\b(?>\w*?(?i:pass|pwd|secret|token|key))\w*+[\"']?\s?[=:]"
)
"""A quick test before the detectors, whose import takes 0.2 s: text without a match has no secret.
The quantifiers are possessive or atomic, so that each word is matched once: with backtracking, a
word of 20,000 letters took seven seconds."""


def redact_text(text: str) -> SafeText:
    """Replace each secret in a query or message by `[REDACTED]`, by the rules for files."""
    if not _MAY_BE_SECRET.search(text):
        return SafeText(text)
    from codeindex.secrets import redact

    return redact(text).text


def redact_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments with secrets redacted in all texts, except in `cursor`.

    A cursor is base64, so it would look like a secret.
    """
    return {
        name: value if name == "cursor" else _redact_value(value)
        for name, value in arguments.items()
    }


def _redact_value(value: Any) -> Any:
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, (list, tuple)):
        return type(value)(map(_redact_value, value))
    if isinstance(value, dict):
        return redact_arguments(value)
    return value
