"""What documents name: files and symbols in backticks, and where they say that the program starts.

A name becomes an edge only if one thing in the repository is called so.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from posixpath import basename, dirname, join, normpath
from typing import TYPE_CHECKING, NamedTuple

from codeindex.ingest.chunk.prose import headings_of
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.files import stored_text
from codeindex.store.catalog.sql_values import placeholders
from codeindex.text.words import fold
from codeindex.types import FOLDER_INDEX_STEMS, OWNER_KINDS, SymbolKind

if TYPE_CHECKING:
    import sqlite3

MENTION_KINDS = ("mentions", "describes", "entry_point")
_PROSE = tuple(one.name for one in LANGUAGES.values() if one.prose)
_TICKED = re.compile(r"(?<!`)(``?)([^`\n]{2,120})\1(?!`)")
_LINKED = re.compile(r"\]\(([^)\s#]+)")
_ENTRY = re.compile(r"\bentry[ -]?points?\b", re.IGNORECASE)
_ENTRY_HEADING = re.compile(r"\bentry\b|\bentrypoints?\b", re.IGNORECASE)
_PATH = re.compile(r"[\w.@+-]*(?:/[\w.@+-]+)+|[\w@+-][\w.@+-]*\.[a-z]\w{0,4}")
_SYMBOL = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*(?:\(\))?")
_PLAIN = re.compile(r"[a-z]+")
"""A word: it means a symbol only if that is one that stands by itself."""
_STANDING = OWNER_KINDS | {SymbolKind.FUNCTION, SymbolKind.MACRO, SymbolKind.TABLE}
_SEPARATORS = re.compile(r"::|#")


class DocumentMention(NamedTuple):
    """A name in a document, as it is written."""

    line: int
    kind: str
    name: str


class _Target(NamedTuple):
    file: int
    symbol: int | None


def mentions_in(text: str, *, language: str) -> Iterator[DocumentMention]:
    """Yield what a document names, line by line."""
    lines = text.split("\n")
    headings = {one.line: one for one in headings_of(lines, language=language)}
    section = ""
    for number, line in enumerate(lines, 1):
        if number in headings:
            section = headings[number].title
            named = _named(section) or ([section] if _SYMBOL.fullmatch(section) else [])
            yield from (DocumentMention(number, "describes", name) for name in named)
            continue
        leads = _ENTRY.search(line) or _ENTRY_HEADING.search(section)
        for name in _named(line):
            is_entry = leads and _PATH.fullmatch(name)
            yield DocumentMention(number, "entry_point" if is_entry else "mentions", name)


def _named(line: str) -> list[str]:
    ticked = [name.strip() for _, name in _TICKED.findall(line)]
    linked = [one for one in _LINKED.findall(line) if "://" not in one]
    return [one for one in (*ticked, *linked) if _PATH.fullmatch(one) or _SYMBOL.fullmatch(one)]


def update_mentions(catalog: Catalog) -> None:
    """Read new documents, and resolve all names if there are any or a name anywhere has changed.

    A document that was read again as it was has lost its edges too.
    """
    connection = catalog.connection
    new = _new_documents(connection)
    for file_id, path, language in new:
        connection.execute("DELETE FROM mentions WHERE file_id = ?", (file_id,))
        connection.executemany(
            "INSERT INTO mentions VALUES (?, ?, ?, ?)",
            (
                (file_id, *one)
                for one in mentions_in(stored_text(connection, path), language=language)
            ),
        )
    digest = _digest(connection)
    if new or catalog.note("mentions") != digest:
        _link(connection)
        catalog.put_note("mentions", digest)


def _new_documents(connection: sqlite3.Connection) -> list[tuple[int, str, str]]:
    return connection.execute(
        "SELECT id, path, language FROM files WHERE NOT surveyed"  # noqa: S608 (marks)
        f" AND language IN ({placeholders(_PROSE)}) ORDER BY path",
        _PROSE,
    ).fetchall()


def _digest(connection: sqlite3.Connection) -> str:
    """Digest what a name can mean: all paths and what they define; and what documents say."""
    rows = connection.execute(
        "SELECT path, language, digest, interface FROM files LEFT JOIN relations"
        " ON file_id = id ORDER BY path"
    )
    said = (
        f"{path}\0{content if language in _PROSE else interface or content}"
        for path, language, content, interface in rows
    )
    return hashlib.sha256("\n".join(said).encode("utf-8", "replace")).hexdigest()[:32]


def _link(connection: sqlite3.Connection) -> None:
    """Make the edges of all documents anew."""
    connection.execute(
        f"DELETE FROM edges WHERE kind IN ({placeholders(MENTION_KINDS)}) AND source_file IN"  # noqa: S608 (marks)
        f" (SELECT id FROM files WHERE language IN ({placeholders(_PROSE)}))",
        (*MENTION_KINDS, *_PROSE),
    )
    paths = dict(connection.execute("SELECT path, id FROM files").fetchall())
    find_file = _FileFinder(paths)
    find_symbol = lru_cache(maxsize=None)(lambda name: _symbol_called(connection, name))
    lines: dict[tuple[int, str, _Target], list[int]] = {}
    for file_id, path, line, kind, name in connection.execute(
        "SELECT m.file_id, f.path, m.line, m.kind, m.name FROM mentions m"
        " JOIN files f ON f.id = m.file_id ORDER BY m.file_id, m.line"
    ).fetchall():
        target = find_file(path, name) or find_symbol(name)
        if target and target.file != file_id:
            lines.setdefault((file_id, kind, target), []).append(line)
    for file_id, path in _navigation(connection):
        if package := _package_of(path, paths):
            lines.setdefault((file_id, "describes", _Target(package, None)), []).append(1)
    connection.executemany(
        "INSERT INTO edges (source_file, kind, certainty, target_file, target_symbol, target_name,"
        " lines) VALUES (?, ?, 'resolved', ?, ?, '', ?)",
        (
            (file_id, kind, *target, " ".join(map(str, sorted(set(numbers)))))
            for (file_id, kind, target), numbers in lines.items()
        ),
    )


def _navigation(connection: sqlite3.Connection) -> list[tuple[int, str]]:
    return connection.execute(
        "SELECT id, path FROM files WHERE is_navigation ORDER BY path"
    ).fetchall()


def _package_of(path: str, paths: dict[str, int]) -> int | None:
    """Return the file that stands for the folder of a document, if there is one."""
    folder = dirname(path)
    wanted = ((stem, suffix) for stem in sorted(FOLDER_INDEX_STEMS) for suffix in _CODE_SUFFIXES)
    found = (paths.get(join(folder, f"{stem}{suffix}")) for stem, suffix in wanted)
    return next((one for one in found if one is not None), None)


_CODE_SUFFIXES = tuple(
    suffix for one in LANGUAGES.values() if one.symbols and not one.prose for suffix in one.suffixes
)


class _FileFinder:
    """Paths by what a document may call them."""

    def __init__(self, paths: dict[str, int]) -> None:
        self._paths = paths
        self._named: dict[str, list[str]] = {}
        for path in paths:
            self._named.setdefault(basename(path), []).append(path)

    def __call__(self, document: str, name: str) -> _Target | None:
        """Return the file of a path from the root, from the document, or by a unique end."""
        bare = name.removeprefix("./").rstrip("/")
        for path in (bare, normpath(join(dirname(document), name))):
            if path in self._paths:
                return _Target(self._paths[path], None)
        named = self._named.get(basename(bare), [])
        ending = [one for one in named if f"/{one}".endswith(f"/{bare}")]
        return _Target(self._paths[ending[0]], None) if len(ending) == 1 else None


def _symbol_called(connection: sqlite3.Connection, name: str) -> _Target | None:
    """Return the one symbol outside of tests, or in them, that is spelt exactly so."""
    dotted = _SEPARATORS.sub(".", name.removesuffix("()"))
    rows = connection.execute(
        "SELECT s.id, s.file_id, s.qualified, s.kind, f.is_test, f.module FROM symbols s"
        " JOIN files f ON f.id = s.file_id WHERE s.folded = ?",
        (fold(dotted.rpartition(".")[2]),),
    ).fetchall()
    standing = bool(_PLAIN.fullmatch(name))
    fitting = [
        (bool(is_test), _Target(file, one))
        for one, file, qualified, kind, is_test, module in rows
        if f".{module}.{qualified}".endswith(f".{dotted}")
        and (not standing or (kind in _STANDING and "." not in qualified))
    ]
    return _only(target for is_test, target in fitting if not is_test) or _only(
        target for _, target in fitting
    )


def _only(targets: Iterable[_Target]) -> _Target | None:
    """Return the target if there is just one."""
    found = list(targets)
    return found[0] if len(found) == 1 else None
