"""The lines of a client over a pipe: each is a message, or is answered with what is wrong with it.

The SDK logs a line that is no message and drops it, and its client waits for ever.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from typing import Any, TextIO

import anyio
import mcp_types as wire

_WAITING = 16
"""Lines that are read ahead of the server."""
_FORM = (
    'This line is no message of JSON-RPC: send one object with "jsonrpc": "2.0", "method", "id" (a'
    ' text or a whole number) and, where there are any, "params" (an object).'
)
_HALF = "A text has half of a letter (a lone surrogate): send each letter whole."


class MessageWriter:
    """The stream to the client, where each message is one line, whoever sends it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = anyio.wrap_file(stream)
        self._lock = anyio.Lock()

    async def write(self, line: str) -> None:
        async with self._lock:
            await self._stream.write(line)
            await self._stream.flush()

    async def flush(self) -> None:
        """Do nothing: each line was flushed."""


class MessageReader:
    """The messages of a client, without those that are answered here.

    A thread of its own reads them, which no end of the server has to wait for.
    """

    def __init__(self, stream: TextIO, answers: MessageWriter) -> None:
        self._stream = stream
        self._answers = answers

    async def __aiter__(self) -> AsyncIterator[str]:
        queue: asyncio.Queue[str | None] = asyncio.Queue(_WAITING)
        reading = (self._stream, queue, asyncio.get_running_loop())
        threading.Thread(target=_read, args=reading, daemon=True).start()
        while (line := await queue.get()) is not None:
            if not line.strip():
                continue
            refusal = message_error(line)
            if refusal is None:
                yield line
            else:
                await self._answers.write(json.dumps(refusal) + "\n")


def _read(
    stream: TextIO, queue: asyncio.Queue[str | None], loop: asyncio.AbstractEventLoop
) -> None:
    """Put each line into a queue, then None; ends where nobody takes them any more."""
    try:
        for line in stream:
            asyncio.run_coroutine_threadsafe(queue.put(line), loop).result()
        asyncio.run_coroutine_threadsafe(queue.put(None), loop).result()
    except (OSError, RuntimeError, ValueError, asyncio.CancelledError):
        return  # the loop is closed, or the stream


def message_error(line: str) -> dict[str, Any] | None:
    """Return the error that answers a line, None for a message of the protocol."""
    try:
        message = wire.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError as error:
        return _refusal(line, str(error))
    if isinstance(message, wire.JSONRPCNotification) and "id" in json.loads(line):
        return _error({}, wire.INVALID_REQUEST, _FORM)  # its id is none: nobody would be answered
    return None


def _refusal(line: str, reason: str) -> dict[str, Any]:
    found: Any = None
    try:
        found = json.loads(line)
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return _error(found, wire.INVALID_REQUEST, _HALF)
    except (ValueError, RecursionError) as error:
        sentence = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        return _error({}, wire.PARSE_ERROR, f"This line is no JSON: {sentence[:100]}.")
    if "recursion limit" in reason:
        return _error(found, wire.INVALID_REQUEST, "This message is nested too deeply.")
    return _error(found, wire.INVALID_REQUEST, _FORM)


def _error(found: Any, code: int, sentence: str) -> dict[str, Any]:
    """Return an error under the id of a request, null where it has none that can be repeated."""
    is_request = isinstance(found, dict) and not {"result", "error"} & found.keys()
    given = found.get("id") if is_request else None
    known = isinstance(given, str | int) and not isinstance(given, bool)
    if isinstance(given, str):
        known = given.isprintable()
    return {
        "jsonrpc": "2.0",
        "id": given if known else None,
        "error": {"code": code, "message": sentence},
    }
