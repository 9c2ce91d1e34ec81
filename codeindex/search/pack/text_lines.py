"""Format the title lines and the numbered code lines of text answers.

Every line of code begins with its number and a colon, and line ends in file names are escaped, so
that no text of a repository can look like a line of the answer: a title, `[2]`, `note: ` or `next:
`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from codeindex.text.sanitize import escape_line


def section_title(text: str) -> str:
    """Return the title line above the code of a place or above the answer to a query."""
    return f"== {escape_line(text)}"


def numbered_lines(lines: Sequence[tuple[int, str]]) -> Iterator[str]:
    """Yield lines of code as `number:text`, without their common indent."""
    indents = (len(text) - len(text.lstrip()) for _, text in lines if text.strip())
    indent = min(indents, default=0)
    yield from (f"{number}:{text[indent:]}" for number, text in lines)
