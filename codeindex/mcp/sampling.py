"""Writing by the client's own model, if it offers that: the protocol calls it sampling."""

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
import mcp_types as wire
from mcp.shared.exceptions import MCPError

from codeindex.llm_command import NotWrittenError

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

_TOKENS = 2_000
_SECONDS = 120.0
"""A person may be asked first."""


@dataclass(slots=True)
class SamplingClient:
    """The model of the client of one request; `name` is known after it has written."""

    context: ServerRequestContext[Any, Any]
    name: str = "the client's model"

    @property
    def is_offered(self) -> bool:
        """Tell whether the client has said that it can, over a connection that can ask it."""
        capabilities = self.context.session.client_capabilities
        can = capabilities is not None and capabilities.sampling is not None
        return can and self.context.session.can_send_request

    def __call__(self, prompt: str) -> str:
        """Have the client's model answer, from a thread that tools run in."""
        try:
            return anyio.from_thread.run(partial(self._asked, prompt))
        except TimeoutError as error:
            raise NotWrittenError("the client's model took too long") from error
        except MCPError as error:
            raise NotWrittenError("the client did not let its model write") from error

    async def _asked(self, prompt: str) -> str:
        message = wire.SamplingMessage(role="user", content=wire.TextContent(text=prompt))
        with anyio.fail_after(_SECONDS), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that newer protocols have it no more, which we ask
            found = await self.context.session.create_message([message], max_tokens=_TOKENS)
        self.name = found.model or self.name
        if not isinstance(found.content, wire.TextContent):
            raise NotWrittenError("the client's model gave no text")
        return found.content.text


_CURRENT: ContextVar[SamplingClient | None] = ContextVar("sampling", default=None)


@contextmanager
def offer_sampling(context: ServerRequestContext[Any, Any]) -> Iterator[None]:
    """Let the tools of this request ask the client's model, if there is one."""
    token = _CURRENT.set(SamplingClient(context))
    try:
        yield
    finally:
        _CURRENT.reset(token)


def current_sampling_client() -> SamplingClient | None:
    """Return the model of the client that is being answered, if it offers one."""
    found = _CURRENT.get()
    return found if found and found.is_offered else None
