"""Who is let in by HTTP: checked for every path, before anything is read."""

from __future__ import annotations

import logging
import math
import secrets
import socket
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from starlette.datastructures import Headers
from starlette.responses import JSONResponse

from codeindex.mcp.address import Address, bracket_ipv6, parse_ip

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

logger = logging.getLogger(__name__)

AUTHENTICATED = "codeindex.let_in"
"""Key of a scope whose client is trusted: its connection may stay open between requests."""
HEALTH_PATH = "/health"
"""The one path that needs no token."""
RATE, BURST = 100.0, 500.0
"""Requests a second of one address, and how many at once: fifty agents behind one address ask
less."""
_MOST_CLIENTS = 10_000
_LONGEST_PATH = 200
_LAST_PORT, _PORT_DIGITS = 65_535, 5
_OWN_SITE = {"", "none", "same-origin"}
"""What browsers say of requests that no other site has caused; other clients say nothing."""


class RateLimiter:
    """A token bucket for each client; only to be used by one thread.

    An address has two: one for those who know the token, one for all others, so that these keep
    nobody of the same address out.
    """

    def __init__(
        self,
        rate: float = RATE,
        burst: float = BURST,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._left: OrderedDict[tuple[str, bool], tuple[float, float]] = OrderedDict()

    def wait(self, client: tuple[str, bool]) -> float:
        """Take a request out of a client's bucket; the seconds until there is one if there is none.

        The clients that were quiet for longest are forgotten first: their buckets are full.
        """
        now = self._clock()
        left, then = self._left.pop(client, (self._burst, now))
        left = min(self._burst, left + (now - then) * self._rate)
        self._left[client] = (left - 1 if left >= 1 else left), now
        while len(self._left) > _MOST_CLIENTS:
            self._left.popitem(last=False)
        return 0.0 if left >= 1 else (1 - left) / self._rate


@dataclass(frozen=True, slots=True)
class RequestGuard:
    """By which names this server is called, its token ('' for none), and how often one may ask.

    A page on the web can have a name of its own lead here, and then has its visitors' browsers ask
    us: such requests carry that name as `Host`, and the page as `Origin`.
    """

    names: frozenset[str]
    any_number: bool = False
    """Whether a number is as good as a name: all interfaces are listened to, and nobody can have a
    number lead elsewhere."""
    token: str = ""
    buckets: RateLimiter = field(default_factory=RateLimiter)

    @classmethod
    def at(
        cls, address: Address, *, token: str = "", buckets: RateLimiter | None = None
    ) -> RequestGuard:
        names = {bracket_ipv6(address.host)}
        if address.is_loopback or address.is_every:
            names |= {"localhost", "127.0.0.1", "[::1]"}
        if address.is_every:
            names.add(socket.gethostname().lower())
        return cls(frozenset(names), address.is_every, token, buckets or RateLimiter())

    def refusal(self, scope: Scope) -> JSONResponse | None:
        """Return what to answer somebody who is not let in, or asks too often.

        Who it is comes first, and whoever it is pays: the wrong token of one client costs another
        one of the same address nothing.
        """
        refusal = self._refusal(scope)
        client = (scope.get("client") or ("",))[0]
        known = refusal is None and self.trusts(scope)
        wait = self.buckets.wait((client, known))
        if wait:
            later = {"Retry-After": str(math.ceil(wait))}
            return error_response(
                429, "Too many requests: wait as long as Retry-After says.", later
            )
        return refusal

    def trusts(self, scope: Scope) -> bool:
        """Tell whether a request shows the token, or needs none."""
        return not self.token or self._knows(Headers(scope=scope))

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        """Return the error for a wrong host, origin or token; None for a request that is let in."""
        headers = Headers(scope=scope)
        hosts = [one.lower() for one in headers.getlist("host")]
        host = hosts[0] if len(hosts) == 1 else ", ".join(hosts)
        if len(hosts) != 1 or not self._is_ours(host):
            return error_response(403, f"This server is not called {host[:_LONGEST_PATH]!r}.")
        if _is_foreign(headers, host):
            return error_response(403, "Pages of other sites may not use this server.")
        if self.token and scope["path"] != HEALTH_PATH and not self._knows(headers):
            challenge = {"WWW-Authenticate": "Bearer"}
            return error_response(
                401, "Send the server's token: `Authorization: Bearer …`.", challenge
            )
        return None

    def _is_ours(self, host: str) -> bool:
        name, colon, port = host.rpartition(":")
        if not (colon and port.isascii() and port.isdigit()):
            name = host
        elif len(port) > _PORT_DIGITS or int(port) > _LAST_PORT:
            return False
        return name in self.names or (self.any_number and parse_ip(name.strip("[]")) is not None)

    def _knows(self, headers: Headers) -> bool:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        right = secrets.compare_digest(token.strip().encode(), self.token.encode())
        return right and scheme.lower() == "bearer"


def _is_foreign(headers: Headers, host: str) -> bool:
    """Tell whether a browser asks for a page that is not ours; the port may be forwarded."""
    origins = [one.lower() for one in headers.getlist("origin")]
    if any(one and one.partition("://")[2] != host for one in origins):
        return True
    return any(one.lower() not in _OWN_SITE for one in headers.getlist("sec-fetch-site"))


def error_response(
    status: int, sentence: str, headers: dict[str, str] | None = None
) -> JSONResponse:
    return JSONResponse({"error": sentence}, status, headers)


def _log(scope: Scope, refusal: JSONResponse) -> None:
    """Log who was not let in, to where, and why; not the query, which may hold anything."""
    client = (scope.get("client") or ("",))[0]
    where = f"{scope['method']} {scope['path'][:_LONGEST_PATH]!r}"
    logger.warning("refused %s of %s: %s", where, client, bytes(refusal.body).decode())


def guard_app(app: ASGIApp, door: RequestGuard) -> ASGIApp:
    """Put a door in front of an application."""

    async def enter(scope: Scope, receive: Receive, send: Send) -> None:
        refusal = door.refusal(scope) if scope["type"] == "http" else None
        if refusal is not None:
            _log(scope, refusal)
        elif scope["type"] == "http":
            scope[AUTHENTICATED] = door.trusts(scope)
        await (refusal or app)(scope, receive, send)

    return enter
