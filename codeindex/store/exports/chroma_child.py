"""Build or query a Chroma collection in a child process; only this module imports chromadb.

`vector_store.py` runs `python -m codeindex.store.exports.chroma_child build|serve JOB`, where JOB
is JSON, with a neutral working folder and environment, because chromadb obeys `./.env` on import.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from codeindex.errors import DamagedError
from codeindex.store.catalog.patterns import pattern_names
from codeindex.store.exports.collection_name import DATABASE_NAME, collection_name
from codeindex.types.array_types import Codes, Ids, Matrix

_BATCH = 1000
"""Most rows of one `add`; Chroma refuses more than 5,461."""
_LEAST_FLUSHED = 2
"""Chroma's least `sync_threshold`."""
_LINKED, _SEARCHED = 200, 500
"""Candidates that HNSW considers to link a row (twice its default), and to answer a query (the
largest limit of any query)."""
_PROBES = 20
"""Number of vectors that are queried before a collection is published; each must find itself."""
_SAME = 0.01
"""Largest cosine distance from a vector to itself that float32 arithmetic can give."""


def _end_with_parent() -> None:
    """End this process when standard input closes, which means that the parent has ended."""

    def wait() -> None:
        os.read(sys.stdin.fileno(), 1)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _serve(job: dict[str, Any]) -> None:
    """Answer JSON queries from standard input, one per line, until the input ends.

    `job` describes the collection to open.
    """
    collection = _open_collection(Path(job["folder"]) / job["path"], job["model"])
    for line in sys.stdin:
        query = json.loads(line)
        reply = _reply(collection, **query) if query else {"count": collection.count()}
        print(json.dumps(reply), flush=True)  # noqa: T201 (the answer to the parent)


def _reply(collection: Any, *, vector: list[float], limit: int) -> dict[str, Any]:
    found = collection.query(query_embeddings=[vector], n_results=limit, include=["distances"])
    return {"ids": [int(item) for item in found["ids"][0]], "distances": found["distances"][0]}


def _client(path: Path) -> Any:
    import chromadb  # 1.1 s
    from chromadb.config import Settings

    settings = Settings(_env_file=None, anonymized_telemetry=False)  # type: ignore[call-arg]
    return chromadb.PersistentClient(str(path.absolute()), settings=settings)


def _open_collection(path: Path, model: str) -> Any:
    name = collection_name(model)
    collection = _client(path).get_collection(name, embedding_function=None)
    if (collection.metadata or {}).get("model") != model:
        raise DamagedError(f"The Chroma collection {name} is of another model.")
    return collection


def _create_collection(client: Any, model: str, *, flushed_rows: int) -> Any:
    """Return a new collection that writes its log to the index after `flushed_rows` rows."""
    return client.create_collection(
        collection_name(model),
        embedding_function=None,
        metadata={"model": model},
        configuration={
            "hnsw": {
                "space": "cosine",
                "sync_threshold": max(flushed_rows, _LEAST_FLUSHED),
                "ef_construction": _LINKED,
                "ef_search": _SEARCHED,
            }
        },
    )


def _build(job: dict[str, Any]) -> dict[str, Any]:
    import numpy as np

    from codeindex.store.catalog.connection import Catalog
    from codeindex.store.segments.vector_codes import decode_vectors
    from codeindex.store.segments.vectors import Vectors

    folder = Path(job["folder"])
    with Catalog.open(folder / "catalog.sqlite") as catalog, catalog.reading() as generation:
        rows = list(_metadata(catalog.connection, job["repository"]))
        live = np.array([key for key, _ in rows], dtype=np.int64)
        vectors = Vectors(folder / "segments", generation.of_kind("dense"), live)
        parts = list(vectors.parts())
    count = sum(len(positions) for positions, _ in parts)
    batches = [batch for part in parts for batch in _batches(*part)]
    flushed = min((len(positions) for positions, _ in batches), default=0)
    path = folder / job["target"]
    with _client(path) as client:
        collection = _create_collection(client, job["model"], flushed_rows=flushed)
        for positions, codes in batches:
            part = [rows[at] for at in positions]
            collection.add(
                ids=[str(key) for key, _ in part],
                embeddings=decode_vectors(codes),
                metadatas=[metadata for _, metadata in part],
            )
        for _, codes in parts:
            _probe(collection, decode_vectors(codes[:: max(1, len(codes) // _PROBES)]))
        if collection.count() != count:
            raise DamagedError(f"Chroma kept {collection.count()} of {count} rows.")
    _free_pages(path / DATABASE_NAME)
    last = max((int(live[positions].max(initial=0)) for positions, _ in parts), default=0)
    return {"path": job["target"], "model": job["model"], "rows": count, "last": last}


def _free_pages(database: Path) -> None:
    """Give the pages of Chroma's emptied log back to the file system."""
    with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("VACUUM")


def _batches(positions: Ids, codes: Codes) -> Iterator[tuple[Ids, Codes]]:
    """Yield the rows of a segment in nearly equal batches, as views of the arrays.

    Chroma flushes its log when it has a fixed number of rows. With the least size of a batch, every
    batch is flushed: no vector remains in the log, where it would take its space twice.
    """
    count = len(positions)
    number = -(-count // _BATCH)
    for at in range(number):
        rows = slice(count * at // number, count * (at + 1) // number)
        yield positions[rows], codes[rows]


def _probe(collection: Any, vectors: Matrix) -> None:
    """Query the collection for `vectors`, which it contains, to check that it works.

    Raise DamagedError if the nearest vector is not equal to the wanted one. It may belong to
    another chunk, because several texts can have the same vector.
    """
    for vector in vectors:
        found = collection.query(query_embeddings=[vector.tolist()], n_results=3)
        distance = found["distances"][0][0] if found["distances"][0] else 2.0
        if distance > _SAME:
            raise DamagedError("Chroma does not find what was stored.")


def _metadata(
    connection: sqlite3.Connection, repository: str
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (chunk id, metadata) of every chunk.

    Chroma stores the metadata, which does not include the chunk's text. Empty texts are left out,
    because each value takes some 70 bytes.
    """
    paths = [path for (path,) in connection.execute("SELECT path FROM files")]
    patterns = pattern_names(connection, paths)
    cursor = connection.cursor()
    cursor.row_factory = sqlite3.Row
    for row in cursor.execute(
        "SELECT c.id, f.path, f.module, f.language, f.is_test, c.symbol, c.kind, c.heading,"
        " c.start_line, c.end_line, c.has_secrets FROM chunks c JOIN files f ON f.id = c.file_id"
        " ORDER BY c.id"
    ):
        root, _, below = row["module"].partition(".")
        metadata = {
            "type": "doc" if row["kind"] in {"section", "page", "cell"} else "code",
            "repo": repository,
            "module_path": row["module"],
            "module_root": root,
            "submodule": below.partition(".")[0],
            "file_path": row["path"],
            "symbol_name": row["symbol"],
            "kind": row["kind"],
            "heading_path": row["heading"],
            "start_line": row["start_line"],
            "end_line": row["end_line"],
            "has_secrets": bool(row["has_secrets"]),
            "follows_pattern": patterns.get(row["path"], ""),
            "is_test": bool(row["is_test"]),
            "retrieval_weight": 0.5 if row["is_test"] else 1.0,
            "language": row["language"],
        }
        yield row["id"], {name: value for name, value in metadata.items() if value != ""}


def _main(command: str, job: dict[str, Any]) -> None:
    os.umask(0o077)  # only in this child: Chroma's files must be private, too
    if command == "serve":
        _serve(job)
    else:
        _end_with_parent()
        print(json.dumps(_build(job)))  # noqa: T201 (the answer to the parent)


if __name__ == "__main__":
    _main(sys.argv[1], json.loads(sys.argv[2]))
