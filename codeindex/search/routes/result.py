"""Define the input and the result of a route."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from codeindex.query.classify import Classification
from codeindex.types import Hit


@dataclass(frozen=True, slots=True)
class HitWindow:
    """The page of hits that a route shall return: `limit` of them from `offset` on.

    `repo` is the name of the repository.
    """

    repo: str
    offset: int
    limit: int

    @property
    def page(self) -> slice:
        return slice(self.offset, self.offset + self.limit)


@dataclass(frozen=True, slots=True)
class RouteResult:
    """The answer of a route, which answers a type of question from the graph instead of ranking.

    `hits` are one page of the hits, `total` is the number of all. `meta` is added to the answer's
    `meta`.
    """

    question: Classification
    total: int
    hits: Sequence[Hit]
    meta: Mapping[str, Any]
    rests_on: Sequence[str] = ()
    """Files on which the result depends, besides the files of the hits."""
