"""Write INDEX.md, an overview of the repository within a token budget."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TypedDict

from codeindex.analysis.outline.token_estimates import count_tokens
from codeindex.analysis.repository.repository_map import MapArea, RepositoryMap, shorten_map
from codeindex.errors import QueryError
from codeindex.files.safe_open import open_beneath, write_beneath
from codeindex.store.graph.usage import SymbolUsage
from codeindex.text.truncate import truncate_to_words
from codeindex.types.report import Table, plural

INDEX_FILE = "INDEX.md"
DEFAULT_INDEX_TOKENS, MIN_INDEX_TOKENS = 2_000, 200
"""Default and least token budget (not measured): a page that an agent can read at once; a heading
with a few areas."""
_MARK = re.compile(rb"\A<!-- Made by `codeindex regenerate-index --budget (\d+)`")
_LONGEST = 100
"""Most characters of a symbol's description: one line."""
_DETAILS = tuple(product((24, 12, 6), (60, 30, 15, 8, 4), (6, 4, 2, 1, 0)))
"""Limits for used symbols, for areas, and for symbols per area; the most detailed combination
first."""


class IndexFileDict(TypedDict):
    """The JSON form of `IndexFile`."""

    status: str
    message: str
    path: str
    files_indexed: int
    total_lines: int
    tokens: int
    changed: bool


@dataclass(frozen=True, slots=True)
class IndexFile:
    """The result of writing INDEX.md; `changed` is false if the file already had this text."""

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
        same = "" if self.changed else ", unchanged"
        size = f"{plural(self.files, 'file')}, {plural(self.lines, 'line')}"
        return f"{INDEX_FILE} regenerated ({size}){same}"

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

    def columns(self) -> Table:
        return ("path", "tokens"), [(str(self.path), str(self.tokens))]

    def text(self) -> Iterator[str]:
        yield f"{self.message}, {self.tokens} tokens: {self.path}"


def write_index_file(root: Path, repository_map: RepositoryMap, *, budget: int) -> IndexFile:
    """Write INDEX.md, of at most `budget` tokens, into the folder `root`.

    Raise QueryError if there is an INDEX.md that codeindex has not made.
    """
    before = _data(root)
    if before is not None and parse_budget(before) is None:
        raise QueryError(
            f"'{root / INDEX_FILE}' was not written by codeindex, and is not replaced: rename it"
            " to have codeindex write one."
        )
    text = render_index(repository_map, budget=budget)
    data = text.encode("utf-8", "replace")
    changed = before is None or before.replace(b"\r\n", b"\n") != data
    if changed:
        _write(root, data)
    return IndexFile(
        root / INDEX_FILE, repository_map.files, repository_map.lines, count_tokens(text), changed
    )


def existing_budget(root: Path) -> int | None:
    """Return the token budget of the existing INDEX.md; None if there is none made by codeindex."""
    data = _data(root)
    return None if data is None else parse_budget(data)


def parse_budget(data: bytes) -> int | None:
    match = _MARK.match(data)
    return max(MIN_INDEX_TOKENS, int(match[1])) if match else None


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


def render_index(repository_map: RepositoryMap, *, budget: int) -> str:
    """Return the text of INDEX.md, with as much detail as the token budget allows."""
    mark = (
        f"<!-- Made by `codeindex regenerate-index --budget {budget}`: what is edited here is"
        " overwritten. -->"
    )
    return render_map(repository_map, budget=budget, head=(mark, ""))


def render_map(repository_map: RepositoryMap, *, budget: int, head: tuple[str, ...] = ()) -> str:
    """Return Markdown text: the lines of `head`, then the map, within `budget` tokens in total."""
    text = ""
    for central, areas, symbols in _DETAILS:
        less = shorten_map(repository_map, symbols=symbols, areas=areas, central=central)
        left_out = len(repository_map.areas) - len(less.areas)
        text = "\n".join((*head, *_lines(less, left_out=left_out), ""))
        if count_tokens(text) <= budget:
            return text
    return _cut(text, budget)


def _cut(text: str, budget: int) -> str:
    lines = text.split("\n")
    while len(lines) > 1 and count_tokens("\n".join(lines)) > budget:
        lines.pop()
    return "\n".join([*lines, ""])


def _lines(repository_map: RepositoryMap, *, left_out: int) -> Iterator[str]:
    yield f"# {repository_map.name}"
    if repository_map.purpose:
        yield from ("", repository_map.purpose)
    languages = ", ".join(name for name, _ in repository_map.languages)
    if languages:
        yield from ("", f"Written in {languages}.")
    if repository_map.areas:
        yield from ("", "## Folders", "")
    for area in repository_map.areas:
        yield from _area_lines(area)
    if left_out:
        yield f"- and {plural(left_out, 'smaller folder')}"
    yield from _section("Entry points", (f"- `{at}`: {why}" for at, why in repository_map.entries))
    yield from _section(
        "Most used symbols", (_symbol_line(symbol) for symbol in repository_map.central)
    )
    yield from _section(
        "Files of the same structure",
        (
            f"- {pattern.name}: {len(pattern.members)} files in `{pattern.place}`, each with"
            f" {', '.join(f'`{name}`' for name in pattern.methods[:6])}; see `{pattern.canonical}`"
            for pattern in repository_map.patterns
        ),
    )
    tests = (
        f"- `{folder or '.'}/`: {plural(count, 'file')}" for folder, count in repository_map.tests
    )
    yield from _section("Tests", tests)


def _section(title: str, lines: Iterator[str]) -> Iterator[str]:
    kept_lines = list(lines)
    if kept_lines:
        yield from ("", f"## {title}", "", *kept_lines)


def _area_lines(area: MapArea) -> Iterator[str]:
    purpose = f": {area.purpose}" if area.purpose else ""
    yield f"- `{area.path or '.'}/` ({plural(area.files, 'file')}){purpose}"
    if area.symbols:
        names = dict.fromkeys(symbol.name for symbol in area.symbols)
        yield f"  - {', '.join(f'`{name}`' for name in names)}"


def _symbol_line(symbol: SymbolUsage) -> str:
    text = " ".join(symbol.doc.split()).split(". ")[0].rstrip(".")
    text = truncate_to_words(text, _LONGEST)
    return f"- `{symbol.name}` ({symbol.kind}, `{symbol.path}`){f': {text}' if text else ''}"
