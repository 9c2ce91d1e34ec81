"""Find the code blocks between fences of Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")


def mark_code(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield (line, whether it is code between fences, or a fence) for each line.

    A fence ends with at least as many of the same characters as it began with.
    """
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        yield line, bool(fence or mark)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence):
            fence = ""
