"""Control access by HTTP: check host, origin, token and rate before a body is read."""

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

from codeindex.mcp.address import MAX_PORT, Address, bracket_ipv6, parse_ip
from codeindex.web.static_files import static_files

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

logger = logging.getLogger(__name__)

AUTHENTICATED = "codeindex.authenticated"
"""Key of the ASGI scope: True for a trusted client, whose idle connection is kept open."""
HEALTH_PATH = "/health"
"""URL path of the health check; requests for it need no token."""
RATE, BURST = 100.0, 500.0
"""Requests per second that an address may send, and its largest burst; 50 agents need less."""
_MAX_CLIENTS = 10_000
_LOGGED_LENGTH = 200
"""Most characters of a host or path in logs and errors."""
_PORT_DIGITS = len(str(MAX_PORT))
_SAME_SITE = {"", "none", "same-origin"}
"""Values of `Sec-Fetch-Site` that no other site can cause; only browsers send the header."""


class RateLimiter:
    """Limits the rate of requests by a token bucket for each client; not thread-safe.

    A client is (address, whether it sent the server's token). Requests with and without the token
    have separate limits, so that those without it cannot block the others.
    """

    def __init__(
        self,
        rate: float = RATE,
        burst: float = BURST,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._buckets: OrderedDict[tuple[str, bool], tuple[float, float]] = OrderedDict()

    def acquire(self, client: tuple[str, bool]) -> float:
        """Count a request of a client; return 0 if it is allowed, else the seconds to wait.

        If there are too many clients, those that were idle longest are forgotten. They lose
        nothing, since they could send as many requests as a new client.
        """
        now = self._clock()
        tokens, updated = self._buckets.pop(client, (self._burst, now))
        tokens = min(self._burst, tokens + (now - updated) * self._rate)
        self._buckets[client] = (tokens - 1 if tokens >= 1 else tokens), now
        while len(self._buckets) > _MAX_CLIENTS:
            self._buckets.popitem(last=False)
        return 0.0 if tokens >= 1 else (1 - tokens) / self._rate


@dataclass(frozen=True, slots=True)
class RequestGuard:
    """The accepted host names, the token ('' for none) and the rate limit of a server.

    Host and origin are checked against DNS rebinding: a web page can make its own host name resolve
    to this machine and have its visitors' browsers send requests here. Such requests carry the
    page's host name as `Host` and the page's site as `Origin`.
    """

    names: frozenset[str]
    any_ip: bool = False
    """True if any IP address is accepted as `Host`, since the server listens on all interfaces. An
    address, unlike a name, cannot be made to resolve elsewhere."""
    token: str = ""
    limiter: RateLimiter = field(default_factory=RateLimiter)

    @classmethod
    def for_address(
        cls, address: Address, *, token: str = "", limiter: RateLimiter | None = None
    ) -> RequestGuard:
        names = {bracket_ipv6(address.host)}
        if address.is_loopback or address.is_wildcard:
            names |= {"localhost", "127.0.0.1", "[::1]"}
        if address.is_wildcard:
            names.add(socket.gethostname().lower())
        return cls(frozenset(names), address.is_wildcard, token, limiter or RateLimiter())

    def check(self, scope: Scope) -> JSONResponse | None:
        """Return the error response to a request that must be refused; None for any other.

        Access is checked before the rate, so that requests with a wrong token do not count for the
        rate of authenticated requests from the same address.
        """
        refusal = self._check_access(scope)
        client = (scope.get("client") or ("",))[0]
        is_trusted = refusal is None and self.trusts(scope)
        if seconds := self.limiter.acquire((client, is_trusted)):
            retry = {"Retry-After": str(math.ceil(seconds))}
            return error_response(
                429, "Too many requests: wait as long as Retry-After says.", retry
            )
        return refusal

    def trusts(self, scope: Scope) -> bool:
        """Return whether a request has the server's token, or the server has no token."""
        return not self.token or self._has_token(Headers(scope=scope))

    def _check_access(self, scope: Scope) -> JSONResponse | None:
        """Return an error response if host, origin or token is wrong, else None."""
        headers = Headers(scope=scope)
        hosts = [host.lower() for host in headers.getlist("host")]
        host = hosts[0] if len(hosts) == 1 else ", ".join(hosts)
        if len(hosts) != 1 or not self._is_own_host(host):
            return error_response(403, f"This server is not called {host[:_LOGGED_LENGTH]!r}.")
        if _is_cross_site(headers, host, is_link=_is_public(scope)):
            return error_response(403, "Pages of other sites may not use this server.")
        if self.token and not _is_public(scope) and not self._has_token(headers):
            challenge = {"WWW-Authenticate": "Bearer"}
            return error_response(
                401, "Send the server's token: `Authorization: Bearer …`.", challenge
            )
        return None

    def _is_own_host(self, host: str) -> bool:
        name, colon, port = host.rpartition(":")
        if not (colon and port.isascii() and port.isdigit()):
            name = host
        elif len(port) > _PORT_DIGITS or int(port) > MAX_PORT:
            return False
        return name in self.names or (self.any_ip and parse_ip(name.strip("[]")) is not None)

    def _has_token(self, headers: Headers) -> bool:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        is_equal = secrets.compare_digest(token.strip().encode(), self.token.encode())
        return is_equal and scheme.lower() == "bearer"


def _is_public(scope: Scope) -> bool:
    """Tell whether a request needs no token: the health check, or a file of the page."""
    return scope["path"] == HEALTH_PATH or scope["path"] in static_files()


def _is_cross_site(headers: Headers, host: str, *, is_link: bool) -> bool:
    """Tell by its headers whether a page of another site made the browser send a request.

    With `is_link`, a request that follows a link on another site does not count: it is for a public
    file, which holds no data and refuses to be framed.
    """
    origins = [origin.lower() for origin in headers.getlist("origin")]
    if any(origin and origin.partition("://")[2] != host for origin in origins):
        return True
    if is_link and headers.get("sec-fetch-mode") == "navigate":
        return headers.get("sec-fetch-dest") != "document"
    return any(site.lower() not in _SAME_SITE for site in headers.getlist("sec-fetch-site"))


def error_response(
    status: int, message: str, headers: dict[str, str] | None = None
) -> JSONResponse:
    return JSONResponse({"error": message}, status, headers)


def _log(scope: Scope, refusal: JSONResponse) -> None:
    """Log client, path and reason of a refusal; leave out the query, which may contain secrets."""
    client = (scope.get("client") or ("",))[0]
    target = f"{scope['method']} {scope['path'][:_LOGGED_LENGTH]!r}"
    logger.warning("refused %s of %s: %s", target, client, bytes(refusal.body).decode())


def guard_app(app: ASGIApp, guard: RequestGuard) -> ASGIApp:
    """Return an ASGI application that checks each HTTP request and then calls `app`."""

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        refusal = guard.check(scope) if scope["type"] == "http" else None
        if refusal is not None:
            _log(scope, refusal)
        elif scope["type"] == "http":
            scope[AUTHENTICATED] = guard.trusts(scope)
        await (refusal or app)(scope, receive, send)

    return guarded
