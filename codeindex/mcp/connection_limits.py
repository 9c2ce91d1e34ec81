"""Bounds on connections whose request has not come: in time, and in number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from codeindex.mcp.auth_middleware import AUTHENTICATED

if TYPE_CHECKING:
    import asyncio

State = Literal["new", "begun", "idle"]
"""Of a connection without a request: whether no client that was let in has had an answer on it,
and if one has, whether its next request has begun."""


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """How long a client may take for a request, in seconds, and how many may be silent at once.

    `most_waiting` is for new connections, and again for those whose clients were let in.
    """

    header_seconds: float = 10.0
    body_seconds: float = 30.0
    most_waiting: int = 200


class PendingConnections:
    """The connections of a server whose requests have not come, by state, the oldest first.

    New connections never cost a client the connection that it keeps between its requests: the two
    are bounded apart. Of the latter, those whose next request has begun are closed first.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._states: dict[State, dict[Any, None]] = {"new": {}, "begun": {}, "idle": {}}

    def put(self, connection: Any, state: State) -> None:
        """Note the state of a connection; close the oldest where there are too many like it."""
        self.drop(connection)
        self._states[state][connection] = None
        new, begun, idle = self._states.values()
        if len(new) > self._most:
            _abort_first(new)
        if len(begun) + len(idle) > self._most:
            _abort_first(begun or idle)

    def drop(self, connection: Any) -> None:
        for connections in self._states.values():
            connections.pop(connection, None)


def _abort_first(connections: dict[Any, None]) -> None:
    oldest = next(iter(connections))
    del connections[oldest]
    oldest.transport.abort()


class _Bounded:
    """What a connection does beside uvicorn's protocol class, which comes after it in the order.

    A connection that is idle between two requests is bounded by uvicorn's keep-alive time alone.
    """

    bounds: ConnectionLimits
    waiting: PendingConnections
    _waits_since: float | None
    """When the current request began, on a new connection when it was made;
    None while idle."""

    def connection_made(self: Any, transport: Any) -> None:
        super().connection_made(transport)  # type: ignore[misc]
        self._waits_since = self.loop.time()
        self.waiting.put(self, "new")
        self._timer = self.loop.call_later(self.bounds.header_seconds, self._judge)

    def connection_lost(self: Any, exc: Exception | None) -> None:
        self.waiting.drop(self)
        self._timer.cancel()
        super().connection_lost(exc)  # type: ignore[misc]

    def data_received(self: Any, data: bytes) -> None:
        is_first = self._waits_since is None
        if is_first:
            self._waits_since = self.loop.time()
        super().data_received(data)  # type: ignore[misc]
        if self._is_answering():
            self.waiting.drop(self)
        elif is_first:
            self.waiting.put(self, "begun")

    def on_response_complete(self: Any) -> None:
        super().on_response_complete()  # type: ignore[misc]
        if self._is_answering():  # a further request came with the last one
            self._waits_since = self.loop.time()
        elif self.cycle.scope.get(AUTHENTICATED):
            self._waits_since = None
            self.waiting.put(self, "idle")
        else:
            self._waits_since = self.loop.time()
            self.waiting.put(self, "new")

    def _is_answering(self: Any) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _judge(self: Any) -> None:
        """Close a connection that is late, else look again when it can be."""
        left = self._seconds_left()
        if left <= 0:
            self.transport.abort()
        else:
            again = min(left, self.bounds.header_seconds)
            self._timer = self.loop.call_later(again, self._judge)

    def _seconds_left(self: Any) -> float:
        if self._waits_since is None or (self._is_answering() and not self.cycle.more_body):
            return float("inf")
        is_answering = self._is_answering()
        allowed = self.bounds.body_seconds if is_answering else self.bounds.header_seconds
        left: float = allowed - (self.loop.time() - self._waits_since)
        return left


def limited_protocol(bounds: ConnectionLimits | None = None) -> type[asyncio.Protocol]:
    """Return the protocol class of one server, which bounds the time until a request is there."""
    from uvicorn.protocols.http.auto import AutoHTTPProtocol

    bounds = bounds or ConnectionLimits()
    own = {"bounds": bounds, "waiting": PendingConnections(bounds.most_waiting)}
    made = type("BoundedProtocol", (_Bounded, AutoHTTPProtocol), own)
    return cast("type[asyncio.Protocol]", made)
