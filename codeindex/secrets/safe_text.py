"""Make `SafeText` of text that was redacted earlier."""

from __future__ import annotations

import functools

from codeindex.types import SafeText


def slice_lines(text: SafeText, start_line: int, end_line: int) -> SafeText:
    """Return lines `start_line` to `end_line`, counted from 1 and inclusive."""
    return SafeText("\n".join(_lines(text)[start_line - 1 : end_line]))


@functools.lru_cache(maxsize=1)
def _lines(text: SafeText) -> list[str]:
    """Return the lines of a text; the last text is cached, as a file gives many chunks in a row."""
    return text.split("\n")


def mark_as_safe(text: str) -> SafeText:
    """Return text as `SafeText` that was redacted earlier, such as text read from the index."""
    return SafeText(text)
