"""Read and write relations and edges for `codeindex.graph`, which resolves names to symbols.

A file's relations are the names that it declares, uses and exports.
"""

from __future__ import annotations

import json
import sqlite3
import struct
import sys
import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence

from codeindex.types import Definition, EncodedRelations, SymbolKind


def replace_relations(
    connection: sqlite3.Connection, file_id: int, relations: EncodedRelations
) -> None:
    """Store what the parser found in a file, and mark the file as unresolved.

    Until `store_resolution` is called for the file, its edges are missing or out of date.
    """
    connection.execute(
        "INSERT INTO relations (file_id, declared, used, interface) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (file_id) DO UPDATE SET declared = excluded.declared, used = excluded.used,"
        " interface = excluded.interface, resolved = 0",
        (file_id, relations.declared, relations.used, relations.interface),
    )


def stored_declarations(connection: sqlite3.Connection, file_id: int | None) -> bytes:
    """Return a file's declarations as bytes (`EncodedRelations.declared`); b"" if it has none."""
    row = connection.execute(
        "SELECT declared FROM relations WHERE file_id = ?", (file_id,)
    ).fetchone()
    return row[0] if row and row[0] else b""


def stored_uses(connection: sqlite3.Connection, file_id: int) -> bytes:
    """Return the uses of names in a file (calls, references, bases) as bytes.

    The bytes are those of `EncodedRelations.used`.
    """
    (used,) = connection.execute(
        "SELECT used FROM relations WHERE file_id = ?", (file_id,)
    ).fetchone()
    return bytes(used)


def mark_edges_stale(connection: sqlite3.Connection) -> None:
    """Record that edges are out of date, so that the next graph question resolves them first."""
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('unrelated', '1')")


def mark_edges_current(connection: sqlite3.Connection) -> None:
    """Note in the catalog that all edges are up to date, which undoes `mark_edges_stale`."""
    connection.execute("DELETE FROM meta WHERE key = 'unrelated'")


def edges_are_stale(connection: sqlite3.Connection) -> bool:
    """Tell whether some edges are out of date, as noted by `mark_edges_stale`."""
    row = connection.execute("SELECT 1 FROM meta WHERE key = 'unrelated'").fetchone()
    return row is not None


def files_with_stale_edges(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Return the paths of the unresolved files. Their edges are out of date or missing."""
    rows = connection.execute(
        "SELECT f.path FROM relations r JOIN files f ON f.id = r.file_id WHERE NOT r.resolved"
    )
    return tuple(path for (path,) in rows)


def replace_shown_names(
    connection: sqlite3.Connection, file_id: int, relations: EncodedRelations
) -> None:
    """Replace the stored names that other files of a package can use from this file.

    `relations` has the package and the names. Triggers record which names changed (see
    `changed_names`).
    """
    rows = connection.execute("SELECT package, name FROM shown_names WHERE file_id = ?", (file_id,))
    known = set(rows.fetchall())
    shown = {(relations.package, name) for name in relations.names}
    connection.executemany(
        "DELETE FROM shown_names WHERE package = ? AND name = ? AND file_id = ?",
        ((*item, file_id) for item in known - shown),
    )
    connection.executemany(
        "INSERT INTO shown_names VALUES (?, ?, ?)", ((*item, file_id) for item in shown - known)
    )


def files_by_shown_name(connection: sqlite3.Connection, package: str) -> dict[str, list[str]]:
    """Return {name: sorted paths of the files that export it} for one package."""
    found: dict[str, list[str]] = {}
    rows = connection.execute(
        "SELECT n.name, f.path FROM shown_names n JOIN files f ON f.id = n.file_id"
        " WHERE n.package = ? ORDER BY f.path",
        (package,),
    )
    for name, path in rows:
        found.setdefault(name, []).append(path)
    return found


def packages_showing(connection: sqlite3.Connection, name: str) -> list[str]:
    """Return the names of the packages that export a name, sorted."""
    rows = connection.execute(
        "SELECT DISTINCT package FROM shown_names WHERE name = ? ORDER BY package", (name,)
    )
    return [value for (value,) in rows]


def changed_names(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return (package, name) of the exported names that changed after `clear_changed_names`."""
    return connection.execute("SELECT package, name FROM renamed").fetchall()


def clear_changed_names(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM renamed")


def unresolved_files(connection: sqlite3.Connection) -> list[tuple[int, bool]]:
    """Return (file id, flag) of the files whose names are not resolved.

    The flag is true if the part of the file that other files can see has not changed.
    """
    return connection.execute(
        "SELECT file_id, interface = shown FROM relations WHERE NOT resolved"
    ).fetchall()


def resolved_files(connection: sqlite3.Connection) -> list[int]:
    """Return the ids of the files whose names are resolved, sorted by path."""
    rows = connection.execute(
        "SELECT r.file_id FROM relations r JOIN files f ON f.id = r.file_id WHERE r.resolved"
        " ORDER BY f.path"
    )
    return [file_id for (file_id,) in rows]


def mark_unresolved(connection: sqlite3.Connection, files: Iterable[int]) -> None:
    """Mark files as unresolved, so that the next sync resolves their names again."""
    connection.executemany(
        "UPDATE relations SET resolved = 0 WHERE file_id = ? AND resolved",
        ((file,) for file in files),
    )


def files_resolved_against(connection: sqlite3.Connection, changed: Iterable[int]) -> set[int]:
    """Return the ids of files whose edges may be out of date because a file in `changed` changed.

    They are the files whose names were resolved by reading a changed file. Files in `changed` may
    have been deleted meanwhile.
    """
    wanted = set(changed)
    rows = connection.execute("SELECT file_id, consulted FROM relations")
    return {file_id for file_id, blob in rows if not wanted.isdisjoint(unpack_ids(blob))}


def deleted_dependencies(connection: sqlite3.Connection) -> set[int]:
    """Return the ids of deleted files that were read to resolve the names of an existing file."""
    rows = connection.execute("SELECT consulted FROM relations")
    consulted = set[int]().union(*(unpack_ids(blob) for (blob,) in rows))
    return consulted.difference(number for (number,) in connection.execute("SELECT id FROM files"))


def pack_ids(ids: Sequence[int]) -> bytes:
    """Serialize the ids of files as little-endian uint32 values, for `relations.consulted`."""
    return struct.pack(f"<{len(ids)}I", *ids)


def unpack_ids(packed: bytes) -> array[int]:
    """Return the ids of files that `pack_ids` serialized.

    NumPy is not used, since a process that resolves files would take .15 s to import it.
    """
    ids = array("I", packed)
    if sys.byteorder == "big":
        ids.byteswap()
    return ids


ImportLookups = tuple[int, list[tuple[str, str]], str]
"""(file id, import lookups of the file as (path, module), digest of the lookups' results)."""


def all_import_lookups(connection: sqlite3.Connection) -> Iterator[ImportLookups]:
    """Yield for each resolved file the modules that its imports looked up, as `ImportLookups`."""
    rows = connection.execute("SELECT file_id, asked, found FROM relations WHERE resolved")
    for file_id, packed, found in rows:
        yield _import_lookups(file_id, unpack_lookups(packed), found)


def import_lookups_of_names(
    connection: sqlite3.Connection, names: Iterable[tuple[str, str]]
) -> Iterator[ImportLookups]:
    """Yield the `ImportLookups` of the files whose imports may have looked up one of `names`.

    `names` are pairs (package, name). Imports of all names of a package (`*`) count too. A few of
    the files may have looked up only a similar name, because serialized lookups are compared as
    text.
    """
    needles = {needle for package, name in names for needle in _lookup_texts(package, name)}
    rows = connection.execute("SELECT file_id, asked, found FROM relations WHERE resolved")
    for file_id, packed, found in rows:
        lookups = zlib.decompress(packed).decode("ascii")
        if any(needle in lookups for needle in needles):
            yield _import_lookups(file_id, json.loads(lookups), found)


def _lookup_texts(package: str, name: str) -> Iterator[str]:
    """Yield the texts in serialized lookups by which a file may have looked up `package.name`."""
    dot = "." if package else ""
    full, whole = (json.dumps(f"{package}{dot}{item}")[:-1] for item in (name, "*"))
    yield from (f'{full}"', f"{full}.", f'{whole}"')
    yield json.dumps(f"*.{name.rpartition('.')[2]}")
    yield json.dumps(f"::{package}{dot}{name}")


def _import_lookups(
    file_id: int, lookups: Iterable[tuple[str, list[str]]], found: str
) -> ImportLookups:
    return file_id, [(path, module) for path, modules in lookups for module in modules], found


def pack_lookups(lookups: Sequence[tuple[str, Sequence[str]]]) -> bytes:
    """Serialize the import lookups of a file, (path, modules) of each, for `relations.asked`."""
    return zlib.compress(json.dumps(lookups, separators=(",", ":")).encode("ascii"))


def unpack_lookups(packed: bytes) -> list[tuple[str, list[str]]]:
    """Return the import lookups that `pack_lookups` serialized."""
    lookups: list[tuple[str, list[str]]] = json.loads(zlib.decompress(packed))
    return lookups


def file_definitions(
    connection: sqlite3.Connection, file_id: int, path: str, *, signed: bool
) -> list[Definition]:
    """Return a file's symbols in source order; `signature` is "" unless `signed`."""
    from codeindex.types import Definition  # only writers need it

    signature = "signature" if signed else "''"
    rows = connection.execute(
        f"SELECT id, qualified, kind, {signature} FROM symbols WHERE file_id = ? ORDER BY number",  # noqa: S608 (constants)
        (file_id,),
    )
    return [Definition(path, key, name, _KINDS[kind], text) for key, name, kind, text in rows]


_KINDS = {str(item): item for item in SymbolKind}


def file_symbol_ids(connection: sqlite3.Connection, file_id: int) -> list[int]:
    """Return the ids of a file's symbols in source order."""
    rows = connection.execute(
        "SELECT id FROM symbols WHERE file_id = ? ORDER BY number", (file_id,)
    )
    return [value for (value,) in rows]
