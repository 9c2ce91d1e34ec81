"""Explain why a file or symbol is missing from the results of a query, or has its rank."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codeindex import git
from codeindex.errors import GitError, QueryError
from codeindex.languages import language_for_path
from codeindex.search.explain.hit import ExplainedScorePart, explain_score
from codeindex.search.explain.why_not_result import PartComparison, RetrieverRank, Verdict, WhyNot
from codeindex.search.filters import file_mask
from codeindex.search.names.paths import split_path_and_line
from codeindex.search.pipeline import PipelineResult
from codeindex.search.rank.document_blend import MAX_NAVIGATION
from codeindex.search.rank.ranker import (
    MAX_NOMINATED_CHUNKS,
    MAX_PLACES_PER_FILE,
    RankedChunk,
    candidate_files,
)
from codeindex.search.retrieve.corpus import Corpus
from codeindex.search.retrieve.scores import RetrievalScores
from codeindex.search.routes.result import RouteResult
from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.files import check_line
from codeindex.store.catalog.skipped_files import skip_reason
from codeindex.store.symbols.declarations import similar_names
from codeindex.store.symbols.nodes import symbols_by_name
from codeindex.types import Filters, SymbolKind
from codeindex.types.report import plural

_NEAREST, _ALIKE = 3, 0.7
"""Most similar names that an error suggests, and least similarity of a suggested path."""
_VALUE_KINDS = {SymbolKind.VARIABLE, SymbolKind.FIELD, SymbolKind.PROPERTY, SymbolKind.ENUM_MEMBER}
"""If a folder and symbols of these kinds have the same name, the name means the folder."""


@dataclass(frozen=True, slots=True)
class WhyNotInput:
    """What a why-not question is about: a subject, and the search in which it is missing.

    The search is given by its query, filters and results.
    """

    subject: str
    query: str
    limit: int
    filters: Filters
    result: PipelineResult
    route: RouteResult | None = None
    """All hits of the route that answered the query, or None if the query was ranked."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A file and the lines in it that a why-not question means; line 0 means the whole file."""

    path: str
    first: int = 0
    last: int = 0

    def __str__(self) -> str:
        return f"{self.path}:{self.first}" if self.first else self.path


def why_not(catalog: Catalog, corpus: Corpus, root: Path, request: WhyNotInput) -> WhyNot:
    """Return which step of a search drops the subject, or the subject's rank if none does.

    The subject of `request` is a path, `PATH:LINE` or a symbol's name. Raise QueryError if it is a
    folder, or if no file or symbol has this name.
    """
    places = _places(catalog, corpus, request.subject)
    if not places:
        return _explain_unindexed(catalog, corpus, root, request.subject, request.query)
    if request.route:
        return _explain_route(request, request.route, places)
    reports = [_explain_ranking(corpus, request, place) for place in places]
    return min(reports, key=lambda report: (not report.rank, report.rank))  # best place


def why_not_indexed(catalog: Catalog, corpus: Corpus, root: Path, subject: str) -> WhyNot:
    """Return whether the subject is indexed or, if not, the rule that excludes it.

    The subject is a path, `PATH:LINE` or a symbol's name. Raise QueryError if no file or symbol has
    this name.
    """
    places = _places(catalog, corpus, subject)
    if not places:
        return _explain_unindexed(catalog, corpus, root, subject, "")
    more = f" and {plural(len(places) - 1, 'more place')}" if len(places) > 1 else ""
    why = f"{places[0]}{more}; add a query to learn why it is not among the results."
    return WhyNot(subject, "", "indexed", why, file_path=places[0].path)


def _explain_route(request: WhyNotInput, route: RouteResult, places: Sequence[_Place]) -> WhyNot:
    """Return whether one of the places is in the list with which a route answered the query.

    A route, such as that for "who calls X", lists all answers without ranking them; but if no test
    of a subject is known, the tests with the question's words are ranked.
    """
    listed = (
        (rank, hit, candidate)
        for rank, hit in enumerate(route.hits, 1)
        for candidate in places
        if candidate.path == hit.path
        and (
            not candidate.first
            or (hit.start_line <= candidate.last and candidate.first <= hit.end_line)
        )
    )
    rank, hit, place = next(listed, (0, None, places[0]))
    how = f"the {route.total} that answer a {route.question.type} question"
    why = "all of these are listed, and nothing is ranked"
    if "untested" in route.meta:
        how = f"the {route.total} found by the question's words in tests"
        why = "no test of the question's subject is known"
    if hit is None:
        return WhyNot(
            request.subject,
            request.query,
            "not of the list",
            f"{place} is not among {how}: {why}.",
            file_path=place.path,
        )
    shown = rank <= request.limit
    return WhyNot(
        request.subject,
        request.query,
        "shown" if shown else "beyond the limit",
        f"{place} is {rank} of {how}{'' if shown else f', and {request.limit} are shown'}.",
        place.path,
        hit.start_line,
        hit.end_line,
        rank,
        round(hit.score, 4),
    )


def _places(catalog: Catalog, corpus: Corpus, subject: str) -> list[_Place]:
    """Return the places that the subject of a question means.

    The subject is a path or its end, PATH:LINE, or a symbol's name.
    """
    name = subject.strip().removeprefix("./")
    path, line = split_path_and_line(name)
    if name in corpus.file_ids_by_path:
        return [_Place(name)] if _is_read(corpus, name) else []
    if line is not None and (file := _find_file(corpus, path)):
        check_line(
            file, line, int(corpus.lines[corpus.file_positions[corpus.file_ids_by_path[file]]])
        )
        return [_Place(file, line, line)]
    nodes = symbols_by_name(catalog.connection, name)
    if nodes and not (
        all(node.kind in _VALUE_KINDS for node in nodes) and _paths_below(corpus, name)
    ):
        return [
            _Place(node.path, node.line, node.line)
            for node in nodes
            if node.path in corpus.file_ids_by_path
        ]
    file = _find_file(corpus, name)
    return [_Place(file)] if file else []


def _paths_below(corpus: Corpus, folder: str) -> list[str]:
    return [path for path in corpus.paths if path.startswith(f"{folder.rstrip('/')}/")]


def _is_read(corpus: Corpus, path: str) -> bool:
    return bool(corpus.is_indexed[corpus.file_positions[corpus.file_ids_by_path[path]]])


def _find_file(corpus: Corpus, end: str) -> str:
    """Return the indexed file with the path `end`, or the only one whose path ends with it.

    Return "" if there is none or more than one.
    """
    known = [end] if end in corpus.file_ids_by_path else _paths_ending(corpus, end)
    return known[0] if len(known) == 1 and _is_read(corpus, known[0]) else ""


def _paths_ending(corpus: Corpus, end: str) -> list[str]:
    return [path for path in corpus.paths if end and path.endswith(f"/{end}")]


def _explain_unindexed(
    catalog: Catalog, corpus: Corpus, root: Path, subject: str, query: str
) -> WhyNot:
    """Return why a path is not indexed; raise QueryError if the path does not exist."""
    path = subject.strip().removeprefix("./").rstrip("/")

    def report(verdict: Verdict, why: str) -> WhyNot:
        return WhyNot(subject, query, verdict, why)

    if inside := _paths_below(corpus, path):
        count = f"'{path}' is a folder of {plural(len(inside), 'file')}"
        raise QueryError(f"{count}: name one of them, like {inside[0]!r}, or a symbol.")
    if reason := skip_reason(catalog.connection, path):
        return report("not indexed", f"{path}: {reason}.")
    if path == "" or not _is_there(root / path):
        near = _similar_names(catalog, corpus, path)
        hint = f": did you mean {' or '.join(map(repr, near))}?" if near else "."
        raise QueryError(f"No file and no symbol here is called {path!r}{hint}")
    if rule := _ignore_rule(root, path):
        return report("ignored", f"{path} is ignored by {rule}.")
    return report("not indexed", f"{path} has not been read yet: run `codeindex index`.")


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # too long for a path, or with a NUL
        return False


def _similar_names(catalog: Catalog, corpus: Corpus, subject: str) -> list[str]:
    """Return paths that end with the subject, or else names and paths similar to it."""
    path = subject.partition(":")[0]
    if ends := _paths_ending(corpus, path):
        return ends[:_NEAREST]
    near: list[str] = []
    if "/" not in path and language_for_path(path) is None:  # so it is no file name
        near = similar_names(catalog.connection, re.split(r"::|->|[./#]", subject)[-1])
    return [*near, *difflib.get_close_matches(path, corpus.paths, _NEAREST, _ALIKE)][:_NEAREST]


def _ignore_rule(root: Path, path: str) -> str:
    try:
        return git.find_ignore_rule(root, path) if git.find_work_tree(root) else ""
    except GitError:
        return ""


def _explain_ranking(corpus: Corpus, request: WhyNotInput, place: _Place) -> WhyNot:
    """Return which step of the ranking dropped a place, or at which rank the place is."""
    file = corpus.file_positions[corpus.file_ids_by_path[place.path]]
    allowed = file_mask(corpus, request.filters)

    def report(verdict: Verdict, why: str, **more: Any) -> WhyNot:
        return WhyNot(request.subject, request.query, verdict, why, file_path=place.path, **more)

    if not allowed[file]:
        return report(
            "filtered", f"{place.path} is excluded by {_failed_filters(corpus, file, request)}."
        )
    if request.result.absence:
        return report("denied", f"Nothing was shown: {request.result.absence}.")
    own = _rank_in(corpus, request.result.ranked, file, place)
    if own is not None:
        return _explain_rank(corpus, request, place, own)
    retrieved = tuple(_retriever_ranks(corpus, request.result.scores, file))
    if corpus.is_navigation[file]:
        is_led = any(corpus.file_of(chunk.chunk_id) == file for chunk in request.result.navigation)
        how = "it is" if is_led else f"at most {MAX_NAVIGATION} of these are"
        why = f"{place.path} is a navigation document: {how} listed beside the results."
        return report("beside the results", why, retrieved=retrieved)
    if file not in candidate_files(corpus, request.result.scores, allowed):
        why = f"No chunk of {place.path} is among the best {MAX_NOMINATED_CHUNKS} of any retriever."
        return report("not a candidate", why, retrieved=retrieved)
    best = (
        f"the {MAX_PLACES_PER_FILE} best chunks of its file (one for a function and its overloads)"
    )
    why = f"{place} is in none of {best}{_best_of_file(corpus, request, file)}."
    return report("a worse piece of its file", why, retrieved=retrieved)


def _best_of_file(corpus: Corpus, request: WhyNotInput, file: int) -> str:
    """Return a clause that names the best hit in a file; "" if the file has no hit.

    `file` is the position of the file in the corpus.
    """
    for rank, chunk in enumerate(request.result.ranked, 1):
        if corpus.file_of(chunk.chunk_id) == file:
            first, last = _lines(corpus, chunk)
            return f": lines {first}-{last} are result {rank}"
    return ""


def _failed_filters(corpus: Corpus, file: int, request: WhyNotInput) -> str:
    """Return the names of the filters that a file does not pass, such as "the language".

    Each filter is tested alone. `file` is the position of the file in the corpus.
    """
    each = {
        "--tests": Filters(tests=request.filters.tests),
        "the language": Filters(languages=request.filters.languages),
        "the module": Filters(module=request.filters.module),
        "the path": Filters(paths=request.filters.paths),
        "the globs": Filters(globs=request.filters.globs),
    }
    failed = [name for name, single in each.items() if not file_mask(corpus, single)[file]]
    return ", ".join(failed)


def _lines(corpus: Corpus, chunk: RankedChunk) -> tuple[int, int]:
    first, last = corpus.chunk_lines[corpus.position_of(chunk.chunk_id)].tolist()
    return first, last


def _rank_in(corpus: Corpus, ranked: Sequence[RankedChunk], file: int, place: _Place) -> int | None:
    """Return the index in `ranked` of the first hit that overlaps a place; None if none does."""
    for at, chunk in enumerate(ranked):
        if corpus.file_of(chunk.chunk_id) == file:
            first, last = _lines(corpus, chunk)
            if not place.first or (first <= place.last and place.first <= last):
                return at
    return None


def _explain_rank(corpus: Corpus, request: WhyNotInput, place: _Place, at: int) -> WhyNot:
    """Explain the rank of the hit with the index `at` by comparison with another hit.

    The other one is the hit above it or, if it is beyond the limit, the last shown hit.
    """
    ranked = request.result.ranked
    shown = at < request.limit
    rival = max(at - 1, 0) if shown else request.limit - 1
    own, other = ranked[at], ranked[rival]
    first, last = _lines(corpus, own)
    start, _ = _lines(corpus, other)
    instead = f"{corpus.paths[corpus.file_of(other.chunk_id)]}:{start} at rank {rival + 1}"
    why = f"{place} is result {at + 1} of {len(ranked)}"
    why += "" if shown else f", and {request.limit} are shown"
    if own.rank_in_file:
        why += _best_of_file(corpus, request, corpus.file_of(own.chunk_id))
    return WhyNot(
        subject=request.subject,
        query=request.query,
        verdict="shown" if shown else "beyond the limit",
        why=f"{why}.",
        file_path=place.path,
        start_line=first,
        end_line=last,
        rank=at + 1,
        score=round(own.score, 4),
        instead=instead if at else "",
        instead_score=round(other.score, 4),
        parts=_compare_parts(explain_score(own), explain_score(other)),
    )


def _compare_parts(
    own: Sequence[ExplainedScorePart], other: Sequence[ExplainedScorePart]
) -> tuple[PartComparison, ...]:
    """Pair the score parts of two hits by feature, the largest difference first."""
    mine, theirs = ({part.name: part.added for part in side} for side in (own, other))
    rows = [
        PartComparison(name, mine.get(name, 0.0), theirs.get(name, 0.0))
        for name in dict.fromkeys((*mine, *theirs))
    ]
    return tuple(sorted(rows, key=lambda part: -abs(part.own - part.other)))


def _retriever_ranks(corpus: Corpus, scores: RetrievalScores, file: int) -> Iterator[RetrieverRank]:
    """Yield the rank of the best chunk of a file for each retriever that has scores.

    The retrievers are words, model vectors and token vectors.
    """
    mine = corpus.chunks_of(file)
    columns = (("words", scores.words.bm25), ("vectors", scores.dense), ("tokens", scores.token))
    for name, column in columns:
        if column.any() and mine.stop > mine.start:
            best = float(column[mine].max())
            place = int((column > best).sum()) + 1 if best > 0 else 0
            yield RetrieverRank(name, place, round(best, 4))
