"""Record the event of a search."""

from __future__ import annotations

from codeindex.metrics.record import record_event, redacted_line
from codeindex.search.pack.agent_json import CHARACTERS_A_TOKEN, agent_answer, json_size
from codeindex.types import Answer

_MAX_FILES, _MAX_SUGGESTIONS = 10, 3
"""Most files and suggestions stored for each search; a line takes some 500 bytes."""


def record_search(answer: Answer, *, seconds: float, whole_bytes: int, is_more: bool) -> None:
    """Record a search with the paths of its results, without their contents.

    `whole_bytes` is the size of all cited files; `is_more` marks a later page of a result list.
    """
    results = (*answer.hits, *answer.navigation)
    values: dict[str, object] = {
        "repos": list(answer.searched_repos),
        "query": redacted_line(answer.query),
        "query_type": str(answer.query_type),
        "results": len(answer.hits),
        "docs": len(answer.navigation),
        "latency_ms": round(seconds * 1000, 1),
        "files": list(dict.fromkeys(hit.path for hit in results))[:_MAX_FILES],
        "answer_tokens": json_size(agent_answer(answer)) // CHARACTERS_A_TOKEN,
        "whole_tokens": whole_bytes // CHARACTERS_A_TOKEN,
    }
    if is_more:
        values["more"] = True
    if not results:
        suggestions = answer.suggestions[:_MAX_SUGGESTIONS]
        values["suggested"] = [redacted_line(suggestion) for suggestion in suggestions]
    record_event("search", **values)
