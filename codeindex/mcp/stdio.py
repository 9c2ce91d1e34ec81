"""Serve one client over standard input and output."""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, TextIO, cast

if TYPE_CHECKING:
    from codeindex.mcp.repository_server import RepositoryServer

_PARENT_CHECK_SECONDS = 5.0


def claim_stdout() -> TextIO:
    """Return the original standard output; redirect `sys.stdout` and its handle to standard error.

    Call this function before importing modules that might print.
    """
    stdout = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return stdout


def claim_stdin() -> TextIO:
    """Return the original standard input; child processes then inherit an empty one."""
    handle = os.dup(0)
    devnull = os.open(os.devnull, os.O_RDONLY)
    os.dup2(devnull, 0)
    os.close(devnull)
    # closefd: the reader thread may still wait for a line when the server ends
    return os.fdopen(handle, encoding="utf-8", errors="replace", newline="\n", closefd=False)


def run_stdio_server(
    server: RepositoryServer, output: TextIO, *, all_tools: bool, structured: bool
) -> None:
    """Serve one client on `output`; close the server and return when the standard input ends.

    It also ends if the client no longer reads. If the parent process ends, the process exits.
    """
    import anyio
    from mcp.server.lowlevel import NotificationOptions
    from mcp.server.stdio import stdio_server

    from codeindex.logs import SERVER, enable_log_file
    from codeindex.mcp.server import make_server
    from codeindex.mcp.stdio_lines import MessageReader, MessageWriter

    enable_log_file(SERVER, on_stderr=True)
    _end_with_parent()
    mcp_server = make_server(server, all_tools=all_tools, sent_as="json" if structured else "text")

    async def run() -> None:
        writer = MessageWriter(output)
        reader = MessageReader(claim_stdin(), writer)
        async with stdio_server(cast("Any", reader), cast("Any", writer)) as (incoming, outgoing):
            options = mcp_server.create_initialization_options(
                NotificationOptions(tools_changed=True)
            )
            await mcp_server.run(incoming, outgoing, options)

    try:
        anyio.run(run)
    except* BrokenPipeError:
        pass  # the client no longer reads
    finally:
        server.close()


def _end_with_parent() -> None:
    """Start a thread that exits the process if the parent ends without closing our input.

    The thread calls `os._exit`, since the thread that reads standard input may be blocked.
    """
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_PARENT_CHECK_SECONDS)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
