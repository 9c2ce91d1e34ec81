"""What readers may see while files are edited: which revision each citation can have come from."""

from __future__ import annotations

import re
import statistics
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

FILES, FUNCTIONS = 24, 4
_MARK = re.compile(r"\brev_(\d+)\b")
_GROWTH, _GROWN_MB = 1.2, 16.0
"""How much more memory the last quarter may take than the second: caches of what was asked."""
_MORE_FILES = 24
"""Open files that come and go with small segments: eight of each of three kinds before a merge."""


def text_of(number: int, revision: int) -> str:
    """Write a file in which every function names its revision, on lines that move with it."""
    lead = "".join(f"# comment {n}\n" for n in range(revision % 7))
    functions = (
        f"def sail_{number}_{n}(wind):\n"
        f'    """Sail ship {number} by the wind, course {n}."""\n'
        f"    rev_{revision} = wind * {n}\n"
        f"    return rev_{revision}\n\n\n"
        for n in range(FUNCTIONS)
    )
    return lead + "".join(functions)


def name_of(number: int) -> str:
    return f"fleet/ship_{number}.py"


@dataclass(frozen=True, slots=True)
class Life:
    """When a revision of a file was on the disk: at the earliest and at the latest."""

    revision: int
    since: float
    until: float


def lives_of(notes: Iterable[Mapping[str, Any]]) -> dict[str, list[Life]]:
    """Return the revisions of each file in their order; the first was there from the beginning."""
    starts: dict[str, list[tuple[int, float, float]]] = defaultdict(list)
    for number in range(FILES):
        starts[name_of(number)].append((0, 0.0, 0.0))
    for one in notes:
        revision = -1 if one["gone"] else one["revision"]
        starts[one["file"]].append((revision, one["from"], one["done"]))
    return {
        path: [
            Life(revision, since, rows[at + 1][2] if at + 1 < len(rows) else float("inf"))
            for at, (revision, since, _) in enumerate(rows)
        ]
        for path, rows in starts.items()
    }


def faults_of(
    notes: Sequence[Mapping[str, Any]], lives: Mapping[str, Sequence[Life]]
) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with what a reader saw: (kind, detail)."""
    version = 0
    for note in notes:
        if "error" in note:
            yield "errors", note["error"]
            continue
        if note["version"] < version:
            yield "torn", f"version {note['version']} after {version}"
        version = note["version"]
        marks: dict[str, set[int]] = defaultdict(set)
        for path, _, text, _ in note["hits"]:
            marks[path] |= {int(one) for one in _MARK.findall(text)}
        for path, line, text, shown in note["hits"]:
            there = {
                one.revision
                for one in lives[path]
                if one.since <= note["done"] and one.until >= note["from"]
            }
            if len(marks[path]) > 1:
                yield "torn", f"{path}: {sorted(marks[path])}"
            elif not marks[path] <= there:
                yield "stale", f"{path}:{line} {marks[path]}, on disk {there}"
            elif shown == "full" and not any(_stands(path, one, line, text) for one in there):
                yield "stale", f"{path}:{line} {text!r}, on disk {there}"


def _stands(path: str, revision: int, line: int, text: str) -> bool:
    """Tell whether a text is what a revision has from a line on; one that is gone has nothing."""
    if revision < 0:
        return False
    number = int(path.rpartition("_")[2].removesuffix(".py"))
    own, lines = text.rstrip("\n").split("\n"), text_of(number, revision).split("\n")
    return lines[line - 1 : line - 1 + len(own)] == own


def growth_of(notes: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield whether a reader took more and more memory or files."""
    sizes = [(note["mb"], note["files"]) for note in notes if "mb" in note]
    quarter = len(sizes) // 4
    if not quarter:
        return
    early, late = sizes[quarter : 2 * quarter], sizes[-quarter:]
    memory = [statistics.median(mb for mb, _ in part) for part in (early, late)]
    files = [statistics.median(files for _, files in part) for part in (early, late)]
    if memory[1] > max(memory[0] * _GROWTH, memory[0] + _GROWN_MB):
        yield "memory", f"{memory[0]:.0f} MB to {memory[1]:.0f} MB"
    if files[1] > files[0] + _MORE_FILES:
        yield "files", f"{files[0]:.0f} to {files[1]:.0f} open files"
