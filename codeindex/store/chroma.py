"""The Chroma collection: the only module that knows chromadb.

Written by the lock holder alone, in a child process (`python -m codeindex.store.chroma`) whose
working folder and environment are neutral, since chromadb obeys `./.env` on import. A folder is
append-only: dead rows are filtered by whoever reads it, and a folder that is broken, foreign or
over a fifth dead is built anew from the segments. Nothing needs it below `search.exact_limit`.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codeindex.errors import DamagedError, StoreError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vector = npt.NDArray[np.float32]
    Ids = npt.NDArray[np.int64]

_BATCH = 1000
"""Rows an `add`; Chroma refuses over 5,461 and flushes its write-ahead log at 1,000."""
_LINKED, _SEARCHED = 200, 500
"""How far HNSW looks around to link a row (twice its default) and for an answer (all we ask)."""
_LOOK_SECONDS = 0.2
_REBUILD_DEAD = 0.2
_DATABASE, _MAGIC = "chroma.sqlite3", b"SQLite format 3\0"
_PROBES = 20
"""Vectors asked for by themselves before a folder is published."""
_SAME = 0.01
"""Cosine distance from a vector to itself, as float32 arithmetic has it at worst."""


def needs_update(state: dict[str, Any], *, model: str, live: int, newest: int) -> bool:
    """Tell if a collection is missing, of another model, a fifth dead or a fifth behind."""
    if not state or state["model"] != model:
        return bool(live)
    stale = abs(state["rows"] - live) + max(0, newest > state["last"])
    return stale > _REBUILD_DEAD * max(live, 1) or (live > 0 and state["rows"] == 0)


def export(
    folder: Path,
    *,
    model: str,
    repository: str,
    environment: dict[str, str],
    waiting: Callable[[], object] = lambda: None,
) -> dict[str, Any]:
    """Build a new collection from the published generation in a child; return its state.

    The caller publishes the state and sweeps older folders. StoreError says why it failed.
    `waiting` is called again and again until it is done, and may end it by raising.
    """
    job = {
        "folder": str(folder),
        "target": f"chroma/gen-{secrets.token_hex(4)}",
        "model": model,
        "repository": repository,
    }
    with (
        _lifeline() as line,
        subprocess.Popen(
            [sys.executable, "-P", "-m", "codeindex.store.chroma", "build", json.dumps(job)],
            cwd=folder,
            env=environment,
            stdin=line,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        ) as child,
    ):
        said, complaint = _output(child, waiting)
    if child.returncode != 0:
        shutil.rmtree(folder / job["target"], ignore_errors=True)
        lines = complaint.decode("utf-8", "replace").strip().splitlines()
        raise StoreError(
            f"The Chroma collection was not built: {lines[-1] if lines else 'killed'}."
        )
    state: dict[str, Any] = json.loads(said)
    return {**state, "repository": repository, "files": _sizes(folder / state["path"])}


def _output(child: subprocess.Popen[bytes], waiting: Callable[[], object]) -> tuple[bytes, bytes]:
    """Return what a child prints; it does not outlive an interruption."""
    try:
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                return child.communicate(timeout=_LOOK_SECONDS)
            waiting()
    except BaseException:
        child.kill()
        raise


@contextlib.contextmanager
def _lifeline() -> Iterator[int]:
    """Give an input that ends when this process does, however it ends."""
    theirs, ours = os.pipe()
    try:
        yield theirs
    finally:
        os.close(theirs)
        os.close(ours)


def _end_with_parent() -> None:
    """End this child with its input: nobody would take what it builds."""

    def wait() -> None:
        os.read(sys.stdin.fileno(), 1)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def is_whole(folder: Path, state: dict[str, Any]) -> bool:
    """Tell by names and sizes whether a collection is as it was left; readers may make it grow."""
    path = folder / state["path"]
    known, found = state.get("files", {}), _sizes(path)
    if not known or any(found.get(name, -1) < size for name, size in known.items()):
        return False
    with (path / _DATABASE).open("rb") as handle:
        return bool(handle.read(len(_MAGIC)) == _MAGIC)


def _sizes(path: Path) -> dict[str, int]:
    files = (one for one in path.rglob("*") if one.is_file())
    return {one.relative_to(path).as_posix(): one.stat().st_size for one in files}


def sweep(folder: Path, keep: Sequence[str]) -> None:
    """Delete collections that no kept generation names."""
    for path in (folder / "chroma").glob("gen-*"):
        if f"chroma/{path.name}" not in keep:
            shutil.rmtree(path, ignore_errors=True)


class Nearest:
    """An open collection in a child process, for indexes too large to scan; not thread-safe.

    The first query takes two seconds, the next ones milliseconds.
    """

    def __init__(self, folder: Path, state: dict[str, Any], environment: dict[str, str]) -> None:
        self.state = state
        job = {"folder": str(folder), "path": state["path"], "model": state["model"]}
        self._child = subprocess.Popen(
            [sys.executable, "-P", "-m", "codeindex.store.chroma", "serve", json.dumps(job)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )

    def close(self) -> None:
        self._child.kill()
        self._child.communicate()

    def query(self, vector: Vector, *, limit: int) -> tuple[Ids, Vector]:
        """Return (chunk ids, cosines), nearest first; ids may be of chunks that are gone.

        StoreError if the collection cannot answer.
        """
        import numpy as np

        reply = self._asked({"vector": vector.tolist(), "limit": limit})
        cosines = 1.0 - np.array(reply["distances"], dtype=np.float32)
        return np.array(reply["ids"], dtype=np.int64), cosines

    def count(self) -> int:
        """Return how many rows the collection has, dead ones included; StoreError as above."""
        return int(self._asked({})["count"])

    def _asked(self, question: dict[str, Any]) -> dict[str, Any]:
        try:
            stdin, stdout = self._child.stdin, self._child.stdout
            if stdin is None or stdout is None:
                raise BrokenPipeError
            stdin.write(json.dumps(question).encode() + b"\n")
            stdin.flush()
            reply: dict[str, Any] = json.loads(stdout.readline())
        except (OSError, ValueError) as error:
            raise StoreError("The Chroma collection does not answer.") from error
        return reply


def _serve(job: dict[str, Any]) -> None:
    """Answer queries, one JSON line each, until standard input ends."""
    collection = _collection(Path(job["folder"]) / job["path"], job["model"])
    for line in sys.stdin:
        asked = json.loads(line)
        reply = _reply(collection, **asked) if asked else {"count": collection.count()}
        print(json.dumps(reply), flush=True)  # noqa: T201 (the answer to the parent)


def _reply(collection: Any, *, vector: list[float], limit: int) -> dict[str, Any]:
    found = collection.query(query_embeddings=[vector], n_results=limit, include=["distances"])
    return {"ids": [int(one) for one in found["ids"][0]], "distances": found["distances"][0]}


def collection_name(model: str) -> str:
    """Return the collection's name for a model identity, in the characters that Chroma takes."""
    return f"chunks-{re.sub(r'[^a-zA-Z0-9._-]', '-', model)}"


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

    from codeindex.store.catalog import Catalog
    from codeindex.store.segments import Vectors

    folder = Path(job["folder"])
    with Catalog.open(folder / "catalog.sqlite") as catalog, catalog.reading() as generation:
        rows = list(_metadata(catalog.connection, job["repository"]))
        live = np.array([one for one, _ in rows], dtype=np.int64)
        vectors = Vectors(folder / "segments", generation.of_kind("dense"), live)
    collection = _collection(folder / job["target"], job["model"], create=True)
    count = last = 0
    for positions, matrix in vectors.parts():
        for start in range(0, len(positions), _BATCH):
            part = [rows[at] for at in positions[start : start + _BATCH]]
            collection.add(
                ids=[str(one) for one, _ in part],
                embeddings=matrix[start : start + _BATCH],
                metadatas=[metadata for _, metadata in part],
            )
        count += len(positions)
        last = max(last, int(live[positions].max(initial=0)))
        _probe(collection, matrix)
    if collection.count() != count:
        raise DamagedError(f"Chroma kept {collection.count()} of {count} rows.")
    return {"path": job["target"], "model": job["model"], "rows": count, "last": last}


def _probe(collection: Any, matrix: npt.NDArray[np.float32]) -> None:
    """Ask for some vectors by themselves; another text of the same vector may come first."""
    for row in range(0, len(matrix), max(1, len(matrix) // _PROBES)):
        found = collection.query(query_embeddings=[matrix[row].tolist()], n_results=3)
        distance = found["distances"][0][0] if found["distances"][0] else 2.0
        if distance > _SAME:
            raise DamagedError("Chroma does not find what was stored.")


def _metadata(
    connection: sqlite3.Connection, repository: str
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (chunk id, metadata) as feature A5 lists it, without the content."""
    rows = connection.execute(
        "SELECT c.id, f.path, f.module, f.language, f.is_test, c.symbol, c.kind, c.heading,"
        " c.start_line, c.end_line, c.has_secrets FROM chunks c JOIN files f ON f.id = c.file_id"
        " ORDER BY c.id"
    )
    for one, path, module, language, is_test, symbol, kind, heading, start, end, secret in rows:
        parts = module.split(".")
        yield (
            one,
            {
                "type": "doc" if kind == "section" else "code",
                "repo": repository,
                "module_path": module,
                "module_root": parts[0],
                "submodule": parts[1] if len(parts) > 1 else "",
                "file_path": path,
                "symbol_name": symbol,
                "kind": kind,
                "heading_path": heading,
                "start_line": start,
                "end_line": end,
                "has_secrets": bool(secret),
                "follows_pattern": "",
                "is_test": bool(is_test),
                "retrieval_weight": 0.5 if is_test else 1.0,
                "language": language,
            },
        )


def _main(command: str, job: dict[str, Any]) -> None:
    os.umask(0o077)  # of this child alone: Chroma's files are for their owner too
    if command == "serve":
        _serve(job)
    else:
        _end_with_parent()
        print(json.dumps(_build(job)))  # noqa: T201 (the answer to the parent)


if __name__ == "__main__":
    _main(sys.argv[1], json.loads(sys.argv[2]))
