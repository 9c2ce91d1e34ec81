"""Explain the ranks of hits: the route that answered, and each feature's value and weight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from codeindex.search.names.boosts import NameMatch
from codeindex.search.pipeline import PipelineResult
from codeindex.search.rank.ranker import RankedChunk, evidence_level, question_kind
from codeindex.search.retrieve.corpus import Corpus
from codeindex.types import Absence, Confidence, Hit
from codeindex.types.report import DataReport, Table

_EVIDENCE = {
    "words": "words alone",
    "token": "words and token vectors",
    "dense": "words and the model's vectors",
}


@dataclass(frozen=True, slots=True)
class ExplainedScorePart:
    """What one feature adds to the log-odds of a hit's score: `added` is `value` times `weight`."""

    name: str
    value: float
    weight: float
    added: float


@dataclass(frozen=True, slots=True)
class HitExplanation:
    """A hit with its rank, from 1, and the parts of its score.

    `score` is a probability; the sum of the parts is its log-odds.
    """

    rank: int
    file_path: str
    start_line: int
    end_line: int
    symbol: str
    score: float
    named: str
    """A phrase that says how the query names the hit; "" if it does not."""
    parts: tuple[ExplainedScorePart, ...]

    def text(self) -> Iterator[str]:
        place = f"{self.file_path}:{self.start_line}-{self.end_line}"
        yield f"{self.rank}. {place}  {self.symbol}".rstrip()
        if self.named:
            yield f"   the query is {self.named}"
        yield f"   {'score':22} {self.score:.4f}"
        for part in self.parts:
            product = f"   = {part.value:.2f} x {part.weight:+.2f}"
            yield f"   {part.name:22} {part.added:+.2f}{product}"


@dataclass(frozen=True, slots=True)
class SearchExplanation(DataReport):
    """How a query was classified, and of what parts each hit's score consists."""

    query: str
    query_type: str
    evidence: str
    """A phrase for the retrievers that contributed, such as "words and token vectors"."""
    table: str
    """Name of the row of weights in use: the evidence level and the kind of question."""
    routed: str
    """A sentence about the route that answered the query; "" if the query was ranked."""
    files: int
    hits: tuple[HitExplanation, ...]
    absence: Absence | None = None
    confidence: Confidence | None = None
    missing_words: tuple[str, ...] = ()

    @property
    def paths(self) -> set[str]:
        return {hit.file_path for hit in self.hits}

    def columns(self) -> Table:
        rows = [
            (str(hit.rank), f"{hit.file_path}:{hit.start_line}", part.name, f"{part.added:+.2f}")
            for hit in self.hits
            for part in hit.parts
        ]
        return ("rank", "where", "part", "added"), rows

    def text(self) -> Iterator[str]:
        yield f"{self.query_type} question, ranked by {self.evidence} (weights '{self.table}')"
        if self.routed:
            yield self.routed
        if self.absence:
            yield str(self.absence)
        if self.confidence:
            missing = f", no file has {', '.join(self.missing_words)}" if self.missing_words else ""
            yield f"confidence: {self.confidence}{missing}"
        for hit in self.hits:
            yield from hit.text()


def explain_hits(
    corpus: Corpus, result: PipelineResult, hits: Sequence[Hit], *, query: str, routed: str
) -> SearchExplanation:
    """Explain the ranks of `hits`, the first hits of `result.ranked` in the same order.

    `routed` is a sentence about the route that answered the query (a list from the graph instead of
    a ranking), "" if the query was ranked.
    """
    kind = question_kind(result.question)
    shown = []
    for rank, (chunk, hit) in enumerate(zip(result.ranked, hits, strict=False), 1):
        shown.append(
            HitExplanation(
                rank=rank,
                file_path=hit.path,
                start_line=hit.start_line,
                end_line=hit.end_line,
                symbol=hit.symbol,
                score=round(chunk.score, 4),
                named=_how_named(result.scores.name_matches, corpus.file_ids_by_path[hit.path], hit)
                if chunk.line
                else "",
                parts=explain_score(chunk),
            )
        )
    return SearchExplanation(
        query=query,
        query_type=result.question.type,
        evidence=_EVIDENCE[evidence_level(corpus)],
        table=f"{evidence_level(corpus)}/{kind}",
        routed=routed,
        files=result.file_count,
        hits=tuple(shown),
        absence=result.absence,
        confidence=result.confidence,
        missing_words=result.missing_words,
    )


def _how_named(named: Iterable[NameMatch], file_id: int, hit: Hit) -> str:
    """Return a phrase that says how the query names a hit or its file, such as "its name".

    Of several matches in `named`, the best one counts; without any, it is "in its text".
    """
    mine = [match for match in named if match.file_id == file_id]
    if not mine:
        return "in its text"
    best = max(mine, key=lambda match: (hit.start_line <= match.line <= hit.end_line, match.boost))
    return best.reason


def explain_score(chunk: RankedChunk) -> tuple[ExplainedScorePart, ...]:
    """Return the parts of a score: the bias first, then the contributions, largest first."""
    parts = [
        ExplainedScorePart(
            it.name, round(it.value, 3), round(it.weight, 3), round(it.contribution, 3)
        )
        for it in chunk.parts
    ]
    return tuple(sorted(parts, key=lambda part: (part.name != "bias", -abs(part.added))))
