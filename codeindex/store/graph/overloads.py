"""Calls of one of several overloads: resolved if all of them are requested together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence

from codeindex.types import OVERLOAD_PREFIX

CallSite = tuple[Hashable, Sequence[int], str]
"""(caller and kind, lines, name of the edge)."""


def count_overloads_by_line(edges: Iterable[CallSite]) -> Mapping[Hashable, int]:
    """Count, for each (caller, line), the requested overloads that the call may mean."""
    return Counter(
        (who, line)
        for who, lines, name in edges
        if name.startswith(OVERLOAD_PREFIX)
        for line in lines
    )


def split_by_certainty(
    call: CallSite, counts: Mapping[Hashable, int]
) -> tuple[list[int], list[int]]:
    """Split lines: all candidate overloads are requested, or others are possible."""
    who, lines, name = call
    most = int(name.removeprefix(OVERLOAD_PREFIX))
    sure = [line for line in lines if counts[who, line] >= most]
    return sure, [line for line in lines if line not in sure]
