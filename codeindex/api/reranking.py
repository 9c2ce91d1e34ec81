"""Which model takes a second look at results, if any: opened when it is first asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from codeindex.errors import ModelError

if TYPE_CHECKING:
    from codeindex.api.resources import Resources
    from codeindex.config import Settings
    from codeindex.search.rank.rerank import Reranker

_NONE = (
    "No reranker is known: add one with `codeindex models add DIR --kind reranker` and name it in"
    " `search.reranker`."
)


def reranking_of(opened: Resources, settings: Settings, wanted: bool | None) -> Reranker | None:
    """Return what a search is reranked by; None where it is not asked for.

    What is `wanted` comes before the settings; a model that they do not name is the only one known.
    """
    configured = settings.config.search.reranker
    if wanted is False or (wanted is None and not configured):
        return None
    from codeindex.search.rank.rerank import Reranker

    name = configured or _only_one()

    def score(query: str, texts: Sequence[str]) -> Sequence[float]:
        if not name:
            raise ModelError(_NONE)
        return opened.reranker(name).scores(query, texts)

    return Reranker(name, settings.config.search.rerank_top, score)


def _only_one() -> str:
    """Return the id of the reranker if there is one, and no other to choose from."""
    from codeindex.config import data_home
    from codeindex.embed.lock import load_lock

    try:
        known = [one.id for one in load_lock(data_home()).values() if one.kind == "reranker"]
    except ModelError:
        return ""
    return known[0] if len(known) == 1 else ""
