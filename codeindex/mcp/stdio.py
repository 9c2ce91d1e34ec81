"""Serving one client over standard input and output."""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, TextIO, cast

if TYPE_CHECKING:
    from codeindex.mcp.repository_server import AccessPolicy
    from codeindex.watch.intervals import WatchIntervals

_LOOK_SECONDS = 5.0


def claim_stdout() -> TextIO:
    """Return what standard output was: whatever is printed from now on goes to standard error.

    To be called before anything is imported that might print.
    """
    wire = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return wire


def claim_stdin() -> TextIO:
    """Move standard input to another descriptor and return it: child processes read nothing."""
    handle = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    # Another thread may still wait for a line when the server ends: its file stays open.
    return os.fdopen(handle, encoding="utf-8", errors="replace", newline="\n", closefd=False)


def serve_stdio(  # noqa: PLR0913 (options of the command, each by its name)
    roots: tuple[str, ...],
    wire: TextIO,
    *,
    all_tools: bool,
    structured: bool,
    access: AccessPolicy,
    allow_global: bool,
    pace: WatchIntervals | None,
) -> None:
    """Answer on `wire` until standard input ends or the parent is gone."""
    import anyio
    from mcp.server.lowlevel import NotificationOptions
    from mcp.server.stdio import stdio_server

    from codeindex.logs import SERVER, enable_log_file
    from codeindex.mcp.repository_server import RepositoryServer
    from codeindex.mcp.server import make_server
    from codeindex.mcp.stdio_lines import MessageReader, MessageWriter

    enable_log_file(SERVER, on_stderr=True)
    _end_with_parent()
    served = RepositoryServer(roots, access=access, allow_global=allow_global, pace=pace)
    server = make_server(served, all_tools=all_tools, sent_as="json" if structured else "text")

    async def run() -> None:
        answers = MessageWriter(wire)
        lines = MessageReader(claim_stdin(), answers)
        async with stdio_server(cast("Any", lines), cast("Any", answers)) as (reading, writing):
            options = server.create_initialization_options(NotificationOptions(tools_changed=True))
            await server.run(reading, writing, options)

    try:
        anyio.run(run)
    finally:
        served.close()


def _end_with_parent() -> None:
    """End when the client is gone without closing our input; a reader of it may be blocked."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_LOOK_SECONDS)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
