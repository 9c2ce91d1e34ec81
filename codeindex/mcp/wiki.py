"""The tools of the wiki: a session need not say which version of a page it has read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from codeindex.mcp.reply import Reply
from codeindex.mcp.repositories import Served
from codeindex.mcp.session import Session

if TYPE_CHECKING:
    from codeindex.mcp.tools import Tool

READING = frozenset({"wiki_read", "wiki_search", "wiki_status", "wiki_suggest_contribution"})
"""Tools of the wiki that change nothing."""
BEGINS = "wiki_generate"
"""The tool after which the others are listed."""
_PREFIX = "wiki_"


def is_wiki(name: str) -> bool:
    return name.startswith(_PREFIX)


def remembering(tool: Tool) -> Tool:
    """Have a tool note the versions of pages that a session sees, and write over no other."""

    def run(served: Served, session: Session, given: dict[str, Any]) -> Reply[Any]:
        repo = served.index(given.get("repo", "")).repository.name
        page = given.get("page", "")
        if "base" in tool.taken and not given.get("base") and isinstance(page, str):
            given["base"] = session.version_of(repo, page.strip())
        reply = tool.run(served, session, given)
        found = reply.data()
        for one in (found, *found.get("affected", ())):
            if one.get("page") and one.get("version"):
                session.note_page(repo, one["page"], one["version"])
        return reply

    return replace(tool, run=run, writes=tool.name not in READING)
