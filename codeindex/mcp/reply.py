"""Define the replies of tools, which can be sent as data or as plain text.

Agents get text; programs get data that matches the tool's output schema.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar, cast

from codeindex.mcp.output_limits import MAX_CHARACTERS, cut_text
from codeindex.search.exact.agent_lines import agent_lines
from codeindex.search.exact.agent_lines_text import SLIGHT_EXCESS, agent_lines_text
from codeindex.search.exact.lines import GrepResult
from codeindex.search.pack.agent_json import CHARACTERS_A_TOKEN, agent_answer, compact_json
from codeindex.search.pack.agent_text import answer_text
from codeindex.search.pack.response_pruning import prune_response
from codeindex.search.pack.text_lines import section_title
from codeindex.text.sanitize import escape_line
from codeindex.text.short_paths import shorten_paths
from codeindex.types import AgentFormat, Answer
from codeindex.types.report import Report, plural

Payload = TypeVar("Payload")
_MAX_LINE_TOKENS = int(MAX_CHARACTERS / CHARACTERS_A_TOKEN * 0.88)
"""Most tokens of matching lines, 6,600, so that `output_limits` does not cut them without a cursor,
even with `SLIGHT_EXCESS`."""

_COMMAND_HINT = re.compile(r"[;:] (?:`codeindex [^`]+` shows them too|--limit shows more)$")


class Reply(ABC, Generic[Payload]):
    """An answer that can be sent as data or as text; only the form that is sent is computed.

    `Payload` is the type of the data: a TypedDict, a report, or a union of these types.
    `json_schema` derives the output schema from it.
    """

    @abstractmethod
    def data(self) -> Mapping[str, Any]:
        """Return JSON values that match the tool's output schema."""

    @abstractmethod
    def text(self) -> str:
        """Return plain text for an agent, without a newline at the end."""

    def text_within(self, most: int) -> str:
        """Return the text in about `most` characters; of a longer one, the beginning and a note."""
        return cut_text(self.text(), most)

    @property
    def has_titles(self) -> bool:
        """True if each part of the text has a title that names its subject."""
        return False


@dataclass(frozen=True, slots=True)
class DataReply(Reply[Any]):
    """A reply that consists of JSON values; its text is JSON too."""

    values: Mapping[str, Any]

    def data(self) -> Mapping[str, Any]:
        return self.values

    def text(self) -> str:
        return compact_json(self.values)


@dataclass(frozen=True, slots=True)
class AnswerReply(Reply[Any]):
    """A reply with the answer of a search.

    With `compact`, results are rows below one list of column names. With `scoped`, each result
    names its repository, and `meta` has the searched repositories.
    """

    answer: Answer
    compact: bool = False
    scoped: bool = False

    def data(self) -> Mapping[str, Any]:
        """Return an `AnswerDict`, or a `CompactAnswerDict`."""
        answer = agent_answer(self.answer, scoped=self.scoped)
        return _with_rows(answer) if self.compact else answer

    def text(self) -> str:
        return answer_text(self.answer)


@dataclass(frozen=True, slots=True)
class GrepReply(Reply[Any]):
    """A reply with lines that match, of one or several repositories.

    The repositories share the `budget`, in tokens. `unknown_paths` are the request's paths that
    match no indexed file. The text begins with `note`, if it is not "". `above` counts further
    matches, which are listed for earlier queries of the call. The text may be longer than the
    budget by the share `excess` if it has all lines then.
    """

    results: Sequence[GrepResult]
    budget: int
    unknown_paths: tuple[str, ...] = ()
    note: str = ""
    above: int = 0
    excess: float = SLIGHT_EXCESS
    further: Sequence[str] = ()
    """Lines of text that follow the matches, such as callers of the function with a message."""

    def data(self) -> Mapping[str, Any]:
        """Return an `AgentLinesDict`; for several repositories, a `GrepByRepositoryDict`."""
        repos = {result.repo: agent_lines(result, budget=self._share) for result in self.results}
        for lines in repos.values() if self.unknown_paths else ():
            lines["unknown_paths"] = list(self.unknown_paths)
        return next(iter(repos.values())) if len(self.results) == 1 else {"repos": repos}

    def text(self) -> str:
        """Return the matching lines below the path of their file, with the symbol around each."""
        texts = [
            "\n".join(
                shorten_paths(
                    agent_lines_text(result, budget=self._share, excess=self.excess).split("\n"),
                    {line.path for line in result.lines},
                )
            )
            for result in self.results
        ]
        if len(texts) > 1:
            texts = [
                f"{section_title(f'repository {result.repo}')}\n{text}"
                for result, text in zip(self.results, texts, strict=True)
            ]
        unknown = f"not indexed: {', '.join(self.unknown_paths)}" if self.unknown_paths else ""
        notes = [escape_line(f"note: {note}") for note in (self.note, unknown) if note]
        lines = plural(self.above, "line")
        if self.above and not any(result.counts for result in self.results):
            gaps = [escape_line(f"note: {gap}") for result in self.results for gap in result.gaps()]
            return "\n".join([*notes, f"{lines}, all matched by queries above", *gaps])
        above = [f"and {lines} that queries above match"] * bool(self.above)
        parted = [line for result in self.results for line in result.parted()]
        further = map(escape_line, [*parted, *self.further])
        return "\n".join([*notes, "\n\n".join(texts), *above, *further])

    def text_within(self, most: int) -> str:
        """Return the text with as many lines as fit into `most` characters, and a cursor."""
        text = self.text()
        fitting = replace(self, budget=max(1, most // CHARACTERS_A_TOKEN), excess=0)
        return text if len(text) <= most else fitting.text()

    def size(self, sent_as: AgentFormat) -> int:
        """Return the tokens of the reply, rounded up."""
        text = self.text() if sent_as == "text" else compact_json(self.data())
        return -(-len(text) // CHARACTERS_A_TOKEN)

    @property
    def total_count(self) -> int:
        """Number of all matches, of this page and of others."""
        return sum(result.total_count for result in self.results)

    @property
    def _share(self) -> int:
        return _line_tokens(self.budget) // len(self.results)


@dataclass(frozen=True, slots=True)
class ReportReply(Reply[Any]):
    """A reply with a report.

    `given` are the arguments of the call, which the answer need not repeat. With `compact`, the
    data are columns and rows. With `whole`, no field is left out.
    """

    report: Report
    given: Mapping[str, Any]
    compact: bool = False
    whole: bool = False

    def data(self) -> Mapping[str, Any]:
        """Return the pruned report, or with `compact` its columns and rows."""
        if self.compact:
            header, rows = self.report.columns()
            return {"columns": list(header), "rows": [list(row) for row in rows]}
        answer = self.report.as_dict()
        return answer if self.whole else prune_response(answer, self.given)

    def text(self) -> str:
        """Return the report as the command line prints it, but with shorter paths.

        Hints at options of the command line are left out.
        """
        lines = shorten_paths(self.report.text(), frozenset(self.report.paths))
        return "\n".join(escape_line(_COMMAND_HINT.sub("", line)) for line in lines)


@dataclass(frozen=True, slots=True)
class MultiReply(Reply[Any]):
    """A reply that joins the replies for several subjects, such as names.

    `failed` has the error messages of subjects without a reply. `titled` tells whether the text of
    each reply gets the name of its subject as a title.
    """

    replies: Mapping[str, Reply[Any]]
    failed: Mapping[str, str]
    titled: bool = True

    def data(self) -> Mapping[str, Any]:
        """Return the data of a single reply; else {`answers`: by subject, `failed`: by subject}."""
        if len(self.replies) == 1 and not self.failed:
            return next(iter(self.replies.values())).data()
        answers = {name: dict(reply.data()) for name, reply in self.replies.items()}
        return {"answers": answers} | ({"failed": dict(self.failed)} if self.failed else {})

    def text(self) -> str:
        """Return the texts of all replies, then a note for each subject that failed.

        With `titled`, the text of each reply is below the name of its subject. A single reply has
        no title, unless another subject failed.
        """
        return self._joined({name: reply.text() for name, reply in self.replies.items()})

    def text_within(self, most: int) -> str:
        """Return the text with a fair share of `most` characters for each subject."""
        frame = len(self._joined(dict.fromkeys(self.replies, "")))
        texts = texts_within([*self.replies.values()], most - frame)
        return self._joined(dict(zip(self.replies, texts, strict=True)))

    @property
    def has_titles(self) -> bool:
        """True if each part has a title: its own, or its subject."""
        several = len(self.replies) > 1 or bool(self.failed)
        return (self.titled and several) or all(reply.has_titles for reply in self.replies.values())

    def _joined(self, texts: Mapping[str, str]) -> str:
        """Join the texts of the replies, by subject, with their titles and the failures."""
        if len(texts) == 1 and not self.failed:
            return next(iter(texts.values()))
        parts = [
            f"{section_title(name)}\n{text}" if self.titled else text
            for name, text in texts.items()
        ]
        parts += (
            f"{section_title(name)}\nnote: no answer: {escape_line(message)}"
            for name, message in self.failed.items()
        )
        return "\n\n".join(parts)


def share_budget(reply: MultiReply, *, sent_as: AgentFormat) -> MultiReply:
    """Split the token budget among the `GrepReply`s of a `MultiReply`.

    Each of them has the whole budget so far. Other replies are returned unchanged.
    """
    if len(reply.replies) == 1:
        return reply
    parts = {name: part for name, part in reply.replies.items() if isinstance(part, GrepReply)}
    sizes = [part.size(sent_as) for part in parts.values()]
    budget = _line_tokens(next(iter(parts.values())).budget) if parts else 0
    shared = {
        name: replace(part, budget=share)
        for (name, part), share in zip(parts.items(), fair_shares(sizes, budget), strict=True)
    }
    return replace(reply, replies={**reply.replies, **shared})


def list_lines_once(reply: MultiReply) -> MultiReply:
    """Leave out of each `GrepReply` the matches that one before it lists, and count them.

    If the lines do not all fit into the budget, or if there are several repositories, return the
    reply unchanged.
    """
    parts = {name: part for name, part in reply.replies.items() if isinstance(part, GrepReply)}
    if len(parts) <= 1 or any(len(part.results) > 1 for part in parts.values()):
        return reply
    budget = _line_tokens(next(iter(parts.values())).budget)
    if sum(part.size("text") for part in parts.values()) > budget:
        return reply
    listed: set[tuple[str, int]] = set()
    for name, part in parts.items():
        (whole,) = part.results
        rest = whole if whole.has_more else whole.without(listed)  # a cursor counts all matches
        parts[name] = replace(part, results=[rest], above=whole.total_count - rest.total_count)
        listed.update((line.path, line.line) for line in rest.matches)
    return replace(reply, replies={**reply.replies, **parts})


def fair_shares(sizes: Sequence[int], budget: int) -> list[int]:
    """Return how much of `budget` each of several parts gets, in the order of `sizes`.

    Larger parts get what small ones do not use. Parts that are cut get equal shares, at least 1. If
    all fit, each gets a share in proportion to its size.
    """
    if 0 < sum(sizes) <= budget:
        return [size * budget // sum(sizes) for size in sizes]
    shares = [0] * len(sizes)
    left = budget
    for done, at in enumerate(sorted(range(len(sizes)), key=sizes.__getitem__)):
        shares[at] = max(1, left // (len(sizes) - done))
        left -= min(shares[at], sizes[at], left)
    return shares


class _Part(Protocol):
    """A part of a text that can be cut: a reply, or the result of one request in a batch."""

    def text(self) -> str: ...
    def text_within(self, most: int) -> str: ...


def texts_within(parts: Sequence[_Part], most: int) -> list[str]:
    """Return the text of each part; long ones are cut so that all have about `most` characters."""
    texts = [part.text() for part in parts]
    shares = fair_shares(list(map(len, texts)), max(0, most))
    return [
        text if len(text) <= share else part.text_within(share)
        for part, text, share in zip(parts, texts, shares, strict=True)
    ]


def _line_tokens(budget: int) -> int:
    """Return `budget`, or `_MAX_LINE_TOKENS` if it is 0 or larger than that."""
    return min(budget or _MAX_LINE_TOKENS, _MAX_LINE_TOKENS)


def _with_rows(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an answer whose results are rows of values, below one list of column names."""
    results = cast("Sequence[Mapping[str, Any]]", answer["results"])
    columns = list(dict.fromkeys(name for result in results for name in result))
    rows = [[result.get(name) for name in columns] for result in results]
    return {**answer, "results": {"columns": columns, "rows": rows}}
