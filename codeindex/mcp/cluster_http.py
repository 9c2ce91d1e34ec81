"""Serve a cluster by HTTP; each token sees the repositories that its grant names."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.datastructures import Headers

from codeindex.cluster.cluster_sync import Rebuild
from codeindex.logs import SERVER, enable_log_file
from codeindex.mcp.access_tokens import AccessGrant, read_access_grants, token_digest
from codeindex.mcp.address import Address, open_listener
from codeindex.mcp.auth_middleware import RateLimiter, RequestGuard, guard_app
from codeindex.mcp.cluster_server import ClusterServer
from codeindex.mcp.http import open_app, run_app

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.types import ASGIApp, Receive, Scope, Send

    from codeindex.cluster.cluster import Cluster

_EVERYTHING = AccessGrant(("*",))


def serve_cluster_http(
    cluster: Cluster, rebuild: Rebuild, listen: str, *, token_file: Path | None, all_tools: bool
) -> None:
    """Serve a cluster at `listen` ([HOST:]PORT) until interrupted.

    `token_file` has the tokens and their repositories. Without it, no token is needed on a loopback
    address; on any other, one token for all repositories is generated and printed once. Raises
    AddressError for an invalid address or token file.
    """
    address = Address.parse(listen)
    grants = read_access_grants(token_file) if token_file else {}
    token = "" if grants or address.is_loopback else secrets.token_urlsafe(32)
    if token:
        grants = {token_digest(token): _EVERYTHING}
    enable_log_file(SERVER, on_stderr=True)
    with open_listener(address) as listener:
        address = replace(address, port=listener.getsockname()[1])
        app = cluster_app(cluster, rebuild, address, grants, all_tools=all_tools)
        run_app(app, listener, announce=partial(_announce, address, token), proxies="")


def _announce(address: Address, token: str) -> None:
    sys.stderr.write(f"codeindex: serving the cluster's MCP at http://{address}/mcp\n")
    if token:
        sys.stderr.write(f"codeindex: its token, shown this once: {token}\n")
    sys.stderr.flush()


def cluster_app(
    cluster: Cluster,
    rebuild: Rebuild,
    address: Address,
    grants: Mapping[str, AccessGrant],
    *,
    all_tools: bool = False,
) -> ASGIApp:
    """Return the ASGI application; `grants` maps token digests to grants, {} if no token is needed.

    Clients whose tokens have the same grant share sessions. Other clients cannot use a session of
    theirs, even with its id.
    """
    apps = {
        grant: open_app(ClusterServer(cluster, rebuild, grant.may_see), all_tools=all_tools)
        for grant in {*grants.values()} or {_EVERYTHING}
    }
    limiter = RateLimiter()
    # Without grants, no token is needed. With grants, this guard has a token that nobody knows, so
    # that only public requests pass.
    unknown = secrets.token_urlsafe(32) if grants else ""
    closed = RequestGuard.for_address(address, token=unknown, limiter=limiter)
    otherwise = guard_app(next(iter(apps.values())), closed)
    opened = RequestGuard.for_address(address, limiter=limiter)
    guarded = {grant: guard_app(app, opened) for grant, app in apps.items()}
    by_token = {digest: guarded[grant] for digest, grant in grants.items()}

    async def dispatch(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _run_lifespans(tuple(apps.values()), receive, send)
            return
        scheme, _, token = Headers(scope=scope).get("authorization", "").partition(" ")
        digest = token_digest(token.strip()) if scheme.lower() == "bearer" else ""
        await by_token.get(digest, otherwise)(scope, receive, send)

    return dispatch


async def _run_lifespans(apps: tuple[Starlette, ...], receive: Receive, send: Send) -> None:
    """Start several applications as one, and end them together when the server ends."""
    await receive()
    async with AsyncExitStack() as stack:
        for app in apps:
            await stack.enter_async_context(app.router.lifespan_context(app))
        await send({"type": "lifespan.startup.complete"})
        await receive()
    await send({"type": "lifespan.shutdown.complete"})
