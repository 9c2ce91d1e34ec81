"""Cluster sets by Jaccard similarity."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

NameSet = frozenset[str]
"""The names that a file is compared by."""


def group_similar(
    name_sets: Mapping[int, NameSet], *, least: int, threshold: float
) -> Iterator[list[int]]:
    """Yield groups of at least `least` keys whose sets are similar, largest group first.

    All sets of a group have a Jaccard similarity of at least `threshold` to the set at its centre.
    The centre is the set with most similar sets, in a tie the first of the mapping, so a sorted
    mapping makes the groups deterministic.
    """
    owners: dict[NameSet, list[int]] = defaultdict(list)
    for key, names in name_sets.items():
        if names:
            owners[names].append(key)
    neighbours = _neighbours(list(owners), threshold)
    left = dict.fromkeys(owners)
    while left:
        centre = max(
            left,
            key=lambda names: sum(len(owners[near]) for near in neighbours[names] if near in left),
        )
        group = [names for names in left if names in neighbours[centre]]
        members = [key for names in group for key in owners[names]]
        if len(members) < least:
            return
        yield sorted(members)
        for names in group:
            del left[names]


def _neighbours(sets: list[NameSet], threshold: float) -> dict[NameSet, set[NameSet]]:
    """Return {set: all sets similar to it, itself included} for each distinct set.

    Prefix filter: a similar set may lack at most `may_lack` elements of a set, so it contains at
    least one of the `may_lack + 1` rarest. Only sets that share such an element are compared.
    """
    counts = Counter(name for names in sets for name in names)
    neighbours: dict[NameSet, set[NameSet]] = {names: {names} for names in sets}
    sets_with: dict[str, list[NameSet]] = defaultdict(list)
    for names in sets:
        rarest = sorted(names, key=lambda name: (counts[name], name))
        # 1e-9: the product of floats may be slightly above a whole number.
        may_lack = len(names) - math.ceil(threshold * len(names) - 1e-9)
        candidates = set()
        for name in rarest[: may_lack + 1]:
            candidates.update(sets_with[name])
            sets_with[name].append(names)
        for other in candidates:
            if jaccard(names, other) >= threshold:
                neighbours[names].add(other)
                neighbours[other].add(names)
    return neighbours


def jaccard(first: NameSet, second: NameSet) -> float:
    """Return the Jaccard similarity, the share of common elements in the union of both sets.

    One of the sets must not be empty.
    """
    return len(first & second) / len(first | second)
