"""What a tool answers, in the two forms in which a client may be sent it: data and plain text.

Agents get text, programs get data of the shape of the tool's output schema (`server`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from codeindex.mcp.output_limits import compact_json
from codeindex.mcp.response_pruning import prune_response
from codeindex.search.exact.agent_lines import agent_lines
from codeindex.search.exact.agent_lines_text import agent_lines_text
from codeindex.search.pack.agent_json import agent_answer
from codeindex.search.pack.agent_text import answer_text
from codeindex.search.pack.text_lines import section_title
from codeindex.text.sanitize import escape_line
from codeindex.types import Answer

if TYPE_CHECKING:
    from codeindex.search.exact.lines import GrepResult
    from codeindex.types.report import Report

Shape = TypeVar("Shape")
_MOST_LINES = 4_800
"""Tokens of lines: what is cut for its size (`mcp.bounded`) has no cursor."""


class Reply(ABC, Generic[Shape]):
    """An answer that can be sent in either form; only the one that is sent is made.

    `Shape` is what its data are: a TypedDict or a report, or several of them (`mcp.shape`).
    """

    @abstractmethod
    def data(self) -> Mapping[str, Any]:
        """Return plain values of the shape of the tool's output schema."""

    @abstractmethod
    def text(self) -> str:
        """Return plain text for an agent, without a line feed at the end."""


@dataclass(frozen=True, slots=True)
class DataReply(Reply[Any]):
    """Plain values, which are sent as JSON where text is wanted."""

    found: Mapping[str, Any]

    def data(self) -> Mapping[str, Any]:
        """Return the values."""
        return self.found

    def text(self) -> str:
        """Return the values as JSON."""
        return compact_json(self.found)


@dataclass(frozen=True, slots=True)
class AnswerReply(Reply[Any]):
    """The answer of a search; as data, its results are rows if it is `compact`."""

    answer: Answer
    compact: bool = False

    def data(self) -> Mapping[str, Any]:
        """Return the answer as `AnswerDict`, or with its results as `{columns, rows}`."""
        found = agent_answer(self.answer)
        return _in_rows(found) if self.compact else found

    def text(self) -> str:
        """Return the answer as `search.agent_text` writes it."""
        return answer_text(self.answer)


@dataclass(frozen=True, slots=True)
class GrepReply(Reply[Any]):
    """Lines that match, of one repository or several, which share `budget` tokens."""

    found: Sequence[GrepResult]
    budget: int

    def data(self) -> Mapping[str, Any]:
        """Return `FoundDict`; of several repositories, one for each by its name, in `repos`."""
        told = [agent_lines(one, budget=self._each) for one in self.found]
        if len(told) == 1:
            return told[0]
        return {"repos": {one.repo: each for one, each in zip(self.found, told, strict=True)}}

    def text(self) -> str:
        """Return the lines under their files and symbols."""
        texts = [agent_lines_text(one, budget=self._each) for one in self.found]
        if len(texts) == 1:
            return texts[0]
        named = zip(self.found, texts, strict=True)
        return "\n\n".join(
            f"{section_title(f'repository {one.repo}')}\n{text}" for one, text in named
        )

    @property
    def _each(self) -> int:
        return min(self.budget or _MOST_LINES, _MOST_LINES) // len(self.found)


@dataclass(frozen=True, slots=True)
class ReportReply(Reply[Any]):
    """A report about what was `given`; `whole` data are sent with every field."""

    report: Report
    given: Mapping[str, Any]
    compact: bool = False
    whole: bool = False

    def data(self) -> Mapping[str, Any]:
        """Return the report's fields that say something, or its rows if it is `compact`."""
        if self.compact:
            header, rows = self.report.columns()
            return {"columns": list(header), "rows": [list(row) for row in rows]}
        answer = self.report.as_dict()
        return answer if self.whole else prune_response(answer, self.given)

    def text(self) -> str:
        """Return the report as the command line prints it."""
        return "\n".join(map(escape_line, self.report.text()))


@dataclass(frozen=True, slots=True)
class MultiReply(Reply[Any]):
    """Answers about several subjects, each by what was asked; `failed` holds errors' sentences."""

    replies: Mapping[str, Reply[Any]]
    failed: Mapping[str, str]
    titled: bool = True

    def data(self) -> Mapping[str, Any]:
        """Return the fields of a single answer, else an answer for each subject in `answers`."""
        if len(self.replies) == 1 and not self.failed:
            return next(iter(self.replies.values())).data()
        answers = {name: dict(one.data()) for name, one in self.replies.items()}
        return {"answers": answers} | ({"failed": dict(self.failed)} if self.failed else {})

    def text(self) -> str:
        """Return the answers below each other, under what was asked if there are several."""
        if len(self.replies) == 1 and not self.failed:
            return next(iter(self.replies.values())).text()
        return "\n\n".join(self._parts())

    def _parts(self) -> Iterator[str]:
        for name, one in self.replies.items():
            yield f"{section_title(name)}\n{one.text()}" if self.titled else one.text()
        for name, sentence in self.failed.items():
            yield f"{section_title(name)}\nnote: no answer: {escape_line(sentence)}"


def _in_rows(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an answer with its results as rows of one header."""
    results = cast("Sequence[Mapping[str, Any]]", answer["results"])
    columns = list(dict.fromkeys(name for one in results for name in one))
    rows = [[one.get(name) for name in columns] for one in results]
    return {**answer, "results": {"columns": columns, "rows": rows}}
