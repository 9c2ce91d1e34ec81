"""Take resolved edges from a bundle, for files whose edges depend only on files of the bundle.

The edges of all other files are resolved here. Whether an import leads to another file in this
checkout is checked by `graph.update`, as after every sync.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from codeindex.store.catalog.relations import store_resolution
from codeindex.store.graph.stored_resolutions import (
    EdgeSource,
    edge_sources,
)
from codeindex.text.words import IDENTIFIER, name_checksum
from codeindex.types import OVERLOAD_PREFIX, USE_KINDS, EdgeRecord, FileResolution

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codeindex.store.catalog.connection import Catalog

_BATCH_FILES = 200
"""Files of a transaction, as in `graph.update`."""
_MOST_NAME = 1000
_CERTAINTIES = ("resolved", "ambiguous")


def take_edges(catalog: Catalog, lines: Iterable[bytes], reused: Collection[str]) -> int:
    """Store the edges of files whose record was used, and return the number of these files.

    `reused` are their paths. A file is left out if its edges or what they depend on are in other
    files, or if they do not fit the file.
    """
    sources = edge_sources(catalog.connection, reused)
    resolutions = (found for line in lines if (found := _resolution(line, sources)))
    count = 0
    while batch := list(islice(resolutions, _BATCH_FILES)):
        with catalog.writing():
            for resolution in batch:
                store_resolution(catalog.connection, resolution)
        count += len(batch)
    return count


def _resolution(line: bytes, sources: Mapping[str, EdgeSource]) -> FileResolution | None:
    """Return the edges in a line by ids of this catalog; None if they cannot be used."""
    try:
        path, queries, answers, consulted, rows = json.loads(line)
        source = sources[path]
        return FileResolution(
            source.file_id,
            [_edge(row, source, sources) for row in rows],
            [_query(query) for query in queries],
            _text(answers),
            sorted(sources[other].file_id for other in consulted),
        )
    except (ValueError, TypeError, KeyError, IndexError, RecursionError):
        return None


def _edge(row: Any, source: EdgeSource, sources: Mapping[str, EdgeSource]) -> EdgeRecord:
    owner, kind, certainty, target_path, target, name, lines = row
    _check(kind in USE_KINDS and certainty in _CERTAINTIES)
    _check(all(1 <= int(line) <= source.lines for line in _text(lines).split()))
    target_file = None if target_path is None else sources[target_path]
    if target_file is None:
        _check(target is None)
        _check(_is_written(_text(name), source))
    elif name:
        _check(_text(name).removeprefix(OVERLOAD_PREFIX).isdecimal() or _is_written(name, source))
    return EdgeRecord(
        _symbol(owner, source),
        str(kind),
        certainty,
        target_file.file_id if target_file else None,
        _symbol(target, target_file) if target_file else None,
        _text(name),
        lines,
    )


def _symbol(number: object, file: EdgeSource) -> int | None:
    """Return the id of the symbol with this number in a file."""
    if number is None:
        return None
    if not isinstance(number, int) or number < 0:
        raise ValueError("not the number of a symbol")
    return file.symbols[number]


def _is_written(name: str, source: EdgeSource) -> bool:
    return (
        len(name) <= _MOST_NAME
        and name.isprintable()
        and all(name_checksum(word) in source.identifiers for word in IDENTIFIER.findall(name))
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
