"""Group sets that are nearly the same."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

NameSet = frozenset[str]
"""What a file is compared by."""


def group_similar(
    signatures: Mapping[int, NameSet], *, least: int, threshold: float
) -> Iterator[list[int]]:
    """Yield groups around the sets that have the most others near them, largest groups first.

    All of a group have a Jaccard similarity of at least `threshold` to one of them. Of equal
    claims the first in the mapping goes first: sort it, and the groups depend on nothing else.
    """
    owners: dict[NameSet, list[int]] = defaultdict(list)
    for one, names in signatures.items():
        if names:
            owners[names].append(one)
    near = _near(list(owners), threshold)
    left = dict.fromkeys(owners)
    while left:
        centre = max(left, key=lambda one: sum(len(owners[x]) for x in near[one] if x in left))
        group = [names for names in left if names in near[centre]]
        members = [one for names in group for one in owners[names]]
        if len(members) < least:
            return
        yield sorted(members)
        for names in group:
            del left[names]


def _near(sets: list[NameSet], threshold: float) -> dict[NameSet, set[NameSet]]:
    """Return for each of the distinct sets those that are similar to it, itself included.

    Two sets can only be so if they share one of their few rarest elements: as many as either may
    lack of the other, and one. Comparing those alone spares the square of their number.
    """
    counts = Counter(name for one in sets for name in one)
    near: dict[NameSet, set[NameSet]] = {one: {one} for one in sets}
    having: dict[str, list[NameSet]] = defaultdict(list)
    for one in sets:
        rarest = sorted(one, key=lambda name: (counts[name], name))
        # The product may come out a hair above a whole number.
        may_lack = len(one) - math.ceil(threshold * len(one) - 1e-9)
        seen = set()
        for name in rarest[: may_lack + 1]:
            seen.update(having[name])
            having[name].append(one)
        for other in seen:
            if jaccard(one, other) >= threshold:
                near[one].add(other)
                near[other].add(one)
    return near


def jaccard(one: NameSet, other: NameSet) -> float:
    """Return the share of all elements that both sets have."""
    return len(one & other) / len(one | other)
