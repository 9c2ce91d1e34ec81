"""Let the client's own model write a text, if the client offers sampling."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import anyio.from_thread
import mcp_types
from mcp.shared.exceptions import MCPError

from codeindex.llm_command import NotWrittenError

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

_MAX_TOKENS = 2_000
_TIMEOUT_SECONDS = 120.0
"""How long to wait for a text; clients may ask their user for permission first."""


@dataclass(slots=True)
class SamplingClient:
    """The model of the client that sent a request; its `name` is known after its first text."""

    context: ServerRequestContext[Any, Any]
    name: str = "the client's model"

    @property
    def is_offered(self) -> bool:
        """True if the client declares sampling, and the server can send requests to it."""
        session = self.context.session
        capabilities = session.client_capabilities
        if capabilities is None or capabilities.sampling is None:
            return False
        return session.can_send_request

    def __call__(self, prompt: str) -> str:
        """Return what the model writes, else raise NotWrittenError; call it in a worker thread."""
        try:
            return anyio.from_thread.run(partial(self._request, prompt))
        except TimeoutError as error:
            raise NotWrittenError("the client's model took too long") from error
        except MCPError as error:
            raise NotWrittenError("the client did not let its model write") from error

    async def _request(self, prompt: str) -> str:
        message = mcp_types.SamplingMessage(role="user", content=mcp_types.TextContent(text=prompt))
        with anyio.fail_after(_TIMEOUT_SECONDS), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # newer protocol versions deprecate sampling
            reply = await self.context.session.create_message([message], max_tokens=_MAX_TOKENS)
        self.name = reply.model or self.name
        if not isinstance(reply.content, mcp_types.TextContent):
            raise NotWrittenError("the client's model gave no text")
        return reply.content.text


_CURRENT: ContextVar[SamplingClient | None] = ContextVar("sampling", default=None)


@contextmanager
def offer_sampling(context: ServerRequestContext[Any, Any]) -> Iterator[None]:
    """Make the client's model available to tools that run within this `with` block."""
    token = _CURRENT.set(SamplingClient(context))
    try:
        yield
    finally:
        _CURRENT.reset(token)


def current_sampling_client() -> SamplingClient | None:
    """Return the model of the current request's client; None if it offers no sampling."""
    client = _CURRENT.get()
    return client if client and client.is_offered else None
