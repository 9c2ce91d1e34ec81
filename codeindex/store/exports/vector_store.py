"""Store vectors in a Chroma collection, and query it, in child processes (`chroma_child.py`).

A collection finds approximately nearest vectors, for indexes that are too large to scan: one of at
most `search.exact_limit` chunks needs none. Only the process that holds the writer lock starts a
child that builds a collection. A collection never changes, so readers must filter out the rows of
deleted chunks. It is built again from the segments if it is damaged or of another model, or if it
is too old: more than a fifth of the chunks are newer, or more than a fifth of its rows belong to
deleted chunks.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codeindex.errors import StoreError
from codeindex.store.exports.collection_name import DATABASE_NAME
from codeindex.types.array_types import Ids, Vector

if TYPE_CHECKING:
    from codeindex.store.catalog.connection import CollectionState


_CHILD = "codeindex.store.exports.chroma_child"
_POLL_SECONDS = 0.2
_REBUILD_SHARE = 0.2
"""A collection is built again if a larger share of the chunks is newer, or of its rows is dead."""
_MAGIC = b"SQLite format 3\0"


def needs_collection(state: CollectionState, *, model: str, live: Ids) -> bool:
    """Tell whether the collection must be built: it is missing, of another model, or too old.

    `live` has the ids of the chunks in the catalog, ascending. The collection is too old if
    more than a fifth of these chunks are newer, or if its number of rows differs from the
    number of the older chunks by more than a fifth. Return False if it is missing and there are
    no chunks.
    """
    if not state or state["model"] != model:
        return len(live) > 0
    newer = int((live > int(state["last"])).sum())
    # rows of chunks deleted since; chunks without a vector at that time
    differing = abs(int(state["rows"]) - (len(live) - newer))
    return max(newer, differing) > _REBUILD_SHARE * max(len(live), 1)


def build_collection(
    folder: Path,
    *,
    model: str,
    repository: str,
    environment: dict[str, str],
    waiting: Callable[[], object] = lambda: None,
) -> CollectionState:
    """Build a collection in a child process; return its state, which the caller publishes.

    `repository` is the repository's name, and `environment` has the environment variables of
    the child. `waiting` is called every 0.2 seconds and may raise to cancel. Raise StoreError
    if the child fails.
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
            [sys.executable, "-P", "-m", _CHILD, "build", json.dumps(job)],
            cwd=folder,
            env=environment,
            stdin=line,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        ) as child,
    ):
        output, complaint = _communicate(child, waiting)
    if child.returncode != 0:
        shutil.rmtree(folder / job["target"], ignore_errors=True)
        lines = complaint.decode("utf-8", "replace").strip().splitlines()
        raise StoreError(
            f"The Chroma collection was not built: {lines[-1] if lines else 'killed'}."
        )
    state: CollectionState = json.loads(output)
    return {**state, "repository": repository, "files": _sizes(folder / state["path"])}


def is_collection_intact(folder: Path, state: CollectionState) -> bool:
    """Tell whether the files of a collection are as they were built, as far as sizes tell.

    All must exist and be no smaller; they may have grown, because readers append to logs. The
    database must be an SQLite file.
    """
    path = folder / state["path"]
    known, found = state.get("files", {}), _sizes(path)
    if not known or any(found.get(name, -1) < size for name, size in known.items()):
        return False
    with (path / DATABASE_NAME).open("rb") as handle:
        return bool(handle.read(len(_MAGIC)) == _MAGIC)


def _communicate(
    child: subprocess.Popen[bytes], waiting: Callable[[], object]
) -> tuple[bytes, bytes]:
    """Wait for the child; return (its output, its error output). Kill it if `waiting` raises."""
    try:
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                return child.communicate(timeout=_POLL_SECONDS)
            waiting()
    except BaseException:
        child.kill()
        raise


@contextlib.contextmanager
def _lifeline() -> Iterator[int]:
    """Yield the read end of a pipe that closes when this process ends, even if it is killed.

    The child reads from the pipe, and so learns that its parent has ended.
    """
    theirs, ours = os.pipe()
    try:
        yield theirs
    finally:
        os.close(theirs)
        os.close(ours)


def _sizes(path: Path) -> dict[str, int]:
    files = (file for file in path.rglob("*") if file.is_file())
    return {file.relative_to(path).as_posix(): file.stat().st_size for file in files}


class OpenCollection:
    """Queries a stored collection of vectors through a child process; not thread-safe.

    The first query takes two seconds, later ones milliseconds.
    """

    def __init__(self, folder: Path, state: CollectionState, environment: dict[str, str]) -> None:
        self.state = state
        job = {"folder": str(folder), "path": state["path"], "model": state["model"]}
        self._child = subprocess.Popen(
            [sys.executable, "-P", "-m", _CHILD, "serve", json.dumps(job)],
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
        """Return (chunk ids, cosines) of the `limit` chunks nearest to `vector`, nearest first.

        The ids may include deleted chunks, which are still in the collection.
        """
        import numpy as np

        reply = self._request({"vector": vector.tolist(), "limit": limit})
        cosines = 1.0 - np.array(reply["distances"], dtype=np.float32)
        return np.array(reply["ids"], dtype=np.int64), cosines

    def count(self) -> int:
        """Return the number of rows in the collection, including those of deleted chunks."""
        return int(self._request({})["count"])

    def _request(self, message: dict[str, Any]) -> dict[str, Any]:
        try:
            stdin, stdout = self._child.stdin, self._child.stdout
            if stdin is None or stdout is None:
                raise BrokenPipeError
            stdin.write(json.dumps(message).encode() + b"\n")
            stdin.flush()
            reply: dict[str, Any] = json.loads(stdout.readline())
        except (OSError, ValueError) as error:
            raise StoreError("The Chroma collection does not answer.") from error
        return reply
