"""Merge the answers of several repositories: scores are probabilities, so they compare."""

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
from codeindex.types import Absence, Answer, Coverage, Hit, Readiness, RefreshResult

_NAVIGATION = 3
"""Navigation documents beside an answer, of all repositories together."""
_SUGGESTIONS = 5
_ROUTES = ("relation", "pattern", "flow", "reranker")


def merge_hits(lists: Sequence[Sequence[Hit]], limit: int) -> tuple[Hit, ...]:
    """Merge lists by score and keep the order of each.

    The result does not depend on the page size.
    """
    left = [list(reversed(one)) for one in lists if one]
    taken: list[Hit] = []
    while left and len(taken) < limit:
        best = max(left, key=lambda one: one[-1].score)  # of equals the first
        taken.append(best.pop())
        left = [one for one in left if one]
    return tuple(taken)


@dataclass(frozen=True, slots=True)
class RepositoryCursor:
    """Offset and index version of each repository's list, which a shared cursor encodes."""

    by_repo: Mapping[str, tuple[int, int]]

    def of(self, repo: str) -> str:
        """Return the cursor of one repository."""
        offset, version = self.by_repo[repo]
        return encode_cursor(offset=offset, version=version)

    def after(self, hits: Sequence[Hit]) -> RepositoryCursor:
        """Return the cursor after these hits."""
        places = dict(self.by_repo)
        for hit in hits:
            offset, version = places[hit.repo]
            places[hit.repo] = (max(offset, hit.rank + 1), version)
        return RepositoryCursor(places)

    def encoded(self) -> str:
        rows = [[repo, *place] for repo, place in self.by_repo.items()]
        return base64.urlsafe_b64encode(json.dumps(rows).encode()).decode("ascii")


def decode_repository_cursor(cursor: str, repos: Sequence[str]) -> RepositoryCursor:
    """Decode a cursor; QueryError if it is not of a search of these repositories."""
    try:
        rows = json.loads(base64.urlsafe_b64decode(cursor.encode("ascii")))
        places = {repo: (offset, version) for repo, offset, version in rows}
    except (ValueError, TypeError, RecursionError):
        places = {}
    numbers = [number for place in places.values() for number in place]
    if not places or not all(type(one) is int and 0 <= one < 10**15 for one in numbers):
        raise QueryError("That cursor is not one of a search of several repositories.")
    if not set(places) <= set(repos):
        raise QueryError("That cursor is of another scope: leave it out to start again.")
    return RepositoryCursor(places)


def merge_answers(answers: Mapping[str, Answer], *, limit: int, places: RepositoryCursor) -> Answer:
    """Return one answer; `places` is where each list of this page begins."""
    parts = list(answers.values())
    hits = merge_hits([one.hits for one in parts], limit)
    docs = sorted((doc for one in parts for doc in one.navigation), key=lambda doc: -doc.score)
    leading = answers[hits[0].repo] if hits else parts[0]
    absence = _absence(parts) if not (hits or docs) else None
    refreshed = reduce(RefreshResult.and_then, (one.refreshed for one in parts))
    after = places.after(hits)
    more = any(after.by_repo[repo][0] < one.total_count for repo, one in answers.items())
    return Answer(
        query=leading.query,
        query_type=leading.query_type,
        hits=hits,
        navigation=tuple(docs[:_NAVIGATION]),
        total_count=sum(one.total_count for one in parts),
        cursor=after.encoded() if more and hits else None,
        index_version=max(one.index_version for one in parts),
        searched_repos=tuple(answers),
        readiness=_readiness(parts),
        coverage=_coverage(parts),
        meta=_meta(answers),
        message="" if hits or docs else _message(leading, absence, refreshed),
        suggestions=leading.suggestions if hits else _distinct(one.suggestions for one in parts),
        related_areas=() if hits else _distinct(one.related_areas for one in parts),
        hint="" if hits or docs else f"Searched only in {', '.join(answers)}.",
        refreshed=refreshed,
        absence=absence,
        confidence=leading.confidence if hits else None,
        missing_words=_missing(parts),
    )


def _missing(parts: Sequence[Answer]) -> tuple[str, ...]:
    """Return the words that are missing from every repository."""
    first, *others = parts
    return tuple(w for w in first.missing_words if all(w in one.missing_words for one in others))


def _message(leading: Answer, absence: Absence | None, refreshed: RefreshResult) -> str:
    """Return the sentence for an answer without results."""
    if absence:
        return absence.sentence
    if refreshed.is_complete and not leading.absence:
        return leading.message
    return " ".join((*refreshed.gaps(), f"No direct matches for {leading.query[:80]!r}."))


def _absence(parts: Sequence[Answer]) -> Absence | None:
    """Return an absence only if every repository lacks the same words."""
    every = [one.absence for one in parts if one.absence]
    if len(every) < len(parts):
        return None
    missing = [w for w in every[0].missing if all(w in one.missing for one in every)]
    if not missing:  # each lacks another word
        return None
    return Absence(
        verified=all(one.verified for one in every),
        files_scanned=sum(one.files_scanned for one in every),
        missing=tuple(missing),
        not_searched=dict(sum((Counter(one.not_searched) for one in every), Counter[str]())),
    )


def _readiness(parts: Sequence[Answer]) -> Readiness:
    """Average the readiness of repositories, weighted by their files."""
    weights = [max(one.coverage.indexed, 1) for one in parts]
    rows = [(one.readiness.words, one.readiness.vectors) for one in parts]
    words, vectors = (
        round(sum(w * one for w, one in zip(weights, column, strict=True)) / sum(weights), 3)
        for column in zip(*rows, strict=True)
    )
    return Readiness(words, vectors)


def _coverage(parts: Sequence[Answer]) -> Coverage:
    names = [one.name for one in fields(Coverage)]
    return Coverage(**{name: sum(getattr(one.coverage, name) for one in parts) for name in names})


def _meta(answers: Mapping[str, Answer]) -> dict[str, Any]:
    """Return the fields with the same value everywhere, and those of routes by repository."""
    parts = list(answers.values())
    routes = {
        repo: {name: one.meta[name] for name in _ROUTES if name in one.meta}
        for repo, one in answers.items()
    }
    common = {
        name: value if all(one.meta.get(name) == value for one in parts) else None
        for name, value in parts[0].meta.items()
        if name not in {*_ROUTES, "elapsed_ms"}
    }
    taken = {name: one for name, one in routes.items() if one}
    elapsed = round(sum(one.meta["elapsed_ms"] for one in parts), 1)
    return common | {"elapsed_ms": elapsed} | ({"routes": taken} if taken else {})


def _distinct(lists: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """Return the first distinct texts of all lists."""
    return tuple(dict.fromkeys(itertools.chain.from_iterable(lists)))[:_SUGGESTIONS]
