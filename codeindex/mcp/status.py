"""The tool `status`: what is served, and how far it is indexed."""

from __future__ import annotations

from typing import TypedDict

from codeindex.mcp.index_facts import FactsDict, facts_of
from codeindex.mcp.repositories import Served
from codeindex.mcp.session import Session


class StatusDict(TypedDict):
    """What is known of each repository."""

    repos: list[FactsDict]


def status(served: Served, _: Session, *, repo: str = "") -> StatusDict:
    """Say which repositories are served and how far and how freshly they are indexed."""
    indexes = [served.index(repo)] if repo or served.needs_roots else served.indexes()
    return {"repos": [facts_of(one, served.background.current_work(one)) for one in indexes]}
