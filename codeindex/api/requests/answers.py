"""Define the requests for answers in sentences: `Index.answers`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Annotated

from codeindex.api.requests.base import NumberBounds, Request, TextKind
from codeindex.api.requests.fields import (
    LIMIT_HELP,
    MinScoreParameter,
    PathParameter,
    QueryParameter,
)

ROUNDS_HELP = "Rounds of searching again for what is missing; 8 at most."
AnswerLimitParameter = Annotated[int, LIMIT_HELP, NumberBounds(1, 20)]
RoundsParameter = Annotated[int, ROUNDS_HELP, NumberBounds(0, 8)]


@dataclass(frozen=True, slots=True)
class AskRequest(Request, capability="answers.ask"):
    """Answer QUERY, about the repository or PATH, in sentences that each cite their place.

    Without a model the sentences come from definitions, documents and the graph. A command
    that reads a prompt and prints an answer writes it from the same evidence; sentences without
    evidence are marked. `agentic` rounds search again for what is missing.
    """

    query: QueryParameter
    path: PathParameter = ""
    _: KW_ONLY
    limit: AnswerLimitParameter = 5
    min_score: MinScoreParameter = 0.0
    agentic: RoundsParameter = 0
    llm_cmd: Annotated[str, TextKind.COMMAND] = ""
    llm_seconds: float = 120.0


@dataclass(frozen=True, slots=True)
class AskWriterRequest(Request, capability="answers.ask_writer"):
    """Answer as `ask` does, written by any function from a prompt to a text."""

    query: QueryParameter
    writer: Callable[[str], str] | None
    _: KW_ONLY
    model: str
    limit: AnswerLimitParameter = 5
    path: PathParameter = ""
    min_score: MinScoreParameter = 0.0
    agentic: RoundsParameter = 0
