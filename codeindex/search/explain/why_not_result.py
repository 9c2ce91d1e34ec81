"""Define the result of a why-not question: why a file or symbol is hidden, and its score parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from codeindex.types.report import DataReport, Table

Verdict = Literal[
    "shown", "beyond the limit", "not of the list", "a worse piece of its file", "not a candidate",
    "filtered", "beside the results", "denied", "indexed", "not indexed", "ignored",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class PartComparison:
    """What one feature adds to the log-odds of two hits.

    `own` is for the subject, `other` for the hit that it is compared with (`WhyNot.instead`).
    """

    name: str
    own: float
    other: float


@dataclass(frozen=True, slots=True)
class RetrieverRank:
    """The rank, from 1, that a retriever gives to the best chunk of the subject.

    It is 0 if the retriever has no score for the subject.
    """

    retriever: str
    place: int
    score: float


@dataclass(frozen=True, slots=True)
class WhyNot(DataReport):
    """Why a subject is not among the results, or the subject's rank; `why` is a sentence.

    `rank` counts from 1; 0 means no rank. `instead` is the place of the hit that the subject is
    compared with, and `parts` has the score parts of both.
    """

    subject: str
    query: str
    verdict: Verdict
    why: str
    file_path: str = ""
    start_line: int = 0
    end_line: int = 0
    rank: int = 0
    score: float = 0.0
    instead: str = ""
    instead_score: float = 0.0
    parts: tuple[PartComparison, ...] = ()
    retrieved: tuple[RetrieverRank, ...] = ()

    @property
    def paths(self) -> set[str]:
        return {self.file_path} - {""}

    def columns(self) -> Table:
        rows = [(part.name, f"{part.own:+.2f}", f"{part.other:+.2f}") for part in self.parts]
        return ("part", "own", "instead"), rows

    def text(self) -> Iterator[str]:
        yield f"{self.verdict}: {self.why}"
        for retrieval in self.retrieved:
            place = (
                f"{retrieval.place} of all chunks ({retrieval.score:.3f})"
                if retrieval.place
                else "nothing"
            )
            yield f"  by {retrieval.retriever}: {place}"
        if self.parts:
            yield from self._compared()

    def _compared(self) -> Iterator[str]:
        """Yield a line for each score part of the subject, beside that of the hit `instead`.

        Without such a hit, yield the subject's parts alone.
        """
        if not self.instead:
            yield f"  {'score':22} {self.score:7.4f}"
            yield from (f"  {part.name:22} {part.own:+7.2f}" for part in self.parts)
            return
        yield f"  {'':22} {'this':>7} {'instead':>8}   {self.instead}"
        yield f"  {'score':22} {self.score:7.4f} {self.instead_score:8.4f}"
        for part in self.parts:
            yield f"  {part.name:22} {part.own:+7.2f} {part.other:+8.2f}"
