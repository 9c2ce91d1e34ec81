"""Read JSON-RPC messages from a pipe line by line, and answer invalid lines with an error.

The SDK alone would log and drop an invalid line, and the client would wait for ever.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any, TextIO

import anyio
import mcp_types

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
