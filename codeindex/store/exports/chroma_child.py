"""Build or query a Chroma collection in a child process; only this module imports chromadb.

`vector_store.py` runs `python -m codeindex.store.exports.chroma_child build|serve JOB`, where JOB
is JSON, with a neutral working folder and environment, because chromadb obeys `./.env` on import.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from codeindex.errors import DamagedError
from codeindex.store.exports.collection_name import collection_name
from codeindex.types.array_types import Matrix

_BATCH = 1000
"""Rows of one `add`. Chroma refuses more than 5,461 rows; it flushes its write-ahead log every
1,000."""
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
    collection = _collection(Path(job["folder"]) / job["path"], job["model"])
    for line in sys.stdin:
        query = json.loads(line)
        reply = _reply(collection, **query) if query else {"count": collection.count()}
        print(json.dumps(reply), flush=True)  # noqa: T201 (the answer to the parent)


def _reply(collection: Any, *, vector: list[float], limit: int) -> dict[str, Any]:
    found = collection.query(query_embeddings=[vector], n_results=limit, include=["distances"])
    return {"ids": [int(item) for item in found["ids"][0]], "distances": found["distances"][0]}


def _collection(path: Path, model: str, *, create: bool = False) -> Any:
    import chromadb  # 1.1 s
    from chromadb.config import Settings

    settings = Settings(_env_file=None, anonymized_telemetry=False)  # type: ignore[call-arg]
    client = chromadb.PersistentClient(str(path.absolute()), settings=settings)
    name = collection_name(model)
    if create:
        return client.create_collection(
            name,
            embedding_function=None,
            metadata={"model": model},
            configuration={
                "hnsw": {
                    "space": "cosine",
                    "sync_threshold": _BATCH,
                    "ef_construction": _LINKED,
                    "ef_search": _SEARCHED,
                }
            },
        )
    collection = client.get_collection(name, embedding_function=None)
    if (collection.metadata or {}).get("model") != model:
        raise DamagedError(f"The Chroma collection {name} is of another model.")
    return collection


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
    collection = _collection(folder / job["target"], job["model"], create=True)
    count = last = 0
    for positions, codes in vectors.parts():
        for start in range(0, len(positions), _BATCH):
            part = [rows[at] for at in positions[start : start + _BATCH]]
            collection.add(
                ids=[str(key) for key, _ in part],
                embeddings=decode_vectors(codes[start : start + _BATCH]),
                metadatas=[metadata for _, metadata in part],
            )
        count += len(positions)
        last = max(last, int(live[positions].max(initial=0)))
        _probe(collection, decode_vectors(codes[:: max(1, len(codes) // _PROBES)]))
    if collection.count() != count:
        raise DamagedError(f"Chroma kept {collection.count()} of {count} rows.")
    return {"path": job["target"], "model": job["model"], "rows": count, "last": last}


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

    Chroma stores the metadata, which does not include the chunk's text.
    """
    cursor = connection.cursor()
    cursor.row_factory = sqlite3.Row
    for row in cursor.execute(
        "SELECT c.id, f.path, f.module, f.language, f.is_test, c.symbol, c.kind, c.heading,"
        " c.start_line, c.end_line, c.has_secrets FROM chunks c JOIN files f ON f.id = c.file_id"
        " ORDER BY c.id"
    ):
        root, _, below = row["module"].partition(".")
        yield (
            row["id"],
            {
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
                "follows_pattern": "",
                "is_test": bool(row["is_test"]),
                "retrieval_weight": 0.5 if row["is_test"] else 1.0,
                "language": row["language"],
            },
        )


def _main(command: str, job: dict[str, Any]) -> None:
    os.umask(0o077)  # only in this child: Chroma's files must be private, too
    if command == "serve":
        _serve(job)
    else:
        _end_with_parent()
        print(json.dumps(_build(job)))  # noqa: T201 (the answer to the parent)


if __name__ == "__main__":
    _main(sys.argv[1], json.loads(sys.argv[2]))
