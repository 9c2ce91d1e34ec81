"""Read and write embedding vectors in an object store that a team shares.

The key of a vector is the digest of model and text, as in the embedding cache of this machine.
After the first failed request, the rest of the sync does without the store.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

from codeindex.errors import SharingError
from codeindex.store.cache.vector_values import pack_vector, unpack_vector
from codeindex.store.objects.object_store import ObjectStore
from codeindex.store.objects.open import open_store
from codeindex.types.array_types import Vector

_REQUESTS = 32
"""Concurrent requests. At 20 ms each, a thousand vectors take 0.6 s; embedding them takes 50 s."""
_MOST_BYTES = 65_536
"""Maximum size of a stored vector in bytes: 16,000 float32 numbers, as earlier versions wrote."""
_MOST_WRITES = 256
"""Maximum number of pending writes. Only a failing store gets so far behind the embedding."""


class SharedVectors:
    """Embedding vectors in an object store that a team shares.

    After a failed request the object store is no longer used, and `note` tells the reason. Before
    that, `note` is "".
    """

    def __init__(self, place: str, *, offline: bool = False) -> None:
        self._threads = ThreadPoolExecutor(_REQUESTS)
        self._writes: list[Future[None]] = []
        self.note = ""
        self._store: ObjectStore | None = None
        try:
            self._store = open_store(place, offline=offline)
        except SharingError as error:
            self._give_up(error)

    def get(self, keys: Sequence[str], *, dimension: int) -> dict[str, Vector]:
        """Return {key: float32 vector of length `dimension`} of the keys that have a valid vector.

        Return {} after a request has failed.
        """
        if not keys:
            return {}
        # The first key is read alone, so that an unreachable store gets only one request.
        return self._read_all(keys[:1], dimension) | self._read_all(keys[1:], dimension)

    def _read_all(self, keys: Sequence[str], dimension: int) -> dict[str, Vector]:
        read = partial(self._read, dimension=dimension)
        found = zip(keys, self._threads.map(read, keys), strict=True)
        return {key: vector for key, vector in found if vector is not None}

    def put(self, vectors: Mapping[str, Vector]) -> None:
        """Write {key: vector} in background threads; `flush` waits for them.

        Do nothing after a request has failed.
        """
        if self._store is None:
            return
        self._wait(self._writes[: max(0, len(self._writes) + len(vectors) - _MOST_WRITES)])
        self._writes = [write for write in self._writes if not write.done()]
        for key, vector in vectors.items():
            self._writes.append(self._threads.submit(self._write, key, pack_vector(vector)))

    def flush(self) -> None:
        """Wait until all vectors passed to `put` are written."""
        self._wait(self._writes)
        self._writes = []

    def close(self) -> None:
        """Wait until all vectors passed to `put` are written, then end the threads."""
        self.flush()
        self._threads.shutdown()

    def _read(self, key: str, *, dimension: int) -> Vector | None:
        if self._store is None:
            return None
        try:
            value = self._store.get(_name(key), most=_MOST_BYTES)
        except SharingError as error:
            self._give_up(error)
            return None
        return unpack_vector(value, dimension=dimension)

    def _write(self, key: str, data: bytes) -> None:
        if self._store is None:
            return
        try:
            self._store.put(_name(key), data)
        except SharingError as error:
            self._give_up(error)

    def _give_up(self, error: SharingError) -> None:
        self._store = None
        if not self.note:
            self.note = f"The shared vector cache is not used: {error}"
            logging.getLogger(__name__).warning(self.note)

    @staticmethod
    def _wait(writes: Iterable[Future[None]]) -> None:
        for write in writes:
            write.result()


def _name(key: str) -> str:
    """Return a vector's object name, `vectors/<2 digits>/<key>`; the digits keep folders small."""
    return f"vectors/{key[:2]}/{key}"
