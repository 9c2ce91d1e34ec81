"""Limit the time, size and number of requests from clients that are not authenticated yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from codeindex.mcp.auth_middleware import AUTHENTICATED

if TYPE_CHECKING:
    import asyncio

State = Literal["new", "begun", "idle"]
"""The state of a connection that waits for a request. It is `new` until the first response to an
authenticated client, then `idle`, and `begun` once a part of the next request has arrived."""


_REFUSAL = "This is no valid HTTP request, or its head is too large: send fewer and shorter lines."


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Maximum seconds for a request's header and body, and the maximum of pending connections.

    `max_pending` limits the connections that wait for a request: new ones and, separately, those of
    authenticated clients.
    """

    header_seconds: float = 10.0
    body_seconds: float = 30.0
    max_pending: int = 200


class PendingConnections:
    """The connections that wait for a request, by state, the oldest first.

    New connections and those of authenticated clients are limited separately, so that a flood of
    new connections cannot close authenticated ones. Among authenticated connections, those with a
    partial request are closed first.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._states: dict[State, dict[Any, None]] = {"new": {}, "begun": {}, "idle": {}}

    def add(self, connection: Any, state: State) -> None:
        """Record the state of a connection.

        If there are now too many new connections, close the oldest. If there are too many
        authenticated ones, close the oldest with a partial request, or else the oldest.
        """
        self.discard(connection)
        self._states[state][connection] = None
        new, begun, idle = self._states.values()
        if len(new) > self._limit:
            _abort_first(new)
        if len(begun) + len(idle) > self._limit:
            _abort_first(begun or idle)

    def discard(self, connection: Any) -> None:
        for connections in self._states.values():
            connections.pop(connection, None)


def _abort_first(connections: dict[Any, None]) -> None:
    oldest = next(iter(connections))
    del connections[oldest]
    oldest.transport.abort()


class _LimitedConnection:
    """A mixin of uvicorn's protocol class that closes connections whose request is late.

    Between two requests, only uvicorn's keep-alive time closes an authenticated connection.
    """

    limits: ConnectionLimits
    pending: PendingConnections
    _waits_since: float | None
    """The event loop's time when the current request or the connection began; None while idle."""

    def connection_made(self: Any, transport: Any) -> None:
        super().connection_made(transport)  # type: ignore[misc]
        self._waits_since = self.loop.time()
        self.pending.add(self, "new")
        self._timer = self.loop.call_later(self.limits.header_seconds, self._check_time)

    def connection_lost(self: Any, exc: Exception | None) -> None:
        self.pending.discard(self)
        self._timer.cancel()
        super().connection_lost(exc)  # type: ignore[misc]

    def data_received(self: Any, data: bytes) -> None:
        is_first = self._waits_since is None
        if is_first:
            self._waits_since = self.loop.time()
        super().data_received(data)  # type: ignore[misc]
        if self._is_answering():
            self.pending.discard(self)
        elif is_first:
            self.pending.add(self, "begun")

    def send_400_response(self: Any, _: str) -> None:
        super().send_400_response(_REFUSAL)  # type: ignore[misc]

    def on_response_complete(self: Any) -> None:
        super().on_response_complete()  # type: ignore[misc]
        if self._is_answering():  # the client pipelined another request
            self._waits_since = self.loop.time()
        elif self.cycle.scope.get(AUTHENTICATED):
            self._waits_since = None
            self.pending.add(self, "idle")
        else:
            self._waits_since = self.loop.time()
            self.pending.add(self, "new")

    def _is_answering(self: Any) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _check_time(self: Any) -> None:
        """Close the connection if its time for a request is over, else schedule the next check."""
        left = self._seconds_left()
        if left <= 0:
            self.transport.abort()
        else:
            delay = min(left, self.limits.header_seconds)
            self._timer = self.loop.call_later(delay, self._check_time)

    def _seconds_left(self: Any) -> float:
        if self._waits_since is None or (self._is_answering() and not self.cycle.more_body):
            return float("inf")
        is_answering = self._is_answering()
        allowed = self.limits.body_seconds if is_answering else self.limits.header_seconds
        left: float = allowed - (self.loop.time() - self._waits_since)
        return left


def limited_protocol(limits: ConnectionLimits | None = None) -> type[asyncio.Protocol]:
    """Return a subclass of uvicorn's HTTP protocol that applies `limits` to its connections.

    It is the one that parses with h11, which limits the head of a request: `http.MAX_HEAD_BYTES`.
    """
    from uvicorn.protocols.http.h11_impl import H11Protocol

    limits = limits or ConnectionLimits()
    attributes = {"limits": limits, "pending": PendingConnections(limits.max_pending)}
    protocol = type("LimitedProtocol", (_LimitedConnection, H11Protocol), attributes)
    return cast("type[asyncio.Protocol]", protocol)
