"""Take resolved edges from a bundle, for files of which nothing that decides the edges has changed.

That is the file itself, and what it could see of the files with which it was resolved. The edges of
all other files are resolved here. Whether an import leads to another file in this
checkout is checked by `graph.update`, as after every sync.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from codeindex.store.catalog.relations import store_resolution
from codeindex.store.graph.stored_resolutions import (
    EdgeSource,
    edge_sources,
    mark_interfaces_shown,
)
from codeindex.text.words import IDENTIFIER
from codeindex.types import OVERLOAD_PREFIX, USE_KINDS, EdgeRecord, FileResolution

if TYPE_CHECKING:
    from codeindex.store.catalog.connection import Catalog

_BATCH_FILES = 200
"""Files of a transaction, as in `graph.update`."""
_MOST_NAME = 1000
_CERTAINTIES = ("resolved", "ambiguous")


def take_edges(catalog: Catalog, lines: Iterable[bytes], reused: Collection[str]) -> int:
    """Store the edges of files whose record was used, and return the number of these files.

    `reused` are their paths. A file is left out if a file that it was resolved with shows something
    else here, or if its edges do not fit it.
    """
    sources = edge_sources(catalog.connection)
    resolutions = (found for line in lines if (found := _resolution(line, sources, reused)))
    count = 0
    while batch := list(islice(resolutions, _BATCH_FILES)):
        with catalog.writing():
            for resolution in batch:
                store_resolution(catalog.connection, resolution)
        count += len(batch)
    with catalog.writing():
        mark_interfaces_shown(catalog.connection)
    return count


def _resolution(
    line: bytes, sources: Mapping[str, EdgeSource], reused: Collection[str]
) -> FileResolution | None:
    """Return the edges in a line by ids of this catalog; None if they cannot be used."""
    try:
        path, queries, answers, consulted, rows = json.loads(line)
        _check(path in reused)
        _check(all(sources[other].interface == shown for other, shown in consulted))
        source = sources[path]
        allowed = {path: source} | {other: sources[other] for other, _ in consulted}
        return FileResolution(
            source.file_id,
            [_edge(row, source, allowed) for row in rows],
            [_query(query) for query in queries],
            _text(answers),
            sorted(sources[other].file_id for other, _ in consulted),
        )
    except (ValueError, TypeError, KeyError, IndexError, RecursionError):
        return None


def _edge(row: Any, source: EdgeSource, seen: Mapping[str, EdgeSource]) -> EdgeRecord:
    """Return one edge; its target must be in one of the files `seen`, or outside."""
    owner, kind, certainty, target_path, target, name, lines = row
    _check(kind in USE_KINDS and certainty in _CERTAINTIES)
    _check(all(1 <= int(line) <= source.lines for line in _text(lines).split()))
    is_count = _text(name).removeprefix(OVERLOAD_PREFIX).isdecimal()
    _check(not name or is_count or _is_written(name, source, seen.values()))
    target_file = None if target_path is None else seen[target_path]
    return EdgeRecord(
        _symbol(owner, source),
        str(kind),
        certainty,
        target_file.file_id if target_file else None,
        _symbol(target, target_file),
        name,
        lines,
    )


def _symbol(number: object, file: EdgeSource | None) -> int | None:
    """Return the id of the symbol with this number in a file."""
    if number is None:
        return None
    if file is None or not isinstance(number, int) or number < 0:
        raise ValueError("not the number of a symbol")
    return file.symbols[number]


def _is_written(name: str, source: EdgeSource, seen: Iterable[EdgeSource]) -> bool:
    """Tell whether the last identifier of a name is in the file, and the others in a file it sees.

    The name of something outside can be qualified by what another file imports.
    """
    if len(name) > _MOST_NAME or not name.isprintable():
        return False
    *others, last = IDENTIFIER.findall(name) or [""]
    return (not last or source.has_identifier(last)) and all(
        any(file.has_identifier(word) for file in seen) for word in others
    )


def _query(query: Any) -> tuple[str, list[str]]:
    path, modules = query
    return _text(path), [_text(module) for module in modules]


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("not a text")  # noqa: TRY004 (as all that a bundle gets wrong)
    return value


def _check(holds: bool) -> None:
    if not holds:
        raise ValueError("the edges do not fit the file")
