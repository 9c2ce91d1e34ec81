"""An answer as agents get it: the schema's names, without what is empty or goes without saying."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from codeindex.types import Answer, Hit

CHARACTERS_A_TOKEN = 4
"""Where no tokenizer is named."""
_ROUTES = ("relation", "pattern", "flow", "routes", "failed")
"""What `meta` holds besides a repetition of what was asked."""
_NEVER = frozenset({"why", "language", "module"})
"""Fields of a result that its path tells, or that only people ask for."""


def agent_answer(answer: Answer) -> dict[str, Any]:
    """Return the answer with its results first, then what they rest on."""
    several = len(answer.searched_repos) > 1
    whole = answer.as_dict()
    lean = {
        "results": [agent_hit(hit, several=several) for hit in answer.hits],
        "navigation": [agent_hit(hit, several=several) for hit in answer.navigation],
        "query_type": answer.query_type,
        "total_count": answer.total_count,
        "cursor": answer.cursor,
        "truncated": answer.truncated,
        "index_version": answer.index_version,
        "searched_repos": list(answer.searched_repos),
        "readiness": _told(whole["readiness"], unless=1.0),
        "coverage": _told(whole["coverage"], unless=0),
        "meta": {name: answer.meta[name] for name in _ROUTES if name in answer.meta},
        "suggestions": list(answer.suggestions),
    }
    for name in ("message", "related_areas", "hint"):
        lean[name] = whole.get(name)
    return {name: value for name, value in lean.items() if value or name == "results"}


def agent_hit(hit: Hit, *, several: bool) -> dict[str, Any]:
    """Return a result; its repository is named where `several` were searched."""
    kept = {
        name: value for name, value in hit.as_dict().items() if value and name not in _NEVER
    } | {"score": round(hit.score, 2)}
    if not several:
        kept.pop("repo", None)
    if hit.shown == "full":
        del kept["shown"]
    content = kept.pop("content", "").rstrip("\n")
    return kept | ({"content": content} if content else {})


def _told(counts: Mapping[str, float], *, unless: float) -> dict[str, float]:
    return {name: count for name, count in counts.items() if count != unless}


def size_of(value: object) -> int:
    """Return the characters of a value as JSON without blanks, which is what clients are sent."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
