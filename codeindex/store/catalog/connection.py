"""Open `catalog.sqlite`, and publish generations in it.

Readers open the catalog read-only and see one generation during a transaction. There is one writer,
which holds `writer.lock` and commits a checkpoint as a whole. An unreadable catalog raises
StoreError.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, field, fields
from pathlib import Path
from typing import Any, Self, TypedDict

from codeindex.errors import (
    CodeIndexError,
    DamagedError,
    NewerFormatError,
    QueryError,
    StoreError,
    refuse_shortage,
)
from codeindex.files.write import create_private_file
from codeindex.store.catalog.file_changes import create_change_tables
from codeindex.store.catalog.sqlite_errors import is_damage, is_too_long, primary_code
from codeindex.store.catalog.trigrams import create_trigrams

FORMAT = 25
"""Version of the stored data; increase it whenever the meaning of stored data changes. Indexes of a
lower format are rebuilt, and indexes of a higher format are refused."""
_BUSY_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Segment:
    """Immutable files with one row per chunk, such as a matrix of vectors, for some of the chunks.

    `kind` is `words`, `dense` (vectors of the embedding model) or `token` (token vectors). A sync
    writes new segments for new chunks; an index has several segments of each kind.
    """

    kind: str
    name: str
    rows: int
    digest: str = ""
    """Checksum of the segment's files when they were written (`segments.checksums`)."""


class CollectionState(TypedDict, total=False):
    """What the vector store has recorded about the collection of a generation.

    It is an empty dict if the generation has no collection.
    """

    path: str
    """Folder of the collection, relative to the repository's data."""
    model: str
    """Identity of the model that made the vectors of the collection."""
    last: int
    """Highest chunk id in the collection."""
    rows: int
    """Number of vectors in the collection when it was built."""
    repository: str
    files: dict[str, int]
    """{path below `path`: size in bytes} of the collection's files when it was built."""


PROVISIONAL = "provisional"
"""Key in `Generation.statistics` of those that a first sync makes of its first files alone."""


@dataclass(frozen=True, slots=True)
class Generation:
    """One published state of an index, of which readers see only the newest.

    `number` rises with each publication, `version` once per sync. `complete` is false while the
    sync that writes the generation is running. `written_at` is in seconds since the epoch.
    `settings` is a digest of the settings. `discovered` counts the files to index. `model` is the
    identity of the embedding model, "" without one. `statistics`, `chroma` and `graph` describe
    files outside the catalog.
    """

    number: int = 0
    version: int = 0
    complete: bool = False
    written_at: float = 0.0
    branch: str = ""
    head: str = ""
    settings: str = ""
    discovered: int = 0
    model: str = ""
    segments: tuple[Segment, ...] = ()
    statistics: dict[str, Any] = field(default_factory=dict)
    chroma: CollectionState = field(default_factory=CollectionState)
    graph: dict[str, Any] = field(default_factory=dict)

    @property
    def vectors_of(self) -> str:
        """Identity of the model that made the vectors of the index; "" if there are no vectors.

        It is the embedding model if the index has its vectors, else the static model of the token
        vectors.
        """
        return self.model or str(self.statistics.get("model", ""))

    @property
    def is_provisional(self) -> bool:
        """Whether the statistics cover only the first files, because a first sync has not ended."""
        return PROVISIONAL in self.statistics

    def of_kind(self, kind: str) -> list[Segment]:
        """Return the segments whose kind is `kind`, in their stored order."""
        return [segment for segment in self.segments if segment.kind == kind]


class Catalog:
    """An open connection to `catalog.sqlite`; two threads must not use it at the same time."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    @classmethod
    def create(cls, path: Path) -> Self:
        """Open a catalog for writing; create it if absent. The caller holds the writer lock."""
        with translate_sqlite_errors(path):
            if not path.exists():
                _make(path)
            return cls(_checked(_opened(path), path))

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open an existing catalog for reading.

        Threads may share it, but must use it one after the other.
        """
        with translate_sqlite_errors(path):
            uri = f"{path.absolute().as_uri()}?mode=ro{_frozen(path)}"
            connection = sqlite3.connect(
                uri, uri=True, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            return cls(_checked(connection, path))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.connection.close()

    @contextlib.contextmanager
    def reading(self) -> Iterator[Generation]:
        """Yield the newest generation; until the block ends, all reads see this generation."""
        self.connection.execute("BEGIN")
        try:
            yield self.generation()
        finally:
            self.connection.execute("COMMIT")

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Run the `with` block in one write transaction; roll it back if the block raises."""
        with translate_sqlite_errors(None):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                if self.connection.in_transaction:  # a full disk has rolled back already
                    self.connection.execute("ROLLBACK")
                raise
            self.connection.execute("COMMIT")

    def generation(self) -> Generation:
        """Return the newest generation; its number is 0 if none was published."""
        row = self.connection.execute(
            f"SELECT {_GENERATION_COLUMNS} FROM generations ORDER BY number DESC LIMIT 1"  # noqa: S608 (constant)
        ).fetchone()
        return Generation() if row is None else _generation(row)

    def publish(self, generation: Generation) -> Generation:
        """Make a generation the newest one and return it with its number.

        Call it inside `writing`, in the same transaction that writes the generation's data.
        """
        self.connection.execute(
            f"INSERT INTO generations ({_GENERATION_COLUMNS}) VALUES (NULL{', ?' * (len(_GENERATION_FIELDS) - 1)})",  # noqa: E501, S608 (constants)
            (
                generation.version,
                generation.complete,
                time.time(),
                generation.branch,
                generation.head,
                generation.settings,
                generation.discovered,
                generation.model,
                json.dumps([astuple(segment) for segment in generation.segments]),
                json.dumps(generation.statistics),
                json.dumps(generation.chroma),
                json.dumps(generation.graph),
            ),
        )
        published = self.generation()
        self.connection.execute(
            "DELETE FROM generations WHERE number <= ?", (published.number - _KEPT,)
        )
        return published

    def data_version(self) -> int:
        """Return a number that changes when another connection writes to the catalog."""
        (version,) = self.connection.execute("PRAGMA data_version").fetchone()
        return int(version)

    def kept_generations(self) -> list[Generation]:
        """Return the last three generations; readers may still have their files open."""
        rows = self.connection.execute(f"SELECT {_GENERATION_COLUMNS} FROM generations")  # noqa: S608 (constant)
        return list(map(_generation, rows))

    def note(self, key: str) -> str:
        """Return the text that is stored under `key` in the table `meta`; "" if there is none."""
        row = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else ""

    def put_note(self, key: str, value: str) -> None:
        self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


_GENERATION_FIELDS: Sequence[str] = tuple(field_.name for field_ in fields(Generation))
_GENERATION_COLUMNS = ", ".join(_GENERATION_FIELDS)
_KEPT = 3
"""Number of newest generations whose files are kept, because readers may still have them open."""


def _generation(row: Sequence[Any]) -> Generation:
    values = dict(zip(_GENERATION_FIELDS, row, strict=True))
    try:
        values["complete"] = bool(values["complete"])
        values["segments"] = tuple(Segment(*load) for load in json.loads(values["segments"]))
        for name in ("statistics", "chroma", "graph"):
            values[name] = json.loads(values[name])
    except (ValueError, TypeError) as error:
        raise sqlite3.DatabaseError(f"its last generation cannot be read: {error}") from error
    return Generation(**values)


def published_version(connection: sqlite3.Connection) -> int:
    """Return the index version of the newest generation. Cursors and answers carry this number."""
    (version,) = connection.execute("SELECT max(version) FROM generations").fetchone()
    return int(version)


def wal_files(path: Path) -> tuple[Path, Path]:
    """Return the paths of a catalog's WAL and SHM files."""
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


def merge_wal(path: Path) -> bool:
    """Merge a catalog's WAL into the catalog file; return False if another connection is open."""
    with translate_sqlite_errors(path), contextlib.closing(sqlite3.connect(path)) as connection:
        (mode,) = connection.execute("PRAGMA journal_mode = DELETE").fetchone()
    return bool(mode == "delete")


def _make(path: Path) -> None:
    """Create a catalog under a temporary name and rename it: no reader sees it without tables."""
    new = path.with_name(f"{path.name}.new")
    for old in (
        new,
        path,
    ):  # a killed writer may have left a log, which SQLite would replay
        for item in (old, *wal_files(old)):
            item.unlink(missing_ok=True)
    _opened(new).close()
    new.replace(path)


def _opened(path: Path) -> sqlite3.Connection:
    """Open a file for writing; create the tables if there are none."""
    create_private_file(path)  # SQLite gives its log the mode of this file
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        if not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            _make_tables(connection)
        create_change_tables(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _make_tables(connection: sqlite3.Connection) -> None:
    from importlib import resources  # 10 ms, for new indexes only

    script = resources.files("codeindex.store.catalog").joinpath("schema.sql").read_text("utf-8")
    connection.executescript(
        f"BEGIN; {script} INSERT INTO meta VALUES ('format', '{FORMAT}'); COMMIT;"  # noqa: S608 (constants)
    )
    create_trigrams(connection)


def _frozen(path: Path) -> str:
    """Return the URI option `&immutable=1` for a catalog in a read-only folder, else "".

    Without the option, SQLite would fail to create the WAL there. If a WAL exists already, the
    result is "", because an immutable database is read without its WAL.
    """
    wal, _ = wal_files(path)
    return "" if wal.exists() or os.access(path.parent, os.W_OK) else "&immutable=1"


def _checked(connection: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    """Return the connection; if the catalog's format is wrong, close it and raise the error."""
    try:
        _check_format(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _check_format(connection: sqlite3.Connection, path: Path) -> None:
    row = connection.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
    found = int(row[0]) if row and row[0].isdecimal() else 0
    if found > FORMAT:
        raise NewerFormatError(
            f"'{path}' was written by a newer codeindex (format {found}, this one knows {FORMAT}):"
            " upgrade codeindex-local, or index again with --rebuild."
        )
    if found < FORMAT:
        raise DamagedError(
            f"'{path}' was written by an older codeindex (format {found}, this one has {FORMAT}):"
            " `codeindex index` rebuilds it."
        )


@contextlib.contextmanager
def translate_sqlite_errors(path: Path | None) -> Iterator[None]:
    """Turn SQLite errors in the block into a CodeIndexError that says what to do.

    The message names `path`, unless it is None.
    """
    try:
        yield
    except sqlite3.DatabaseError as error:
        if path is not None and path.is_dir():
            raise DamagedError(
                f"The catalog '{path}' is a folder: `codeindex index` rebuilds it."
            ) from error
        raise _ours(error, f"The catalog '{path}'" if path else "The catalog") from error


def _ours(error: sqlite3.DatabaseError, what: str) -> CodeIndexError:
    refuse_shortage(error)
    if is_damage(error):
        return DamagedError(f"{what} is damaged ({error}): `codeindex index` rebuilds it.")
    if is_too_long(error):
        return QueryError(f"A name or pattern is too long ({error}): use a shorter one.")
    if primary_code(error) in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}:
        return StoreError(f"{what} cannot be written or read ({error}): free some disk space.")
    return StoreError(
        f"{what} cannot be used ({error}): see who owns it, who holds it, and"
        " whether the disk is full."
    )
