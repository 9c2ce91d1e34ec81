"""Serve one client over standard input and output.

Invalid lines of input are answered with an error. The SDK alone would log and drop them, and the
client would wait for ever.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TextIO, cast

import anyio
import mcp_types

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
    from codeindex.mcp.stdio import MessageReader, MessageWriter

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


_QUEUE_SIZE = 16
"""Most lines that are read before the server takes them."""
_INVALID_REQUEST = (
    'This line is no message of JSON-RPC: send one object with "jsonrpc": "2.0", "method", "id" (a'
    ' text or a whole number) and, where there are any, "params" (an object).'
)
_LONE_SURROGATE = "A text has half of a letter (a lone surrogate): send each letter whole."


class MessageWriter:
    """Writes whole lines to the client; a lock keeps lines of concurrent tasks apart."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = anyio.wrap_file(stream)
        self._lock = anyio.Lock()

    async def write(self, line: str) -> None:
        async with self._lock:
            await self._stream.write(line)
            await self._stream.flush()

    async def flush(self) -> None:
        """Do nothing, since `write` flushes each line; the SDK calls this method."""


class MessageReader:
    """Yields a client's lines that are valid messages, and answers invalid lines with errors.

    A daemon thread reads the lines, so that the server can end while a read blocks.
    """

    def __init__(self, stream: TextIO, writer: MessageWriter) -> None:
        self._stream = stream
        self._writer = writer

    async def __aiter__(self) -> AsyncIterator[str]:
        queue: asyncio.Queue[str | None] = asyncio.Queue(_QUEUE_SIZE)
        args = (self._stream, queue, asyncio.get_running_loop())
        threading.Thread(target=_read_lines, args=args, daemon=True).start()
        while (line := await queue.get()) is not None:
            if not line.strip():
                continue
            error = message_error(line)
            if error is None:
                yield line
            else:
                await self._writer.write(json.dumps(error) + "\n")


def _read_lines(
    stream: TextIO, queue: asyncio.Queue[str | None], loop: asyncio.AbstractEventLoop
) -> None:
    """Put each line into the queue, then None to mark the end of the stream.

    A stream that fails, like a terminal that was closed, counts as ended. Return early if the event
    loop is closed.
    """

    def put(line: str | None) -> None:
        asyncio.run_coroutine_threadsafe(queue.put(line), loop).result()

    with suppress(RuntimeError, asyncio.CancelledError):  # the loop is closed
        with suppress(OSError, ValueError):
            for line in stream:
                put(line)
        put(None)


def message_error(line: str) -> dict[str, Any] | None:
    """Return the JSON-RPC error response to an invalid line; None if the line is valid."""
    try:
        message = mcp_types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError as error:
        return _validation_error(line, str(error))
    if isinstance(message, mcp_types.JSONRPCNotification) and "id" in json.loads(line):
        return _error(
            {}, mcp_types.INVALID_REQUEST, _INVALID_REQUEST
        )  # the SDK reads `"id": null` as no id
    return None


def _validation_error(line: str, reason: str) -> dict[str, Any]:
    message: Any = None
    try:
        message = json.loads(line)
        json.dumps(message, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return _error(message, mcp_types.INVALID_REQUEST, _LONE_SURROGATE)
    except (ValueError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        return _error({}, mcp_types.PARSE_ERROR, f"This line is not JSON: {reason[:100]}.")
    if "recursion limit" in reason:
        return _error(message, mcp_types.INVALID_REQUEST, "This message is nested too deeply.")
    return _error(message, mcp_types.INVALID_REQUEST, _INVALID_REQUEST)


def _error(message: Any, code: int, text: str) -> dict[str, Any]:
    """Return a JSON-RPC error response to `message`, with a code and a text.

    Its `id` is the request's, or None if `message` is not a request or has no valid id.
    """
    is_request = isinstance(message, dict) and not {"result", "error"} & message.keys()
    request_id = message.get("id") if is_request else None
    is_valid = isinstance(request_id, str | int) and not isinstance(request_id, bool)
    if isinstance(request_id, str):
        is_valid = request_id.isprintable()
    return {
        "jsonrpc": "2.0",
        "id": request_id if is_valid else None,
        "error": {"code": code, "message": text},
    }
