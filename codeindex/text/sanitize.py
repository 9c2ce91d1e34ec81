"""Text of a repository, made harmless for whoever reads it.

File names, code, commits and settings are written by others. Some characters are commands to a
terminal; others turn the direction of reading, or take no room, so that a program or a model reads
what a person does not see. Each is spelt out wherever something is shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

_HIDDEN = (
    (0x00, 0x08),  # what commands a terminal, but for tabs and line ends
    (0x0B, 0x1F),
    (0x7F, 0x9F),
    (0xAD, 0xAD),  # a hyphen that is not drawn
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),  # letters of Hangul that are blank
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),  # of no width, or turning the direction of reading
    (0x2028, 0x202E),  # ends of lines to some programs, and more directions
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xD800, 0xDFFF),  # halves, which no stream can write
    (0xFE00, 0xFE0D),  # variations; the last two choose between text and picture
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF9, 0xFFFB),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),  # a whole hidden alphabet
)
"""Ranges of characters without a look of their own, as Unicode 16 has them."""
_RANGES = "".join(f"{chr(first)}-{chr(last)}" for first, last in _HIDDEN)
_IN_TEXT = re.compile(f"[{_RANGES}]")
_IN_LINE = re.compile(f"[{_RANGES}\n]")


def escape_line(text: str) -> str:
    """Spell out what one line may not hold: hidden characters, and the ends of lines."""
    return text if text.isascii() and text.isprintable() else _IN_LINE.sub(_spelt, text)


def escape_text(text: str) -> str:
    """Spell out hidden characters, and leave lines as they are."""
    return _IN_TEXT.sub(_spelt, text)


def escape_data(data: Any) -> Any:
    """Spell out hidden characters in every text of plain data, keys included."""
    if isinstance(data, str):
        return escape_text(data)
    if isinstance(data, Mapping):
        return {escape_text(key): escape_data(value) for key, value in data.items()}
    if isinstance(data, Sequence):
        return [escape_data(item) for item in data]
    return data


def escaped_json(data: Any, *, indent: int | None = None) -> str:
    """Write JSON for people and programs: letters as they are, hidden characters as escapes."""
    separators = None if indent else (",", ":")
    text = json.dumps(data, indent=indent, separators=separators, ensure_ascii=False)
    return _IN_TEXT.sub(_escaped, text)


def _spelt(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")


def _escaped(match: re.Match[str]) -> str:
    """Write a character as JSON does, which knows no more than four digits."""
    return json.dumps(match[0])[1:-1] if match[0] != "\x7f" else "\\u007f"
