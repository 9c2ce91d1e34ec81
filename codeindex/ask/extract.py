"""Define the result of `ask`: sentences with citations, and the evidence for them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypedDict

from codeindex.types import Hit, HitDict

SentencePart = Literal["absence", "definition", "code", "document", "connection", "more", "written"]
_TITLES: dict[SentencePart, str] = {
    "document": "From the documentation:",
    "more": "See also:",
}


@dataclass(frozen=True, slots=True)
class Citation:
    """A cited line of a file.

    `says` is a name in that line or the beginning of the quoted text. `repo` is '' in an answer
    about one repository.
    """

    path: str
    line: int
    says: str = ""
    repo: str = ""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer; `part` is its kind, which decides the title above it.

    `doubt` says why the evidence does not support the sentence, "" if it does. For the part `code`,
    the text is lines of one file, each after its number.
    """

    text: str
    citations: tuple[Citation, ...]
    part: SentencePart
    doubt: str = ""

    def __str__(self) -> str:
        places = _join_places(self.citations)
        cited = f" ({places})" if places and self.part not in {"code", "written"} else ""
        return f"{self.text}{cited}{f' [{self.doubt}]' if self.doubt else ''}"


def _join_places(citations: Iterable[Citation]) -> str:
    """Return citations as text with each path once: `a.py:3, 9, b.py:2`."""
    lines: dict[str, dict[int, None]] = {}
    for citation in citations:
        lines.setdefault(citation.path, {})[citation.line] = None
    return ", ".join(f"{path}:{', '.join(map(str, numbers))}" for path, numbers in lines.items())


@dataclass(frozen=True, slots=True)
class AskRound:
    """One round of search for an answer.

    `query` is what was searched, `matches` the number of new places, `wanted` the query of the next
    round, "" if this is the last.
    """

    query: str
    matches: int
    wanted: str = ""


class SentenceDict(TypedDict):
    """JSON form of a `Sentence`."""

    text: str
    part: str
    citations: list[dict[str, Any]]
    doubt: str | None


class ExtractDict(TypedDict):
    """JSON form of an `Extract`."""

    query: str
    answer: str
    sentences: list[SentenceDict]
    evidences: list[HitDict]
    rounds: list[dict[str, Any]]
    notes: list[str]
    meta: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Extract:
    """An answer to a question: sentences with citations, and the search hits behind them.

    The hits are `evidences`. `found` is false if the index has no answer. `notes` tell the user
    which sentences are doubtful, or why no model wrote the answer.
    """

    query: str
    sentences: tuple[Sentence, ...]
    evidences: tuple[Hit, ...]
    found: bool
    total: int
    meta: dict[str, Any]
    rounds: tuple[AskRound, ...] = ()
    notes: tuple[str, ...] = field(default=())

    @property
    def paths(self) -> tuple[str, ...]:
        cited = (place.path for sentence in self.sentences for place in sentence.citations)
        return tuple(dict.fromkeys((*(evidence.path for evidence in self.evidences), *cited)))

    def as_dict(self) -> ExtractDict:
        return {
            "query": self.query,
            "answer": "\n".join(self.text()),
            "sentences": [
                {
                    "text": sentence.text,
                    "part": sentence.part,
                    "citations": [_present_fields(place) for place in sentence.citations],
                    "doubt": sentence.doubt or None,
                }
                for sentence in self.sentences
            ],
            "evidences": [evidence.as_dict() for evidence in self.evidences],
            "rounds": [asdict(ask_round) for ask_round in self.rounds],
            "notes": list(self.notes),
            "meta": self.meta,
        }

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [
            (
                f"{evidence.path}:{evidence.start_line}",
                evidence.symbol or "-",
                f"{evidence.score:.2f}",
            )
            for evidence in self.evidences
        ]
        return ("where", "symbol", "score"), rows

    def text(self, width: int = 0) -> Iterator[str]:
        """Yield the lines of the answer.

        Sentences are wrapped at `width` characters unless it is 0.
        """
        part, title_shown = "", ""
        for sentence in self.sentences:
            title = _TITLES.get(sentence.part)
            if title and title != title_shown:
                yield title
            part = sentence.part
            title_shown = title or (title_shown if part == "code" else "")
            indent = "  " if title or part == "code" else ""
            for line in str(sentence).split("\n"):
                yield from _wrap(f"{indent}{line}", 0 if part == "code" else width, indent)


def _wrap(line: str, width: int, indent: str) -> list[str]:
    """Return the lines of a text wrapped at spaces; paths and names are not broken."""
    if len(line) <= width or not width:
        return [line]
    return textwrap.wrap(  # it drops a leading blank before a word that is longer than the line
        line.removeprefix(indent),
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _present_fields(citation: Citation) -> dict[str, Any]:
    return {name: value for name, value in asdict(citation).items() if value}
