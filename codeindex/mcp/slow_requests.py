"""Connections that do not send their requests are closed in time; of many, the oldest first."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    import asyncio


@dataclass(frozen=True, slots=True)
class Bounds:
    """How long a client may take for a request, in seconds, and how many may be silent at once.

    Of more than `most_waiting` connections without a request, that which has been silent for
    longest is closed: a client that means to ask sends its request within milliseconds.
    """

    header_seconds: float = 10.0
    body_seconds: float = 30.0
    most_waiting: int = 200


class Waiting:
    """The connections of a server whose requests have not come, the oldest first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._connections: OrderedDict[Any, None] = OrderedDict()

    def add(self, connection: Any) -> None:
        """Note a silent connection, and close the one that has been silent for longest."""
        self._connections[connection] = None
        self._connections.move_to_end(connection)
        if len(self._connections) > self._most:
            oldest, _ = self._connections.popitem(last=False)
            oldest.transport.abort()

    def drop(self, connection: Any) -> None:
        self._connections.pop(connection, None)


class _Bounded:
    """What a connection does beside uvicorn's protocol class, which comes after it in the order."""

    bounds: Bounds
    waiting: Waiting

    def connection_made(self: Any, transport: Any) -> None:
        super().connection_made(transport)  # type: ignore[misc]
        self._await_request()
        self._timer = self.loop.call_later(self.bounds.header_seconds, self._judge)

    def connection_lost(self: Any, exc: Exception | None) -> None:
        self.waiting.drop(self)
        self._timer.cancel()
        super().connection_lost(exc)  # type: ignore[misc]

    def data_received(self: Any, data: bytes) -> None:
        super().data_received(data)  # type: ignore[misc]
        if self._is_answering():
            self.waiting.drop(self)

    def on_response_complete(self: Any) -> None:
        super().on_response_complete()  # type: ignore[misc]
        if not self._is_answering():  # no further request came with the last one
            self._await_request()

    def _await_request(self: Any) -> None:
        self._waits_since = self.loop.time()
        self.waiting.add(self)

    def _is_answering(self: Any) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _judge(self: Any) -> None:
        """Close a connection that is late, else look again when it can be."""
        allowed = self.bounds.header_seconds
        if self._is_answering():
            allowed = self.bounds.body_seconds if self.cycle.more_body else float("inf")
        left = allowed - (self.loop.time() - self._waits_since)
        if left <= 0:
            self.transport.abort()
        else:
            again = min(left, self.bounds.header_seconds)
            self._timer = self.loop.call_later(again, self._judge)


def bounded_protocol(bounds: Bounds | None = None) -> type[asyncio.Protocol]:
    """Return the protocol class of one server, which bounds the time until a request is there."""
    from uvicorn.protocols.http.auto import AutoHTTPProtocol

    bounds = bounds or Bounds()
    own = {"bounds": bounds, "waiting": Waiting(bounds.most_waiting)}
    made = type("BoundedProtocol", (_Bounded, AutoHTTPProtocol), own)
    return cast("type[asyncio.Protocol]", made)
