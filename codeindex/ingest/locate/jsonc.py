"""JSON as people write it: with comments and commas at the end."""

from __future__ import annotations

import json
import re

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

_STRING = r'"(?:[^"\\\n]|\\.)*"'
_NOISE = re.compile(rf"({_STRING})|//[^\n]*|/\*.*?\*/", re.DOTALL)
_LAST_COMMA = re.compile(rf"({_STRING})|,(?=\s*[}}\]])")


def loaded(text: str) -> Json:
    """Return the content, None where it is broken."""
    plain = _NOISE.sub(lambda match: match[1] or " ", text.removeprefix("\ufeff"))
    try:
        content: Json = json.loads(_LAST_COMMA.sub(lambda match: match[1] or "", plain))
    except (ValueError, RecursionError):
        return None
    return content
