"""How surely a name finds its definition: `python tests/benchmarks/symbols.py REPO... [--show N]`.

Samples 100 symbols a repository (seed 7) and files of it, writes each in the ways that people write
names, and looks for the definition among the first results. A result is right if it covers the
line on which a symbol of that meaning is defined: where the query cannot tell two symbols apart
(same name, or both fit what was typed of it) either is right. Prints hit@1, hit@3, MRR and the
median time a variant; with --show the first misses.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from codeindex import Index
from codeindex.text.words import fold_name, part_offsets

_SAMPLED = frozenset(
    [
        *("function", "method", "class", "struct", "interface", "trait", "enum", "type"),
        *("constant", "macro", "property", "object"),
    ]
)
SAMPLE, SEED, SHOWN = 100, 7, 10
_OWNERS = 2
"""Owners and the name: shorter qualified names are no other than the name."""
_LEAST_WORDS = 3
"""Words of a name of which one can be left out."""
_LEAST_LETTERS = 7
"""Letters of a name in which a slip of the finger leaves enough."""


@dataclass(frozen=True, slots=True)
class Named:
    """A symbol, or a file where there is no name; `fits` are the places that a query may mean."""

    path: str
    name: str
    qualified: str
    kind: str
    line: int
    end: int


@dataclass(frozen=True, slots=True)
class Trial:
    """A query and the places that are right for it."""

    query: str
    right: frozenset[tuple[str, int]]


Variant = Callable[[Named, Sequence[Named], random.Random], Trial | None]


def _places(found: Iterator[Named]) -> frozenset[tuple[str, int]]:
    return frozenset((one.path, one.line) for one in found)


def _same_name(one: Named, every: Sequence[Named]) -> frozenset[tuple[str, int]]:
    return _places(two for two in every if two.name == one.name)


def _name(one: Named, every: Sequence[Named], _: random.Random) -> Trial:
    return Trial(one.name, _same_name(one, every))


def _owned(mark: str) -> Variant:
    def variant(one: Named, every: Sequence[Named], _: random.Random) -> Trial | None:
        parts = one.qualified.split(".")[-_OWNERS:]
        if len(parts) < _OWNERS or not all(parts) or " " in one.qualified:
            return None
        ending = "." + ".".join(parts)
        same = (two for two in every if f".{two.qualified}".endswith(ending))
        return Trial(mark.join(parts), _places(same))

    return variant


def _in_module(one: Named, every: Sequence[Named], chance: random.Random) -> Trial | None:
    del chance
    folder, _, file = one.path.rpartition("/")
    stem = file.partition(".")[0]
    if "." in one.qualified or not folder:
        return None
    place = f"{folder.rpartition('/')[2]}/{stem}"
    same = (
        two
        for two in every
        if two.qualified == one.name and f"/{two.path}".partition(".")[0].endswith(f"/{place}")
    )
    return Trial(f"{place}.{one.name}", _places(same))


def _in_file(one: Named, every: Sequence[Named], _: random.Random) -> Trial:
    same = (two for two in every if (two.path, two.qualified) == (one.path, one.qualified))
    return Trial(f"{one.path}::{one.qualified}", _places(same))


def _wrong_case(one: Named, every: Sequence[Named], chance: random.Random) -> Trial | None:
    spelt = chance.choice((one.name.lower(), one.name.upper(), one.name.swapcase()))
    if spelt == one.name or any(two.name == spelt for two in every):
        return None
    return Trial(spelt, _places(two for two in every if two.name.lower() == one.name.lower()))


def _other_style(one: Named, every: Sequence[Named], _: random.Random) -> Trial | None:
    bare = one.name.strip("_")
    starts = [*part_offsets(bare), len(bare)]
    words = [bare[a:b].strip("_") for a, b in pairwise(starts)]
    if len(words) < 2 or not bare.isidentifier():
        return None
    camel = words[0].lower() + "".join(word.capitalize() for word in words[1:])
    spelt = camel if "_" in bare else "_".join(words).lower()
    if any(two.name == spelt for two in every):
        return None
    return Trial(spelt, _places(two for two in every if fold_name(two.name) == fold_name(one.name)))


def _prefix(one: Named, every: Sequence[Named], _: random.Random) -> Trial | None:
    length = max(5, len(one.name) * 2 // 3)
    start = one.name[:length].rstrip("_")
    if len(start) >= len(one.name) or any(fold_name(two.name) == fold_name(start) for two in every):
        return None
    return Trial(start, _places(t for t in every if fold_name(t.name).startswith(fold_name(start))))


def _typo(one: Named, every: Sequence[Named], chance: random.Random) -> Trial | None:
    name = one.name
    if len(fold_name(name)) < _LEAST_LETTERS or not name.isidentifier():
        return None
    at = chance.randrange(1, len(name) - 1)
    spelt = chance.choice(
        (
            name[:at] + name[at + 1 :],
            name[:at] + name[at + 1] + name[at] + name[at + 2 :],
            name[:at] + chance.choice("aeiortns") + name[at:],
            name[:at] + chance.choice("aeiortns") + name[at + 1 :],
        )
    )
    if any(fold_name(two.name) == fold_name(spelt) for two in every):
        return None
    return Trial(
        spelt, _places(two for two in every if _one_slip(fold_name(two.name), fold_name(spelt)))
    )


def _one_slip(a: str, b: str) -> bool:
    """Tell whether one letter more, less or other, or two swapped, makes one of the other."""
    if abs(len(a) - len(b)) > 1:
        return False
    start = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(a))
    x, y = a[start:], b[start:]
    return x[1:] in {y, y[1:]} or x == y[1:] or (x[:2] == y[:2][::-1] and x[2:] == y[2:])


def _words(one: Named) -> list[str]:
    bare = one.name.strip("_")
    starts = [*part_offsets(bare), len(bare)]
    return [bare[a:b].strip("_").lower() for a, b in pairwise(starts) if bare[a:b].strip("_")]


def _spoken(one: Named, every: Sequence[Named], _: random.Random) -> Trial | None:
    words = _words(one)
    if len(words) < _OWNERS:
        return None
    folded = "".join(words)
    return Trial(" ".join(words), _places(t for t in every if fold_name(t.name) == folded))


def _partial(one: Named, every: Sequence[Named], chance: random.Random) -> Trial | None:
    """Leave a word out, but not the one that says that a test is meant; tests without are none."""
    words = _words(one)
    other = [at for at, word in enumerate(words) if word != "test"]
    if len(words) < _LEAST_WORDS or ("test" in one.path and len(other) == len(words)):
        return None
    del words[chance.choice(other)]
    said = set(words)
    return Trial(" ".join(words), _places(t for t in every if said <= set(_words(t))))


def _asked(one: Named, every: Sequence[Named], _: random.Random) -> Trial | None:
    if not one.name.isidentifier():
        return None
    return Trial(f"where is `{one.name}` defined", _same_name(one, every))


SYMBOLS: dict[str, Variant] = {
    "name": _name,
    "Owner.name": _owned("."),
    "Owner::name": _owned("::"),
    "Owner#name": _owned("#"),
    "pkg/mod.name": _in_module,
    "path::name": _in_file,
    "wrong case": _wrong_case,
    "other style": _other_style,
    "prefix": _prefix,
    "typo": _typo,
    "spoken words": _spoken,
    "partial words": _partial,
    "where is": _asked,
}


def _operator(one: Named, every: Sequence[Named], _: random.Random) -> Trial:
    return Trial(one.name, _same_name(one, every))


def _is_operator(one: Named) -> bool:
    dunder = one.name.startswith("__") and one.name.endswith("__")
    return dunder or not one.name.replace("$", "a").rstrip("?!=").isidentifier()


def _file_trials(
    paths: Sequence[str], lines: dict[str, int], chance: random.Random
) -> Iterator[tuple[str, Trial]]:
    """Yield queries for files: a result in the file is right, for a line one that covers it."""
    for path in chance.sample(sorted(paths), min(SAMPLE, len(paths))):
        name = path.rpartition("/")[2]
        same = [other for other in paths if other.rpartition("/")[2] == name]
        yield "file.ext", Trial(name, frozenset((other, 0) for other in same))
        yield "path/file.ext", Trial(path, frozenset({(path, 0)}))
        line = chance.randint(1, max(lines[path], 1))
        yield "path:line", Trial(f"{path}:{line}", frozenset({(path, line)}))
        if name.lower() != name or name.upper() != name:
            folded = [other for other in paths if other.rpartition("/")[2].lower() == name.lower()]
            yield "FILE.EXT", Trial(name.upper(), frozenset((other, 0) for other in folded))


def trials(index: Index) -> Iterator[tuple[str, Trial]]:
    with index.reader().corpus() as (catalog, _):
        sql = catalog.connection.execute
        rows = sql(
            "SELECT f.path, s.name, s.qualified, s.kind, s.line, s.end_line FROM symbols s"
            " JOIN files f ON f.id = s.file_id WHERE s.kind != 'section'"
        ).fetchall()
        names = sql("SELECT path, lines FROM files WHERE status IN ('indexed', 'plain') AND lines")
        lines = dict(names.fetchall())
    every = [Named(*row) for row in rows]
    chance = random.Random(SEED)
    plain = [one for one in every if one.kind in _SAMPLED and not _is_operator(one)]
    plain = [one for one in plain if len(one.name) > 2]
    plain.sort(key=lambda one: (one.path, one.line))
    for one in chance.sample(plain, min(SAMPLE, len(plain))):
        for label, variant in SYMBOLS.items():
            if trial := variant(one, every, chance):
                yield label, trial
    operators = {one.name: one for one in every if one.kind in _SAMPLED and _is_operator(one)}
    for name in chance.sample(sorted(operators), min(SAMPLE, len(operators))):
        yield "operator", _operator(operators[name], every, chance)
    yield from _file_trials(sorted(lines), lines, chance)


def rank_of(index: Index, trial: Trial) -> tuple[int, float]:
    """Return the place of the first right result, 0 if there is none, and the seconds it took."""
    started = time.perf_counter()
    answer = index.search(trial.query, limit=SHOWN)
    took = time.perf_counter() - started
    for place, hit in enumerate((*answer.hits, *answer.navigation), 1):
        for path, line in trial.right:
            if hit.path == path and (not line or hit.start_line <= line <= hit.end_line):
                return place, took
    return 0, took


def measure(repos: Sequence[Path], show: int) -> None:
    ranks: dict[str, list[int]] = defaultdict(list)
    times: dict[str, list[float]] = defaultdict(list)
    for root in repos:
        mine: dict[str, list[int]] = defaultdict(list)
        missed = 0
        with Index.open(root) as index:
            index.sync(structure_only=True)
            index.search("warm")
            for label, trial in trials(index):
                rank, took = rank_of(index, trial)
                mine[label].append(rank)
                times[label].append(took)
                if rank != 1 and missed < show:
                    missed += 1
                    print(f"  {root.name} {label}: {trial.query!r} came {rank or 'not'}")
        for label, found in mine.items():
            ranks[label] += found
        worst = {k: f"{sum(r == 1 for r in v) / len(v):.2f}" for k, v in mine.items()}
        print(root.name, " ".join(f"{k}={v}" for k, v in worst.items()), flush=True)
    print(f"{'variant':14} {'n':>5} hit@1 hit@3   MRR  median ms")
    for label, found in ranks.items():
        first = sum(rank == 1 for rank in found) / len(found)
        third = sum(1 <= rank <= 3 for rank in found) / len(found)
        mrr = sum(1 / rank for rank in found if rank) / len(found)
        median = statistics.median(times[label]) * 1000
        print(f"{label:14} {len(found):5} {first:.3f} {third:.3f} {mrr:.3f} {median:6.1f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repos", type=Path, nargs="+")
    parser.add_argument("--show", type=int, default=0, help="Misses to print of each repository.")
    given = parser.parse_args()
    measure(given.repos, given.show)
