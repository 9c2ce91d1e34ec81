"""Answer the tool `batch_code`: several requests of other tools in one call."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from codeindex.errors import CodeIndexError, QueryError, unexpected_error
from codeindex.mcp.multi_call import refuse_too_many
from codeindex.mcp.reply import Reply, texts_within
from codeindex.search.pack.text_lines import section_title
from codeindex.text.sanitize import escape_line
from codeindex.text.truncate import truncate

logger = logging.getLogger(__name__)

MAX_REQUESTS = 10
"""Maximum number of requests in one call: ten searches with their default budget are 10,000 tokens,
twice the limit `output_limits.MAX_CHARACTERS`."""
_MAX_VALUE_LENGTH = 200
"""Most characters of an argument in a title; the text of an issue is longer."""

RunTool = Callable[[str, Mapping[str, Any]], Reply[Any]]
"""A function that calls a tool, given its name and arguments; it raises CodeIndexError."""


class BatchResultDict(TypedDict, total=False):
    """The JSON form of `BatchResult`: has `answer` if the tool answered, `error` if it failed."""

    tool: str
    answer: dict[str, Any]
    error: str


class BatchDict(TypedDict):
    """The JSON form of `BatchReply`; `results` are in the order of the requests."""

    results: list[BatchResultDict]


@dataclass(frozen=True, slots=True)
class BatchResult:
    """The result of one request in a batch: the tool's reply, or `error` if there is none.

    `number` counts the requests of the call from 1.
    """

    number: int
    tool: str
    arguments: Mapping[str, Any]
    reply: Reply[Any] | None
    error: str = ""

    def as_dict(self) -> BatchResultDict:
        if self.reply is None:
            return {"tool": self.tool, "error": self.error}
        return {"tool": self.tool, "answer": dict(self.reply.data())}

    def text(self) -> str:
        """Return a title line, then the tool's answer or error message."""
        title = section_title(self._title())
        if self.reply is None:
            return f"{title}\nnote: no answer: {escape_line(self.error)}"
        return f"{title}\n{self.reply.text()}"

    def text_within(self, most: int) -> str:
        """Return the title and an answer that is cut: together, about `most` characters."""
        if self.reply is None:
            return self.text()
        title = section_title(self._title())
        return f"{title}\n{self.reply.text_within(max(0, most - len(title) - 1))}"

    def _title(self) -> str:
        """Return the number of a request, its tool and its arguments, as the title of its result.

        Lists of names, places or queries are left out if the result has them as titles.
        """
        has_titles = self.reply is not None and self.reply.has_titles
        values = [
            str(item)
            for value in self.arguments.values()
            for item in (value if isinstance(value, list) else [value])
            if not (has_titles and isinstance(value, list))
        ]
        words = (truncate(text, _MAX_VALUE_LENGTH) for text in values)
        return f"{self.number} {self.tool} {', '.join(words)}".strip()


@dataclass(frozen=True, slots=True)
class BatchReply(Reply[BatchDict]):
    """The reply to a batch; `results` are in the order of the requests."""

    results: Sequence[BatchResult]

    def data(self) -> Mapping[str, Any]:
        return {"results": [result.as_dict() for result in self.results]}

    def text(self) -> str:
        """Return the texts of all results."""
        return "\n\n".join(result.text() for result in self.results)

    def text_within(self, most: int) -> str:
        """Return the texts of all results; each has a fair share of `most` characters."""
        return "\n\n".join(texts_within(self.results, most - 2 * len(self.results)))


def answer_batch(requests: Sequence[Mapping[str, Any]], run: RunTool) -> BatchReply:
    """Call the tool of each request, an object with `tool` and the tool's arguments.

    A failed request does not stop the others. Raises QueryError for no request, more than
    `MAX_REQUESTS`, or one without a tool; if all fail, raises the first one's CodeIndexError.
    """
    if not requests:
        raise QueryError("Nothing is given: give at least one request.")
    refuse_too_many(requests, "requests", most=MAX_REQUESTS)
    results: list[BatchResult] = []
    errors: list[CodeIndexError] = []
    for number, request in enumerate(requests, 1):
        name, arguments = _split_request(request)
        try:
            results.append(BatchResult(number, name, arguments, run(name, arguments)))
        except CodeIndexError as error:
            errors.append(error)
        except Exception as error:
            logger.exception("%s failed in a batch", name)
            errors.append(unexpected_error(error, name))
        else:
            continue
        results.append(BatchResult(number, name, arguments, None, str(errors[-1])))
    if len(errors) == len(requests):
        raise errors[0]
    return BatchReply(tuple(results))


def repositories_of(arguments: Mapping[str, Any]) -> Iterator[str]:
    """Yield the name of each repository that a tool call reads.

    First comes the argument `repo` of the call, or "" without one. The `repo` of each call in the
    argument `requests` follows.
    """
    repo = arguments.get("repo")
    yield repo if isinstance(repo, str) else ""
    requests = arguments.get("requests")
    for request in requests if isinstance(requests, (list, tuple)) else ():
        if isinstance(request, dict) and isinstance(request.get("repo"), str) and request["repo"]:
            yield request["repo"]


def _split_request(request: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return (tool, its arguments) of a request in a batch.

    The arguments are beside `tool`, or in an object `arguments`.
    """
    rest = dict(request)
    name = rest.pop("tool", None) or rest.pop("name", None)
    if not isinstance(name, str):
        raise QueryError('A request names no tool: give {"tool": "read_code", "places": ["a.py"]}.')
    nested = rest.pop("arguments", None)
    return name, {**rest, **nested} if isinstance(nested, dict) else rest
