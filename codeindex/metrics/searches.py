"""The event of a search."""

from __future__ import annotations

from codeindex.metrics.record import record_event, redacted_line
from codeindex.search.pack.agent_json import CHARACTERS_A_TOKEN, agent_answer, json_size
from codeindex.types import Answer

_FILES, _SUGGESTIONS = 10, 3
"""That are named."""


def record_search(answer: Answer, *, seconds: float, whole_bytes: int, is_more: bool) -> None:
    """Note a search; `whole_bytes` are those of the files that it cites, `is_more` a later page.

    What the answer says of files is not noted, but which they are.
    """
    found = (*answer.hits, *answer.navigation)
    values: dict[str, object] = {
        "repos": list(answer.searched_repos),
        "query": redacted_line(answer.query),
        "query_type": str(answer.query_type),
        "results": len(answer.hits),
        "docs": len(answer.navigation),
        "latency_ms": round(seconds * 1000, 1),
        "files": list(dict.fromkeys(hit.path for hit in found))[:_FILES],
        "answer_tokens": json_size(agent_answer(answer)) // CHARACTERS_A_TOKEN,
        "whole_tokens": whole_bytes // CHARACTERS_A_TOKEN,
    }
    if is_more:
        values["more"] = True
    if not found:
        said = answer.suggestions[:_SUGGESTIONS]
        values["suggested"] = [redacted_line(item) for item in said]
    record_event("search", **values)
