"""Escape invisible and control characters in text that is shown.

File names, code, commits and settings may come from strangers. Some characters control a terminal;
others change the direction of reading or have no width, so that a program or a model reads text
that a person does not see.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

_HIDDEN = (
    (0x00, 0x08),  # control characters, except tab and line feed
    (0x0B, 0x1F),
    (0x7F, 0x9F),
    (0xAD, 0xAD),  # soft hyphen
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),  # blank letters of Hangul
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),  # zero width, and direction marks
    (0x2028, 0x202E),  # line separators, and direction controls
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xD800, 0xDFFF),  # surrogates, which no stream can encode
    (0xFE00, 0xFE0D),  # variation selectors; FE0E and FE0F select text or emoji
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF9, 0xFFFB),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),  # tags and variation selectors
)
"""Ranges of characters that are invisible or control display, as of Unicode 16."""
_RANGES = "".join(f"{chr(first)}-{chr(last)}" for first, last in _HIDDEN)
_SELECTS_NOTHING = "(?<=[\ufe0e\ufe0f])[\ufe0e\ufe0f]"
"""A selector of text or emoji after another one; a series of them can hide a message."""
_IN_TEXT = re.compile(f"[{_RANGES}]|{_SELECTS_NOTHING}")
_IN_LINE = re.compile(f"[{_RANGES}\n]|{_SELECTS_NOTHING}")


def escape_line(text: str) -> str:
    r"""Replace hidden characters and line feeds in `text` by escapes such as `\u200b`."""
    return text if text.isascii() and text.isprintable() else _IN_LINE.sub(_unicode_escape, text)


def escape_text(text: str) -> str:
    r"""Replace hidden characters in `text` by escapes such as `\u200b`; keep line feeds."""
    return _IN_TEXT.sub(_unicode_escape, text)


def escape_data(data: Any) -> Any:
    """Return JSON-like data with hidden characters escaped in all strings, keys included."""
    if isinstance(data, str):
        return escape_text(data)
    if isinstance(data, Mapping):
        return {escape_text(key): escape_data(value) for key, value in data.items()}
    if isinstance(data, Sequence):
        return [escape_data(value) for value in data]
    return data


def escaped_json(data: Any, *, indent: int | None = None) -> str:
    """Return data as JSON: non-ASCII letters as they are, hidden characters as JSON escapes."""
    separators = None if indent else (",", ":")
    text = json.dumps(data, indent=indent, separators=separators, ensure_ascii=False)
    return _IN_TEXT.sub(_json_escape, text)


def _unicode_escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")


def _json_escape(match: re.Match[str]) -> str:
    """Return the JSON escape of a character; above U+FFFF it is a surrogate pair."""
    return json.dumps(match[0])[1:-1] if match[0] != "\x7f" else "\\u007f"
