"""Calls of one of several overloads: who asks for all of them has certain answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence

from codeindex.types import OVERLOAD_PREFIX

CallSite = tuple[Hashable, Sequence[int], str]
"""Who calls and in which way, the lines, and the name that the edge has."""


def count_overloads_by_line(edges: Iterable[CallSite]) -> Mapping[Hashable, int]:
    """Count how many overloads are met in each line of those who call one of several."""
    return Counter(
        (who, line)
        for who, lines, name in edges
        if name.startswith(OVERLOAD_PREFIX)
        for line in lines
    )


def split_by_certainty(
    said: CallSite, counts: Mapping[Hashable, int]
) -> tuple[list[int], list[int]]:
    """Part the lines that may mean nothing but what was met from those that may mean another."""
    who, lines, name = said
    most = int(name.removeprefix(OVERLOAD_PREFIX))
    sure = [line for line in lines if counts[who, line] >= most]
    return sure, [line for line in lines if line not in sure]
