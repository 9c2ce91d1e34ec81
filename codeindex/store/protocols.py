"""Define the protocols of the replaceable stores; one module implements each store.

`exports/chroma.py` implements `VectorStore` and `OpenVectorStore`, `exports/networkx_graph.py`
implements `GraphExport`, `cache/disk_cache.py` implements `Cache`. An index of at most
`search.exact_limit` chunks needs no vector store, because `segments.vectors.Vectors.scores` scans
all vectors exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from codeindex.types.array_types import Ids, Vector

if TYPE_CHECKING:
    from codeindex.store.catalog.connection import Catalog, CollectionState


Graph = TypeVar("Graph")
T = TypeVar("T")


class OpenVectorStore(Protocol):
    """A collection of vectors that is open for queries; `state` describes it."""

    state: CollectionState

    def query(self, vector: Vector, *, limit: int) -> tuple[Ids, Vector]:
        """Return (chunk ids, cosines), nearest first; ids of deleted chunks may be included.

        Raise StoreError if the store cannot answer.
        """

    def count(self) -> int:
        """Return the number of rows, including rows of deleted chunks.

        Raise StoreError if the store cannot answer.
        """

    def close(self) -> None: ...


class VectorStore(Protocol):
    """A store that finds approximately nearest vectors, for indexes that are too large to scan."""

    def needs_update(self, state: CollectionState, *, model: str, live: Ids) -> bool:
        """Tell whether the collection must be built: it is missing, of another model, or too old.

        `live` has the ids of the chunks in the catalog, ascending.
        """

    def build(
        self,
        folder: Path,
        *,
        model: str,
        repository: str,
        environment: dict[str, str],
        waiting: Callable[[], object] = ...,
    ) -> CollectionState:
        """Build a collection from the published generation and return its state.

        `waiting` is called repeatedly and may raise to cancel. Raise StoreError on failure.
        """

    def is_intact(self, folder: Path, state: CollectionState) -> bool:
        """Tell whether the files of a collection seem complete, without reading all of them."""

    def delete_unlisted(self, folder: Path, keep: Sequence[str]) -> None:
        """Delete collections whose path is not in `keep`."""

    def open(
        self, folder: Path, state: CollectionState, environment: dict[str, str]
    ) -> OpenVectorStore: ...


class GraphExport(Protocol[Graph]):
    """Builds, writes and reads all files, symbols and edges as one graph object."""

    def build(self, catalog: Catalog, *, repository: str) -> Graph: ...

    def write(self, graph: Graph, path: Path) -> str:
        """Write a graph to a new file and return the SHA-256 of its bytes."""

    def read(self, path: Path, digest: str) -> Graph:
        """Return the graph in a file; raise DamagedError unless the file has this SHA-256."""


class Cache(Protocol):
    """A cache of bytes by text key; an absent, expired or damaged value is a miss, not an error."""

    def get_many(self, keys: Sequence[str], decode: Callable[[bytes], T | None]) -> dict[str, T]:
        """Return {key: decoded value}; a key is left out if it is absent or `decode` returns None.

        Each returned value counts as a hit, and its time to expiry starts again.
        """

    def put_many(self, values: Mapping[str, bytes]) -> None: ...

    def drop(self, keys: Iterable[str]) -> None: ...

    def expire(self) -> int:
        """Delete expired values and return their number."""

    def clear(self) -> int:
        """Delete all values and return their number; set the hit counters to zero."""

    def close(self) -> None: ...
