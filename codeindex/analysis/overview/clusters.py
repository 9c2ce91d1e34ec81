"""Cluster files that change in the same commits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations, product

from codeindex.analysis.overview.parts import ChangeCluster

MAX_CLUSTERS = 30
_LEAST_TOGETHER = 3
"""Least common commits of a pair of files: two may be chance."""
_LEAST_STRENGTH, _LEAST_MEAN = 0.4, 0.3
"""Least Jaccard index of a pair, and least mean over a group. With lower limits, groups in celery,
netty and httpx grow to half a module."""
_MOST_MEMBERS = 12

_Pair = tuple[str, str]


def find_clusters(
    commits: Iterable[Sequence[str]], linked: Collection[_Pair]
) -> tuple[ChangeCluster, ...]:
    """Return groups of files that often change in the same commits, the strongest first.

    The strength of a group grows with its common commits and files. `commits` has the paths that
    each commit changed, `linked` the pairs of files of which one uses the other.
    """
    changed = [frozenset(commit) for commit in commits]
    strength = _strengths(changed)
    groups = _merge_pairs(strength)
    clusters = [_cluster(group, strength, changed, linked) for group in groups]
    clusters.sort(
        key=lambda cluster: (
            -cluster.commits * cluster.strength * len(cluster.files),
            cluster.files,
        )
    )
    return tuple(clusters[:MAX_CLUSTERS])


def _strengths(changed: Iterable[frozenset[str]]) -> dict[_Pair, float]:
    """Return the Jaccard index of the commits of each pair of files; rare pairs are left out."""
    alone: Counter[str] = Counter()
    both: Counter[_Pair] = Counter()
    for paths in changed:
        alone.update(paths)
        both.update(combinations(sorted(paths), 2))
    return {
        (name, other): count / (alone[name] + alone[other] - count)
        for (name, other), count in both.items()
        if count >= _LEAST_TOGETHER
    }


def _merge_pairs(strength: Mapping[_Pair, float]) -> list[tuple[str, ...]]:
    """Merge pairs of files into groups by average linkage.

    `strength` is that of each pair. Two groups are merged while the mean strength of the pairs
    between them is high enough.
    """
    group: dict[str, tuple[str, ...]] = {}
    for (name, other), value in sorted(strength.items(), key=lambda item: (-item[1], item[0])):
        if value < _LEAST_STRENGTH:
            break
        left, right = group.get(name, (name,)), group.get(other, (other,))
        if left is right or len(left) + len(right) > _MOST_MEMBERS:
            continue
        between = [strength.get(_pair(*ends), 0.0) for ends in product(left, right)]
        if sum(between) / len(between) >= _LEAST_MEAN:
            merged = tuple(sorted(left + right))
            group.update(dict.fromkeys(merged, merged))
    return sorted(set(group.values()))


def _pair(first: str, other: str) -> _Pair:
    return (first, other) if first < other else (other, first)


def _cluster(
    files: tuple[str, ...],
    strength: Mapping[_Pair, float],
    changed: Iterable[frozenset[str]],
    linked: Collection[_Pair],
) -> ChangeCluster:
    pairs = list(combinations(files, 2))
    mean = sum(strength.get(pair, 0.0) for pair in pairs) / len(pairs)
    members = frozenset(files)
    return ChangeCluster(
        files=files,
        commits=sum(len(members & paths) > 1 for paths in changed),
        strength=round(mean, 3),
        linked=any(pair in linked or pair[::-1] in linked for pair in pairs),
    )
