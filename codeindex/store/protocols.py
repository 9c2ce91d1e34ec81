"""What the rest of the program needs from a replaceable store; each has one implementation module.

`exports/chroma.py` implements `VectorStore` and `OpenVectorStore`, `exports/networkx_graph.py`
implements `GraphExport`, `cache/disk_cache.py` implements `Cache`. Up to `search.exact_limit`
chunks no vector store is needed: `segments.vectors.Vectors.scores` is the exact scan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from codeindex.store.catalog.connection import Catalog

    Vector = npt.NDArray[np.float32]
    Ids = npt.NDArray[np.int64]

StoreState = dict[str, Any]
"""What `generations` records of an export, as JSON: where it is and what it was built from."""
Graph = TypeVar("Graph")
T = TypeVar("T")


class OpenVectorStore(Protocol):
    """A vector store that answers queries; `state` names the collection that is open."""

    state: StoreState

    def query(self, vector: Vector, *, limit: int) -> tuple[Ids, Vector]:
        """Return (chunk ids, cosines), nearest first; ids of deleted chunks may be among them.

        StoreError if the store cannot answer.
        """

    def count(self) -> int:
        """Return the number of rows, those of deleted chunks included; StoreError as above."""

    def close(self) -> None: ...


class VectorStore(Protocol):
    """Approximate nearest-neighbour search for indexes that are too large to scan."""

    def needs_update(self, state: StoreState, *, model: str, live: int, newest: int) -> bool:
        """Tell whether the collection is missing, of another model, or too far behind.

        `live` is the number of live chunks, `newest` the id of the newest one.
        """

    def build(
        self,
        folder: Path,
        *,
        model: str,
        repository: str,
        environment: dict[str, str],
        waiting: Callable[[], object] = ...,
    ) -> StoreState:
        """Build a collection from the published generation and return its state.

        `waiting` is called repeatedly meanwhile and may raise to cancel. StoreError on failure.
        """

    def is_intact(self, folder: Path, state: StoreState) -> bool:
        """Tell cheaply whether the files of a collection are as they were built."""

    def delete_unlisted(self, folder: Path, keep: Sequence[str]) -> None:
        """Delete collections whose path is not in `keep`."""

    def open(
        self, folder: Path, state: StoreState, environment: dict[str, str]
    ) -> OpenVectorStore: ...


class GraphExport(Protocol[Graph]):
    """The whole graph as one object for algorithms and scripts."""

    def build(self, catalog: Catalog, *, repository: str) -> Graph: ...

    def write(self, graph: Graph, path: Path) -> str:
        """Write a graph to a new file and return the SHA-256 of its bytes."""

    def read(self, path: Path, digest: str) -> Graph:
        """Return the graph; DamagedError unless the file has this SHA-256."""


class Cache(Protocol):
    """Bytes by text keys on disk. An absent, expired or damaged value is a miss, never an error."""

    def get_many(self, keys: Sequence[str], decode: Callable[[bytes], T | None]) -> dict[str, T]:
        """Return the values that `decode` accepts; they count as hits and start a new term."""

    def put_many(self, values: Mapping[str, bytes]) -> None: ...

    def drop(self, keys: Iterable[str]) -> None: ...

    def expire(self) -> int:
        """Delete expired values and return their number."""

    def clear(self) -> int:
        """Delete all values and return their number; hit counters restart."""

    def close(self) -> None: ...
