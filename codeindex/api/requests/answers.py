"""Requests for answers in sentences: `Index.answers`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Annotated

from codeindex.api.requests.base import Bounds, Request, Text
from codeindex.api.requests.fields import RESULTS, MinScore, Path, Query

ROUNDS = "Rounds in which what is missing is looked for again; 8 at most."
AnswerLimit = Annotated[int, RESULTS, Bounds(1, 20)]
Rounds = Annotated[int, ROUNDS, Bounds(0, 8)]


@dataclass(frozen=True, slots=True)
class AskRequest(Request, capability="answers.ask"):
    """Answer QUERY, about all or what is below PATH, in sentences that each cite their place.

    Without a model they are put together from definitions, documents and the graph. A command
    that reads a prompt and prints an answer has it written from the same evidence: what it
    says without evidence is marked. `agentic` rounds look again for what is missing.
    """

    query: Query
    path: Path = ""
    _: KW_ONLY
    limit: AnswerLimit = 5
    min_score: MinScore = 0.0
    agentic: Rounds = 0
    llm_cmd: Annotated[str, Text.COMMAND] = ""
    llm_seconds: float = 120.0


@dataclass(frozen=True, slots=True)
class AskWriterRequest(Request, capability="answers.ask_writer"):
    """Answer as `ask` does, written by any function from a prompt to a text."""

    query: Query
    writer: Callable[[str], str] | None
    _: KW_ONLY
    model: str
    limit: AnswerLimit = 5
    path: Path = ""
    min_score: MinScore = 0.0
    agentic: Rounds = 0
