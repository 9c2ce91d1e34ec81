"""A client that retries."""

from __future__ import annotations

import enum
import functools
import sys
from collections import namedtuple
from dataclasses import dataclass, field
from typing import Generic, NewType, Protocol, TypeAlias, TypeVar, overload

try:
    import orjson as json
except ImportError:
    json = None

if sys.version_info >= (3, 12):
    from typing import override
else:
    def override(f):
        return f

__version__ = "1.2"
DEFAULT_TIMEOUT: float = 30.0
MIN_PORT, MAX_PORT = 1, 65535
_registry: dict[str, type[Transport]] = {}

T = TypeVar("T")
UserId = NewType("UserId", int)
Headers: TypeAlias = "dict[str, str]"
type Pair[K, V] = tuple[K, V]
type Names = list[str]
Point = namedtuple("Point", "x y")

square = lambda x: x * x


# How a request went.
# Values are those of the wire.
#
# Not shown: why.
class Outcome(enum.StrEnum):
    """What became of a request."""

    OK = "ok"
    FAILED = "failed"
    _ignore_ = ["temp"]

    @property
    def final(self) -> bool:
        return self is Outcome.OK


class Transport(Protocol):
    """Sends bytes.

    A transport is used by one client.
    """

    scheme: str

    def send(self, data: bytes) -> bytes: ...


@dataclass(
    frozen=True,
    slots=True,
)
class Retry:
    """When to try again."""

    MAX = 5

    attempts: int = 3
    statuses: frozenset[int] = field(default_factory=frozenset)

    def delay(
        self,
        attempt: int,
        *,
        jitter: float = 0.1,
    ) -> float:  # seconds
        """Seconds to wait before `attempt`."""

        def clamp(value: float) -> float:
            limit = 60
            return min(value, limit)

        return clamp(2**attempt + jitter)


class Client(Generic[T]):
    pool = None

    class Closed(RuntimeError):
        """Raised after `close`."""

    def __init__(self, base: str, retry: Retry | None = None) -> None:
        # a Retry is immutable
        self.base = base
        self._retry: Retry = retry or Retry()
        total = 0

    def __enter__(self) -> Client[T]:
        return self

    @overload
    def get(self, url: str) -> bytes: ...
    @overload
    def get(self, url: str, *, as_json: bool) -> dict: ...
    def get(self, url, *, as_json=False):
        "Fetch a page."
        return b""

    @functools.cached_property
    def host(self) -> str:
        """Where it talks to."""
        return self.base

    @property
    def timeout(self): return self._timeout

    @timeout.setter
    def timeout(self, value): self._timeout = value

    @staticmethod
    async def aclose() -> None:
        pass

    if sys.platform == "win32":
        def poll(self): ...

    fetch = get


# The one that most people want.
# -- see `Client`
default_client = Client("https://example.org")


def cached(ttl: int):
    """Remember results for a while."""

    def decorate(func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            result = func(*args, **kwargs)
            return result

        return wrapper

    return decorate


async def main[S: str](name: S, /, *rest: S) -> None:
    pass


if __name__ == "__main__":
    options = sys.argv
    main("x")
