"""What somebody said, before it is repeated, kept or looked for: pasted secrets are taken out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from codeindex.types import SafeText

_DOUBTFUL = re.compile(
    r"(?<!\S)(?=\S{12})[^\s\d]*+\d|://|-----"
    r"|\b(?>\w*?(?i:pass|pwd|secret|token|key))\w*+[\"']?\s?[=:]"
)
"""Without any of these nothing is a secret: the detectors take 0.2 s to import.

Each word is gone through once, from its start and never back: tried anew at each of its letters,
one of 20,000 letters took seven seconds.
"""


def redact_text(text: str) -> SafeText:
    """Return `text` as a file would be kept that says it."""
    if not _DOUBTFUL.search(text):
        return SafeText(text)
    from codeindex.secrets import redact

    return redact(text).text


def redact_arguments(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments with the secrets in their texts redacted, except cursors."""
    return {name: value if name == "cursor" else _value(value) for name, value in given.items()}


def _value(value: Any) -> Any:
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, (list, tuple)):
        return type(value)(_value(one) for one in value)
    return value
