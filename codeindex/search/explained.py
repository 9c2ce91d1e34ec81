"""Why the hits of a question are what they are: route, and each signal times its weight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from codeindex.search.corpus import Corpus
from codeindex.search.rank import RULES, Ranked, asked_of, evidence_of
from codeindex.search.run import Found
from codeindex.search.signals import SIGNALS
from codeindex.search.weights import weights
from codeindex.types import Absence, Hit

if TYPE_CHECKING:
    from codeindex.search.named import Named
    from codeindex.search.retrieve import Scores

MOST = 20
_EVIDENCE = {
    "words": "words alone",
    "token": "words and token vectors",
    "dense": "words and the model's vectors",
}


@dataclass(frozen=True, slots=True)
class Part:
    """What one signal (0 to 1) times its weight adds to a hit's log-odds.

    A rule adds what it adds: its weight is 1.
    """

    name: str
    value: float
    weight: float
    added: float


@dataclass(frozen=True, slots=True)
class HitExplained:
    """A hit at its rank, counted from 1; `score` is the chance that the sum of its parts makes."""

    rank: int
    file_path: str
    start_line: int
    end_line: int
    symbol: str
    score: float
    named: str
    """What of it the query names, in words; nothing if it names nothing of it."""
    parts: tuple[Part, ...]

    def text(self) -> Iterator[str]:
        place = f"{self.file_path}:{self.start_line}-{self.end_line}"
        yield f"{self.rank}. {place}  {self.symbol}".rstrip()
        if self.named:
            yield f"   the query is {self.named}"
        yield f"   {'score':12} {self.score:.4f}"
        for one in self.parts:
            product = "" if one.name in RULES else f"   = {one.value:.2f} x {one.weight:+.2f}"
            yield f"   {one.name:12} {one.added:+.2f}{product}"


@dataclass(frozen=True, slots=True)
class Explained:
    """How a question was taken, and every hit's score in its parts."""

    query: str
    query_type: str
    evidence: str
    """Which retrievers had a say."""
    table: str
    """The row of weights."""
    routed: str
    """What the route of the question's type made of it; empty if it was ranked."""
    files: int
    hits: tuple[HitExplained, ...]
    absence: Absence | None = None

    @property
    def paths(self) -> set[str]:
        return {one.file_path for one in self.hits}

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [
            (str(hit.rank), f"{hit.file_path}:{hit.start_line}", one.name, f"{one.added:+.2f}")
            for hit in self.hits
            for one in hit.parts
        ]
        return ("rank", "where", "part", "added"), rows

    def text(self) -> Iterator[str]:
        yield f"{self.query_type} question, ranked by {self.evidence} (weights '{self.table}')"
        if self.routed:
            yield self.routed
        if self.absence:
            yield str(self.absence)
        for hit in self.hits:
            yield from hit.text()


def explained(
    corpus: Corpus, found: Found, scores: Scores, hits: Sequence[Hit], *, query: str, routed: str
) -> Explained:
    """Explain the first hits of a ranked list."""
    kind = asked_of(found.question)
    shown = []
    for rank, (one, hit) in enumerate(zip(found.ranked, hits, strict=False), 1):
        is_named = bool(one.rules[RULES.index("named")])
        shown.append(
            HitExplained(
                rank=rank,
                file_path=hit.path,
                start_line=hit.start_line,
                end_line=hit.end_line,
                symbol=hit.symbol,
                score=round(one.score, 4),
                named=_how_named(scores.named, corpus.file_of[hit.path], hit) if is_named else "",
                parts=parts_of(corpus, one, found),
            )
        )
    return Explained(
        query=query,
        query_type=found.question.type,
        evidence=_EVIDENCE[evidence_of(corpus)],
        table=f"{evidence_of(corpus)}/{kind}",
        routed=routed,
        files=found.files,
        hits=tuple(shown),
        absence=found.absence,
    )


def _how_named(named: Iterable[Named], file_id: int, hit: Hit) -> str:
    """Return the best way in which the query names what is in a hit, else its file."""
    mine = [one for one in named if one.file_id == file_id]
    best = max(mine, key=lambda one: (hit.start_line <= one.line <= hit.end_line, one.lift))
    return best.how


def parts_of(corpus: Corpus, one: Ranked, found: Found) -> tuple[Part, ...]:
    """Return what makes a score, what matters most first; signals that are 0 are left out."""
    row, _ = weights(evidence_of(corpus), asked_of(found.question))
    by_name: Mapping[str, float] = dict(zip(SIGNALS, row, strict=True))
    rules = zip(RULES, one.rules, strict=True)
    parts = [Part(name, round(added, 3), 1.0, round(added, 3)) for name, added in rules if added]
    for name, added in zip(SIGNALS, one.parts.tolist(), strict=True):
        if added:
            weight = by_name[name]
            parts.append(Part(name, round(added / weight, 3), weight, round(added, 3)))
    return tuple(sorted(parts, key=lambda part: (part.name == "bias", -abs(part.added))))
