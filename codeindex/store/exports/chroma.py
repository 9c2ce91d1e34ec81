"""The Chroma collection, which child processes build and ask (`store/exports/chroma_child.py`).

Written by the lock holder's child alone. A folder is append-only: dead rows are filtered by whoever
reads it, and a folder that is broken, foreign or over a fifth dead is built anew from the segments.
Nothing needs it below `search.exact_limit`.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codeindex.errors import StoreError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vector = npt.NDArray[np.float32]
    Ids = npt.NDArray[np.int64]

_CHILD = "codeindex.store.exports.chroma_child"
_LOOK_SECONDS = 0.2
_REBUILD_DEAD = 0.2
_DATABASE, _MAGIC = "chroma.sqlite3", b"SQLite format 3\0"


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
            [sys.executable, "-P", "-m", _CHILD, "build", json.dumps(job)],
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
