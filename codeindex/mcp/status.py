"""The tool `status`: what is served, and how far it is indexed."""

from __future__ import annotations

from typing import TypedDict

from codeindex.mcp.index_facts import FactsDict, facts_of
from codeindex.mcp.repositories import Served
from codeindex.mcp.requests import ServedStatusRequest
from codeindex.mcp.session import Session


class StatusDict(TypedDict):
    """What is known of each repository."""

    repos: list[FactsDict]


def status(served: Served, _: Session, request: ServedStatusRequest) -> StatusDict:
    repo = request.repo
    indexes = [served.index(repo)] if repo or served.needs_roots else served.indexes()
    return {"repos": [facts_of(one, served.background.current_work(one)) for one in indexes]}
