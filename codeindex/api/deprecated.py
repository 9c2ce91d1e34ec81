"""Find methods by the names that they had in version 0.1, with a deprecation warning.

The former names are removed in the version after next.
"""

from __future__ import annotations

import warnings
from operator import attrgetter
from typing import Any

_KEPT_NAMES = {
    "answers": ("ask", "ask_writer"),
    "graph": (
        *("callees", "callers", "impact", "implementers", "imports", "related_tests", "type_flow"),
        *("unused",),
    ),
    "searcher": ("cited_bytes", "outline"),
    "admin": (
        *("clear", "confirm_upgrade", "invalidate", "invalidate_file", "parts", "repair"),
        *("undo_upgrade", "upgrade_embeddings", "upgrade_estimate", "upgrade_standing", "verify"),
    ),
    "changes": ("context", "diff_summary", "for_diff", "suggest_context"),
    "source": (
        *("declarations", "file_context", "public_api", "read", "summaries", "summary"),
        *("token_estimate", "tree"),
    ),
    "evaluation": ("evaluate", "tune", "untune"),
    "combined": ("explore", "find", "search_relevant", "summarize"),
    "exact": ("grep",),
    "overview": (
        *("guides", "health", "hotspots", "keep_index_file", "members", "modules", "patterns"),
        *("regenerate_index", "report", "secrets", "stats"),
    ),
    "symbols": ("lookup", "signatures"),
    "explain": ("why_not",),
}
"""Former methods of `Index` by the attribute of `Index` that has them now."""
_WIKI = (
    *("compound", "contribute", "drafts", "generate", "read", "record_failure", "search", "status"),
    *("suggest_contribution", "update"),
)
"""Methods of `Index.wiki`; their former names begin with `wiki_`."""
MOVED = {
    **{name: f"{owner}.{name}" for owner, names in _KEPT_NAMES.items() for name in names},
    **{f"wiki_{name}": f"wiki.{name}" for name in _WIKI},
    "dependency_graph": "graph.diagram",
    "explain_search": "explain.search",
    "explain_symbol": "symbols.explain",
    "export_graph": "graph.export",
}
"""Former methods of `Index`, with the attribute path of each from `Index` now."""
_warned: set[str] = set()


def moved_method(index: Any, name: str) -> Any:
    """Return the method that replaces `Index.name`; raise AttributeError if none does."""
    if name not in MOVED:
        raise AttributeError(f"{type(index).__name__!r} object has no attribute {name!r}")
    warn_once(f"Index.{name}()", f"Index.{MOVED[name]}()", stacklevel=4)
    return attrgetter(MOVED[name])(index)


def warn_once(old: str, new: str, *, stacklevel: int) -> None:
    """Warn of a deprecated name the first time that it is used in this process."""
    if old not in _warned:
        _warned.add(old)
        message = f"{old} is deprecated: use {new}"
        warnings.warn(message, DeprecationWarning, stacklevel=stacklevel)
