"""Show lines of code in an answer, each after its number and with a citation of its own."""

from __future__ import annotations

from collections.abc import Mapping

from codeindex.ask.extract import Citation, Sentence
from codeindex.text.indent import indentation
from codeindex.text.truncate import fit_width

_MOST_WIDTH = 120
"""Most characters of a shown line of code."""
_SAYS = 30
"""Characters of a cited line that its citation has."""


def code_sentence(path: str, lines: Mapping[int, str], *, end_line: int) -> Sentence:
    """Return a sentence that shows lines of a file as code: {number: line}, without blank ones.

    `end_line` is the last line of the definition: if more code follows, `…` marks it. 0 shows no
    mark.
    """
    shown = {at: line for at, line in sorted(lines.items()) if line.strip()}
    places = tuple(cite_line(path, at, line) for at, line in shown.items())
    return Sentence(_numbered(shown, end_line), places, "code")


def cite_line(path: str, number: int, line: str) -> Citation:
    """Return the citation of a line of a file; it says how the line begins."""
    return Citation(path, number, line.strip()[:_SAYS])


def _numbered(lines: Mapping[int, str], end_line: int) -> str:
    """Return lines as text, each with its number before it; their common indent is removed.

    `lines` are {number: line} in ascending order. `…` stands for omitted lines, also at the end if
    the code continues until `end_line`.
    """
    indent = min(indentation(line) for line in lines.values())
    width = len(str(max(lines)))
    gap = f"{'…':>{width}}"
    shown, before = list[str](), min(lines) - 1
    for at, line in lines.items():
        if at > before + 2:
            shown.append(gap)
        shown.append(f"{at:>{width}} {fit_width(line[indent:].rstrip(), _MOST_WIDTH)}")
        before = at
    return "\n".join([*shown, gap] if before < end_line else shown)
