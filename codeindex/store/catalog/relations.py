"""Relations and edges in the catalog: what the resolving stage reads and writes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from codeindex.types import SymbolKind

if TYPE_CHECKING:
    import sqlite3

    from codeindex.types import Definition, EncodedRelations, FileResolution


def replace_relations(
    connection: sqlite3.Connection, file_id: int, relations: EncodedRelations
) -> None:
    """Replace the relations of a file, to be resolved by the next `relate`."""
    connection.execute(
        "INSERT INTO relations (file_id, declared, used, interface) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (file_id) DO UPDATE SET declared = excluded.declared, used = excluded.used,"
        " interface = excluded.interface, resolved = 0",
        (file_id, relations.declared, relations.used, relations.interface),
    )


def mark_edges_stale(connection: sqlite3.Connection) -> None:
    """Note that files are stored whose edges, and those to them, are not as they will be."""
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('unrelated', '1')")


def mark_edges_current(connection: sqlite3.Connection) -> None:
    """Note that edges are up to date with the files."""
    connection.execute("DELETE FROM meta WHERE key = 'unrelated'")


def edges_are_stale(connection: sqlite3.Connection) -> bool:
    """Tell whether `mark_edges_stale` was noted last."""
    row = connection.execute("SELECT 1 FROM meta WHERE key = 'unrelated'").fetchone()
    return row is not None


def files_with_stale_edges(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Return the paths of the files whose own edges are not up to date."""
    rows = connection.execute(
        "SELECT f.path FROM relations r JOIN files f ON f.id = r.file_id WHERE NOT r.resolved"
    )
    return tuple(path for (path,) in rows)


def replace_shown_names(
    connection: sqlite3.Connection, file_id: int, relations: EncodedRelations
) -> None:
    """Replace what a file shows in its package; only what changes is noted."""
    rows = connection.execute("SELECT package, name FROM shown_names WHERE file_id = ?", (file_id,))
    known = set(rows.fetchall())
    shown = {(relations.package, one) for one in relations.names}
    connection.executemany(
        "DELETE FROM shown_names WHERE package = ? AND name = ? AND file_id = ?",
        ((*one, file_id) for one in known - shown),
    )
    connection.executemany(
        "INSERT INTO shown_names VALUES (?, ?, ?)", ((*one, file_id) for one in shown - known)
    )


def files_by_shown_name(connection: sqlite3.Connection, package: str) -> dict[str, list[str]]:
    """Return the files that show each name of a package."""
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
    """Return the packages in which a name is shown."""
    rows = connection.execute(
        "SELECT DISTINCT package FROM shown_names WHERE name = ? ORDER BY package", (name,)
    )
    return [one for (one,) in rows]


def changed_names(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return the names that came or went since they were last forgotten, with their packages."""
    return connection.execute("SELECT package, name FROM renamed").fetchall()


def clear_changed_names(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM renamed")


def unresolved_files(connection: sqlite3.Connection) -> list[tuple[int, bool]]:
    """Return files to be resolved, with whether what others see of them is as it was."""
    return connection.execute(
        "SELECT file_id, interface = shown FROM relations WHERE NOT resolved"
    ).fetchall()


def mark_unresolved(connection: sqlite3.Connection, files: Iterable[int]) -> None:
    """Note that files are to be resolved anew."""
    connection.executemany(
        "UPDATE relations SET resolved = 0 WHERE file_id = ? AND resolved",
        ((one,) for one in files),
    )


def files_resolved_against(connection: sqlite3.Connection, changed: Iterable[int]) -> set[int]:
    """Return the files that were resolved with any of `changed`, which may be gone by now."""
    wanted = np.array(sorted(changed), dtype="<u4")
    return {
        file_id
        for file_id, blob in connection.execute("SELECT file_id, consulted FROM relations")
        if np.isin(np.frombuffer(blob, dtype="<u4"), wanted, assume_unique=True).any()
    }


def deleted_dependencies(connection: sqlite3.Connection) -> set[int]:
    """Return the ids of files that others were resolved with and that are no longer there."""
    blobs = [blob for (blob,) in connection.execute("SELECT consulted FROM relations")]
    consulted = np.unique(np.frombuffer(b"".join(blobs), dtype="<u4"))
    here = np.array([one for (one,) in connection.execute("SELECT id FROM files")], dtype="<u4")
    return set(np.setdiff1d(consulted, here, assume_unique=True).tolist())


ImportLookups = tuple[int, list[tuple[str, str]], str]
"""A file, what it has asked of the tree, and the digest of the answers."""


def all_import_lookups(connection: sqlite3.Connection) -> Iterator[ImportLookups]:
    """Yield what every file has asked."""
    rows = connection.execute("SELECT file_id, asked, found FROM relations WHERE resolved")
    yield from _asked(rows)


def import_lookups_of_name(
    connection: sqlite3.Connection, package: str, name: str
) -> Iterator[ImportLookups]:
    """Yield what files have asked that asked for a name of a package, or for all of it."""
    dot = "." if package else ""
    full, whole = (json.dumps(f"{package}{dot}{one}")[:-1] for one in (name, "*"))
    rows = connection.execute(
        "SELECT file_id, asked, found FROM relations WHERE resolved"
        " AND (instr(asked, ?) OR instr(asked, ?) OR instr(asked, ?) OR instr(asked, ?))",
        (f'{full}"', f"{full}.", f'{whole}"', json.dumps(f"*.{name}")),
    )
    yield from _asked(rows)


def _asked(rows: Iterable[tuple[int, str, str]]) -> Iterator[ImportLookups]:
    for file_id, asked, found in rows:
        pairs = [(path, module) for path, modules in json.loads(asked) for module in modules]
        yield file_id, pairs, found


def file_definitions(
    connection: sqlite3.Connection, file_id: int, path: str, *, signed: bool
) -> list[Definition]:
    """Return the symbols of a file in their order, with their signatures if these count."""
    from codeindex.types import Definition  # searches write nothing, and need not know it

    signature = "signature" if signed else "''"
    rows = connection.execute(
        f"SELECT id, qualified, kind, {signature} FROM symbols WHERE file_id = ? ORDER BY number",  # noqa: S608 (constants)
        (file_id,),
    )
    return [Definition(path, one, name, _KINDS[kind], said) for one, name, kind, said in rows]


_KINDS = {str(one): one for one in SymbolKind}


def file_symbol_ids(connection: sqlite3.Connection, file_id: int) -> list[int]:
    """Return the ids of a file's symbols in their order."""
    rows = connection.execute(
        "SELECT id FROM symbols WHERE file_id = ? ORDER BY number", (file_id,)
    )
    return [one for (one,) in rows]


_EDGE_COLUMNS = "source_symbol, kind, certainty, target_file, target_symbol, target_name, lines"


def store_resolution(connection: sqlite3.Connection, resolution: FileResolution) -> None:
    """Store what became of a file, which the others have now been resolved with."""
    file_id = resolution.file_id
    known = connection.execute(
        f"SELECT {_EDGE_COLUMNS} FROM edges WHERE source_file = ?",  # noqa: S608 (constant)
        (file_id,),
    ).fetchall()
    made = map(tuple, resolution.edges)
    if Counter(known) != Counter(made):  # mostly they are the same, and six indexes are spared
        connection.execute("DELETE FROM edges WHERE source_file = ?", (file_id,))
        connection.executemany(
            f"INSERT INTO edges (source_file, {_EDGE_COLUMNS})"  # noqa: S608 (constants)
            f" VALUES ({file_id:d}, ?, ?, ?, ?, ?, ?, ?)",
            resolution.edges,
        )
    # One statement for all columns: each rewrites the whole row, with what the file declares.
    connection.execute(
        "UPDATE relations SET resolved = 1, shown = interface, asked = ?, found = ?, consulted = ?"
        " WHERE file_id = ?",
        (
            json.dumps(resolution.asked, separators=(",", ":")),
            resolution.found,
            np.array(resolution.consulted, dtype="<u4").tobytes(),
            file_id,
        ),
    )
