"""Read and write embedding vectors in an object store that a team shares.

The key of a vector is the digest of model and text, as in the embedding cache of this machine.
After the first failed request, the rest of the sync does without the store.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import partial

from codeindex.errors import SharingError, StoreAccessError
from codeindex.store.cache.vector_values import pack_vector, unpack_vector
from codeindex.store.objects.object_store import ObjectStore
from codeindex.store.objects.open import local_folder, open_store
from codeindex.types.array_types import Vector

_REQUESTS = 32
"""Concurrent requests. At 20 ms each, a thousand vectors take 0.6 s; embedding them takes 50 s."""
_MOST_BYTES = 65_536
"""Maximum size of a stored vector in bytes: 16,000 float32 numbers, as earlier versions wrote."""
_MOST_WRITES = 256
"""Maximum number of pending writes. Only a failing store gets so far behind the embedding."""
_SECONDS_EACH = 0.05
"""Time that the store may take for each vector: to embed a text takes 20 to 50 ms on two cores."""
_PATIENCE_SECONDS = 5.0
"""Further time that it may take in all, for its first connections."""


class SharedVectors:
    """Embedding vectors in an object store that a team shares.

    After a failed request the object store is no longer used, and `note` tells the reason. Before
    that, `note` is "". A store that takes longer than embedding would counts as failed.
    """

    def __init__(self, place: str, *, offline: bool = False) -> None:
        self._threads = ThreadPoolExecutor(_REQUESTS)
        self._writes: list[Future[None]] = []
        self.note = ""
        self._seconds_left = _PATIENCE_SECONDS
        self._store: ObjectStore | None = None
        try:
            self._store = _open(place, offline=offline)
        except SharingError as error:
            self._give_up(error)

    def get(self, keys: Sequence[str], *, dimension: int) -> dict[str, Vector]:
        """Return {key: float32 vector of length `dimension`} of the keys that have a valid vector.

        Return {} after a request has failed.
        """
        if not keys:
            return {}
        with self._waiting(len(keys)) as until:
            # The first key is read alone, so that an unreachable store gets only one request.
            first = self._read_all(keys[:1], dimension, until)
            return first | self._read_all(keys[1:], dimension, until)

    def _read_all(self, keys: Sequence[str], dimension: int, until: float) -> dict[str, Vector]:
        read = partial(self._read, dimension=dimension, until=until)
        found = zip(keys, self._threads.map(read, keys), strict=True)
        return {key: vector for key, vector in found if vector is not None}

    def put(self, vectors: Mapping[str, Vector]) -> None:
        """Write {key: vector} in background threads; `flush` waits for them.

        Do nothing after a request has failed.
        """
        if self._store is None:
            return
        self._wait(self._writes[: max(0, len(self._writes) + len(vectors) - _MOST_WRITES)])
        self._seconds_left += len(vectors) * _SECONDS_EACH
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

    def _read(self, key: str, *, dimension: int, until: float) -> Vector | None:
        if time.monotonic() > until:
            self._give_up_slow()
        if self._store is None:
            return None
        try:
            value = self._store.get(_name(key), most=_MOST_BYTES)
        except StoreAccessError as error:
            self._give_up(error)
            return None
        except SharingError:  # it is damaged: too large, a link or a folder
            return None
        return unpack_vector(value, dimension=dimension)

    def _write(self, key: str, data: bytes) -> None:
        if self._store is None:
            return
        try:
            self._store.put(_name(key), data)
        except StoreAccessError as error:
            self._give_up(error)
        except SharingError:  # a folder has its name
            return

    def _give_up(self, error: SharingError) -> None:
        self._store = None
        if not self.note:
            self.note = f"The shared vector cache is not used: {error}"
            logging.getLogger(__name__).warning(self.note)

    def _give_up_slow(self) -> None:
        if self._store is not None:
            place = self._store.place
            self._give_up(SharingError(f"'{place}' takes longer than to embed the code here."))

    @contextmanager
    def _waiting(self, count: int) -> Iterator[float]:
        """Yield the time until which the store may take; the time of the block counts.

        `count` is the number of vectors that are asked for.
        """
        self._seconds_left += count * _SECONDS_EACH
        started = time.monotonic()
        try:
            yield started + self._seconds_left
        finally:
            self._seconds_left -= time.monotonic() - started

    def _wait(self, writes: Sequence[Future[None]]) -> None:
        with self._waiting(0) as until:
            late = wait(writes, max(until - time.monotonic(), 0)).not_done
            if late:
                self._give_up_slow()  # writes that were not begun now do nothing
            wait(late)
        for write in writes:
            write.result()


def _open(place: str, *, offline: bool) -> ObjectStore:
    folder = local_folder(place)
    if folder and not folder.is_absolute():
        raise SharingError(
            f"'{place}' would be another folder in each work tree: give its whole path, or a URL."
        )
    return open_store(place, offline=offline)


def _name(key: str) -> str:
    """Return a vector's object name, `vectors/<2 digits>/<key>`; the digits keep folders small."""
    return f"vectors/{key[:2]}/{key}"
