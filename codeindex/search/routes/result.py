"""Define what a route is asked for, and what it returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from codeindex.query.classify import Classification
from codeindex.types import Hit


@dataclass(frozen=True, slots=True)
class HitWindow:
    """The name of the repository, and which hits are wanted: `limit` of them from `offset` on."""

    repo: str
    offset: int
    limit: int

    @property
    def page(self) -> slice:
        return slice(self.offset, self.offset + self.limit)


@dataclass(frozen=True, slots=True)
class RouteResult:
    """One page of the hits of a route, their total number, and an entry for the answer's `meta`.

    A route answers a type of question from the graph instead of ranking.
    """

    question: Classification
    total: int
    hits: Sequence[Hit]
    meta: Mapping[str, Any]
    rests_on: Sequence[str] = ()
    """Files on which the result depends, besides the files of the hits."""
