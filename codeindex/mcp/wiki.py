"""Versions of wiki pages that a session has read: agents need not name them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from codeindex.api.requests import Parameter
from codeindex.mcp.reply import Reply
from codeindex.mcp.session import AgentSession

GENERATE_TOOL = "wiki_generate"
"""The tool after which the others are listed."""
_PREFIX = "wiki_"


def is_wiki_tool(name: str) -> bool:
    return name.startswith(_PREFIX)


def with_base_version(
    session: AgentSession, repo: str, taken: Mapping[str, Parameter], given: dict[str, Any]
) -> dict[str, Any]:
    """Name the version of a page that the session has read, so that no other is overwritten."""
    page = given.get("page", "")
    if "base" in taken and not given.get("base") and isinstance(page, str):
        return {**given, "base": session.version_of(repo, page.strip())}
    return given


def note_pages(session: AgentSession, repo: str, reply: Reply[Any]) -> None:
    """Note the versions of the pages that a session sees."""
    found = reply.data()
    for page in (found, *found.get("affected", ())):
        if page.get("page") and page.get("version"):
            session.note_page(repo, page["page"], page["version"])
