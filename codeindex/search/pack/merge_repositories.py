"""Merge the answers of several repositories; their scores are comparable probabilities."""

from __future__ import annotations

import base64
import itertools
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import reduce
from typing import Any

from codeindex.errors import QueryError
from codeindex.query.cursor import encode_cursor
from codeindex.search.pack.agent_json import ROUTE_FIELDS
from codeindex.types import Absence, Answer, Coverage, Hit, Readiness, RefreshResult

_NAVIGATION = 3
"""Most navigation documents of an answer, over all repositories."""
_SUGGESTIONS = 5


def merge_hits(lists: Sequence[Sequence[Hit]], limit: int) -> tuple[Hit, ...]:
    """Merge lists of hits by score; the hits of each list keep their order.

    A larger `limit` only adds hits at the end.
    """
    left = [list(reversed(ranked)) for ranked in lists if ranked]
    taken: list[Hit] = []
    while left and len(taken) < limit:
        best = max(left, key=lambda ranked: ranked[-1].score)  # the first of equals
        taken.append(best.pop())
        left = [ranked for ranked in left if ranked]
    return tuple(taken)


@dataclass(frozen=True, slots=True)
class RepositoryCursor:
    """Where the next page begins in each repository's list of hits, as one cursor.

    `by_repo` maps repositories to (offset, index version).
    """

    by_repo: Mapping[str, tuple[int, int]]

    def of(self, repo: str) -> str:
        """Return the cursor with which to continue in one repository."""
        offset, version = self.by_repo[repo]
        return encode_cursor(offset=offset, version=version)

    def after(self, hits: Sequence[Hit]) -> RepositoryCursor:
        """Return the cursor of the page that begins after the given hits."""
        places = dict(self.by_repo)
        for hit in hits:
            offset, version = places[hit.repo]
            places[hit.repo] = (max(offset, hit.rank + 1), version)
        return RepositoryCursor(places)

    def encoded(self) -> str:
        rows = [[repo, *place] for repo, place in self.by_repo.items()]
        return base64.urlsafe_b64encode(json.dumps(rows).encode()).decode("ascii")


def decode_repository_cursor(cursor: str, repos: Sequence[str]) -> RepositoryCursor:
    """Decode the cursor of a search of these repositories.

    Raise QueryError if it is not such a cursor or belongs to a search of other repositories.
    """
    try:
        rows = json.loads(base64.urlsafe_b64decode(cursor.encode("ascii")))
        places = {repo: (offset, version) for repo, offset, version in rows}
    except (ValueError, TypeError, RecursionError):
        places = {}
    numbers = [number for place in places.values() for number in place]
    if not places or not all(type(number) is int and 0 <= number < 10**15 for number in numbers):
        raise QueryError("This cursor does not belong to a search of several repositories.")
    if not set(places) <= set(repos):
        raise QueryError("This cursor belongs to another scope: leave it out to start again.")
    return RepositoryCursor(places)


def merge_answers(answers: Mapping[str, Answer], *, limit: int, places: RepositoryCursor) -> Answer:
    """Merge the answers of several repositories, keyed by name, into one with at most `limit` hits.

    `places` has the offset at which the list of each repository begins.
    """
    parts = list(answers.values())
    hits = merge_hits([answer.hits for answer in parts], limit)
    docs = sorted(
        (doc for answer in parts for doc in answer.navigation), key=lambda doc: -doc.score
    )
    leading = answers[hits[0].repo] if hits else parts[0]
    absence = _absence(parts) if not (hits or docs) else None
    refreshed = reduce(RefreshResult.and_then, (answer.refreshed for answer in parts))
    after = places.after(hits)
    more = any(after.by_repo[repo][0] < answer.total_count for repo, answer in answers.items())
    return Answer(
        query=leading.query,
        query_type=leading.query_type,
        hits=hits,
        navigation=tuple(docs[:_NAVIGATION]),
        total_count=sum(answer.total_count for answer in parts),
        cursor=after.encoded() if more and hits else None,
        index_version=max(answer.index_version for answer in parts),
        searched_repos=tuple(answers),
        readiness=_readiness(parts),
        coverage=_coverage(parts),
        meta=_meta(answers),
        message="" if hits or docs else _message(leading, absence, refreshed),
        suggestions=leading.suggestions
        if hits
        else _distinct(answer.suggestions for answer in parts),
        related_areas=() if hits else _distinct(answer.related_areas for answer in parts),
        hint="" if hits or docs else f"Searched only in {', '.join(answers)}.",
        refreshed=refreshed,
        absence=absence,
        confidence=leading.confidence if hits else None,
        missing_words=_missing(parts),
    )


def _missing(parts: Sequence[Answer]) -> tuple[str, ...]:
    """Return the words of the query that are missing in every repository."""
    first, *others = parts
    return tuple(
        w for w in first.missing_words if all(w in answer.missing_words for answer in others)
    )


def _message(leading: Answer, absence: Absence | None, refreshed: RefreshResult) -> str:
    """Return the message of a merged answer without results.

    If `absence` is given, it says that words occur in no file. Else it is the message of `leading`,
    the answer of the first repository. But if `leading` has an `absence`, or if files could not be
    read, it says that nothing matched directly, and which files those are.
    """
    if absence:
        return absence.sentence
    if refreshed.is_complete and not leading.absence:
        return leading.message
    return " ".join((*refreshed.gaps(), f"No direct matches for {leading.query[:80]!r}."))


def _absence(parts: Sequence[Answer]) -> Absence | None:
    """Return an `Absence` of the words that all repositories lack; None if there are none.

    An `Absence` reports that words occur in no file.
    """
    every = [answer.absence for answer in parts if answer.absence]
    if len(every) < len(parts):
        return None
    missing = [w for w in every[0].missing if all(w in absence.missing for absence in every)]
    if not missing:  # no word is missing in all of them
        return None
    return Absence(
        verified=all(absence.verified for absence in every),
        files_scanned=sum(absence.files_scanned for absence in every),
        missing=tuple(missing),
        not_searched=dict(
            sum((Counter(absence.not_searched) for absence in every), Counter[str]())
        ),
    )


def _readiness(parts: Sequence[Answer]) -> Readiness:
    """Return the mean completeness of the repositories, weighted by their numbers of files."""
    weights = [max(answer.coverage.indexed, 1) for answer in parts]
    rows = [(answer.readiness.words, answer.readiness.vectors) for answer in parts]
    words, vectors = (
        round(sum(w * share for w, share in zip(weights, column, strict=True)) / sum(weights), 3)
        for column in zip(*rows, strict=True)
    )
    return Readiness(words, vectors)


def _coverage(parts: Sequence[Answer]) -> Coverage:
    names = [field.name for field in fields(Coverage)]
    return Coverage(
        **{name: sum(getattr(answer.coverage, name) for answer in parts) for name in names}
    )


def _meta(answers: Mapping[str, Answer]) -> dict[str, Any]:
    """Merge the `meta` of the answers: a value that differs among repositories becomes None.

    `elapsed_ms` is summed, and the entries of routes are kept by repository.
    """
    parts = list(answers.values())
    routes = {
        repo: {name: answer.meta[name] for name in ROUTE_FIELDS if name in answer.meta}
        for repo, answer in answers.items()
    }
    common = {
        name: value if all(answer.meta.get(name) == value for answer in parts) else None
        for name, value in parts[0].meta.items()
        if name not in {*ROUTE_FIELDS, "elapsed_ms"}
    }
    taken = {name: route for name, route in routes.items() if route}
    elapsed = round(sum(answer.meta["elapsed_ms"] for answer in parts), 1)
    return common | {"elapsed_ms": elapsed} | ({"routes": taken} if taken else {})


def _distinct(lists: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """Return the first few distinct texts of all lists, in their order."""
    return tuple(dict.fromkeys(itertools.chain.from_iterable(lists)))[:_SUGGESTIONS]
