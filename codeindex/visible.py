"""Text of a repository, made harmless for whoever reads it."""

from __future__ import annotations

_CONTROLS = {
    code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) != "\t"
} | {code: f"\\u{code:04x}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}
"""Characters that move a terminal's cursor, colour it, or turn the direction of reading."""


def visible(text: str) -> str:
    """Spell out the characters that would command a terminal."""
    return text.translate(_CONTROLS)
