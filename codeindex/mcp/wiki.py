"""Remember which version of each wiki page a session has read.

So agents do not have to name the version when they change a page.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from codeindex.api.requests import Parameter
from codeindex.mcp.reply import Reply
from codeindex.mcp.session import AgentSession

GENERATE_TOOL = "wiki_generate"
"""The tool that creates the wiki; once there is a wiki, all wiki tools are listed."""
_PREFIX = "wiki_"


def is_wiki_tool(name: str) -> bool:
    return name.startswith(_PREFIX)


def with_base_version(
    session: AgentSession, repo: str, parameters: Mapping[str, Parameter], given: dict[str, Any]
) -> dict[str, Any]:
    """Return the arguments of a call with `base` added, if the tool has that parameter.

    `base` is the version of the page that the session has last read or written, so that a newer
    version is not overwritten. A `base` that the caller gave is kept.
    """
    page = given.get("page", "")
    if "base" in parameters and not given.get("base") and isinstance(page, str):
        return {**given, "base": session.page_version(repo, page.strip())}
    return given


def note_pages(session: AgentSession, repo: str, reply: Reply[Any]) -> None:
    """Record in the session which versions of wiki pages a reply shows."""
    data = reply.data()
    for page in (data, *data.get("affected", ())):
        if page.get("page") and page.get("version"):
            session.note_page(repo, page["page"], page["version"])
