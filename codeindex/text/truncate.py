"""Cut texts and lists of names to a length; a mark or a number stands for what is cut off."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SENTENCE = re.compile(r"^(.+?[.!?])(?:\s|$)", re.DOTALL)


def truncate(text: str, most: int) -> str:
    """Return a text, cut to its first `most` characters and `…` if it is longer."""
    return text if len(text) <= most else f"{text[:most]}…"


def fit_width(line: str, width: int) -> str:
    """Return a line of at most `width` characters, the last of which is `…` if it was longer."""
    return line if len(line) <= width else f"{line[: width - 1]}…"


def truncate_to_words(text: str, most: int) -> str:
    """Return a text, cut after its last whole word within `most` characters if it is longer."""
    return text if len(text) <= most else f"{text[:most].rsplit(' ', 1)[0]} …"


def first_sentence(text: str, most: int) -> str:
    """Return the first sentence of a text as one line, cut after a word if it is too long."""
    plain = " ".join(text.split())
    match = _SENTENCE.match(plain)
    return truncate_to_words(match[1] if match else plain, most)


def name_some(names: Sequence[str], most: int = 3) -> str:
    """Return the first names as text, and how many more there are: `"a, b, c and 4 more"`."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
