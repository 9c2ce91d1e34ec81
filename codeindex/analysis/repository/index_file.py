"""INDEX.md: a repository on one page, for a budget of tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TypedDict

from codeindex.analysis.outline.token_estimates import count_tokens
from codeindex.analysis.repository.repository_map import (
    MapArea,
    RepositoryMap,
    UsedSymbol,
    shorten_map,
)
from codeindex.errors import QueryError
from codeindex.files.safe_open import open_beneath, write_beneath

INDEX_FILE = "INDEX.md"
DEFAULT_INDEX_TOKENS, MIN_INDEX_TOKENS = 2_000, 200
"""Tokens: what an agent reads without asking, and what a heading and a few areas need."""
_MARK = re.compile(rb"\A<!-- Made by `codeindex regenerate-index --budget (\d+)`")
_LONGEST = 100
"""Characters of what is said of a symbol: a line."""
_DETAILS = tuple(product((24, 12, 6), (60, 30, 15, 8, 4), (6, 4, 2, 1, 0)))
"""Central symbols, areas, symbols of each: what is left out first is listed last."""


class IndexFileDict(TypedDict):
    """What `IndexFile` is in JSON."""

    status: str
    message: str
    path: str
    files_indexed: int
    total_lines: int
    tokens: int
    changed: bool


@dataclass(frozen=True, slots=True)
class IndexFile:
    """INDEX.md as it was written; `changed` says whether it had been otherwise."""

    path: Path
    files: int
    lines: int
    tokens: int
    changed: bool

    @property
    def paths(self) -> tuple[str, ...]:
        return ()

    @property
    def message(self) -> str:
        same = "" if self.changed else ", as it was"
        return f"{INDEX_FILE} regenerated ({self.files} files, {self.lines} lines){same}"

    def as_dict(self) -> IndexFileDict:
        return {
            "status": "ok",
            "message": self.message,
            "path": str(self.path),
            "files_indexed": self.files,
            "total_lines": self.lines,
            "tokens": self.tokens,
            "changed": self.changed,
        }

    def columns(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        return ("path", "tokens"), [(str(self.path), str(self.tokens))]

    def text(self) -> Iterator[str]:
        yield f"{self.message}, {self.tokens} tokens: {self.path}"


def write_index_file(root: Path, found: RepositoryMap, *, budget: int) -> IndexFile:
    """Write INDEX.md; QueryError if there is one that codeindex has not made."""
    before = _data(root)
    if before is not None and parse_budget(before) is None:
        raise QueryError(
            f"'{root / INDEX_FILE}' was not made by codeindex and is left alone: rename it first if"
            " you want one that is."
        )
    text = render_index(found, budget=budget)
    data = text.encode("utf-8", "replace")
    changed = before is None or before.replace(b"\r\n", b"\n") != data
    if changed:
        _write(root, data)
    return IndexFile(root / INDEX_FILE, found.files, found.lines, count_tokens(text), changed)


def existing_budget(root: Path) -> int | None:
    """Return the budget of the INDEX.md that codeindex has made in a root, None without one."""
    data = _data(root)
    return None if data is None else parse_budget(data)


def parse_budget(data: bytes) -> int | None:
    found = _MARK.match(data)
    return max(MIN_INDEX_TOKENS, int(found[1])) if found else None


def _data(root: Path) -> bytes | None:
    try:
        with open_beneath(root, INDEX_FILE) as file:
            return file.read(1 << 20)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise QueryError(
            f"'{root / INDEX_FILE}' is a link, or no plain file: rename it."
        ) from error


def _write(root: Path, data: bytes) -> None:
    try:
        write_beneath(root, INDEX_FILE, data)
    except OSError as error:
        raise QueryError(f"'{root / INDEX_FILE}' cannot be written ({error.strerror}).") from error


def render_index(found: RepositoryMap, *, budget: int) -> str:
    """Return the page in all the detail that the budget has room for."""
    head = (
        f"<!-- Made by `codeindex regenerate-index --budget {budget}`: what is edited here is"
        " overwritten. -->"
    )
    text = ""
    for central, areas, things in _DETAILS:
        less = shorten_map(found, things=things, areas=areas, central=central)
        text = "\n".join((head, "", *_lines(less, left_out=len(found.areas) - len(less.areas)), ""))
        if count_tokens(text) <= budget:
            return text
    return _cut(text, budget)


def _cut(text: str, budget: int) -> str:
    lines = text.split("\n")
    while len(lines) > 1 and count_tokens("\n".join(lines)) > budget:
        lines.pop()
    return "\n".join([*lines, ""])


def _lines(found: RepositoryMap, *, left_out: int) -> Iterator[str]:
    yield f"# {found.name}"
    if found.purpose:
        yield from ("", found.purpose)
    languages = ", ".join(name for name, _ in found.languages)
    if languages:
        yield from ("", f"Written in {languages}.")
    if found.areas:
        yield from ("", "## Where things are", "")
    for one in found.areas:
        yield from _area(one)
    if left_out:
        yield f"- and {left_out} smaller folders"
    yield from _section("Where it starts", (f"- `{at}`: {why}" for at, why in found.entries))
    yield from _section("What the rest is built on", (_thing(one) for one in found.central))
    yield from _section(
        "Files that are built alike",
        (
            f"- {one.name}: {len(one.members)} files in `{one.place}`, each with"
            f" {', '.join(f'`{name}`' for name in one.methods[:6])}; see `{one.canonical}`"
            for one in found.patterns
        ),
    )
    tests = (f"- `{folder or '.'}/`: {_counted(count)}" for folder, count in found.tests)
    yield from _section("Tests", tests)


def _section(title: str, lines: Iterator[str]) -> Iterator[str]:
    kept = list(lines)
    if kept:
        yield from ("", f"## {title}", "", *kept)


def _area(one: MapArea) -> Iterator[str]:
    purpose = f": {one.purpose}" if one.purpose else ""
    yield f"- `{one.path or '.'}/` ({_counted(one.files)}){purpose}"
    if one.things:
        names = dict.fromkeys(thing.name for thing in one.things)
        yield f"  - {', '.join(f'`{name}`' for name in names)}"


def _counted(files: int) -> str:
    return "1 file" if files == 1 else f"{files} files"


def _thing(one: UsedSymbol) -> str:
    said = " ".join(one.doc.split()).split(". ")[0].rstrip(".")
    said = said if len(said) <= _LONGEST else f"{said[:_LONGEST].rsplit(' ', 1)[0]} …"
    return f"- `{one.name}` ({one.kind}, `{one.path}`){f': {said}' if said else ''}"
