"""Decide which calls of overloaded functions are resolved.

A call that may mean several overloads has one edge to each. If all of them were requested together,
the call certainly uses one of the requested symbols, so it counts as resolved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence

from codeindex.types import OVERLOAD_PREFIX

CallSite = tuple[Hashable, Sequence[int], str]
"""((file, symbol, kind of edge) of the caller, lines, target name of the edge)."""


def count_overloads_by_line(edges: Iterable[CallSite]) -> Mapping[Hashable, int]:
    """Return {(caller, line): number of the edges that come from the call on this line}.

    `edges` lead to the requested symbols. A call that may mean several overloads has an edge to
    each of them; edges to symbols without overloads are ignored.
    """
    return Counter(
        (who, line)
        for who, lines, name in edges
        if name.startswith(OVERLOAD_PREFIX)
        for line in lines
    )


def split_by_certainty(
    call: CallSite, counts: Mapping[Hashable, int]
) -> tuple[list[int], list[int]]:
    """Split the lines of a call into (resolved lines, ambiguous lines).

    A line is resolved if all overloads that the call on it may mean were requested. `counts` has
    the number of these, from `count_overloads_by_line`.
    """
    who, lines, name = call
    most = int(name.removeprefix(OVERLOAD_PREFIX))
    sure = [line for line in lines if counts[who, line] >= most]
    return sure, [line for line in lines if line not in sure]
