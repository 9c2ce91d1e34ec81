"""Find methods by the names that they had in version 0.1, with a deprecation warning.

The former names are removed in the version after next.
"""

from __future__ import annotations

import warnings
from operator import attrgetter
from typing import Any

MOVED = {
    "ask": "answers.ask",
    "ask_writer": "answers.ask_writer",
    "callees": "graph.callees",
    "callers": "graph.callers",
    "cited_bytes": "searcher.cited_bytes",
    "clear": "admin.clear",
    "confirm_upgrade": "admin.confirm_upgrade",
    "context": "changes.context",
    "declarations": "source.declarations",
    "dependency_graph": "graph.diagram",
    "diff_summary": "changes.diff_summary",
    "evaluate": "evaluation.evaluate",
    "explain_search": "explain.search",
    "explain_symbol": "symbols.explain",
    "explore": "combined.explore",
    "export_graph": "graph.export",
    "file_context": "source.file_context",
    "find": "combined.find",
    "for_diff": "changes.for_diff",
    "grep": "exact.grep",
    "guides": "overview.guides",
    "health": "overview.health",
    "hotspots": "overview.hotspots",
    "impact": "graph.impact",
    "implementers": "graph.implementers",
    "imports": "graph.imports",
    "invalidate": "admin.invalidate",
    "invalidate_file": "admin.invalidate_file",
    "keep_index_file": "overview.keep_index_file",
    "lookup": "symbols.lookup",
    "members": "overview.members",
    "modules": "overview.modules",
    "outline": "searcher.outline",
    "parts": "admin.parts",
    "patterns": "overview.patterns",
    "public_api": "source.public_api",
    "read": "source.read",
    "regenerate_index": "overview.regenerate_index",
    "related_tests": "graph.related_tests",
    "repair": "admin.repair",
    "report": "overview.report",
    "search_relevant": "combined.search_relevant",
    "secrets": "overview.secrets",
    "signatures": "symbols.signatures",
    "stats": "overview.stats",
    "suggest_context": "changes.suggest_context",
    "summaries": "source.summaries",
    "summarize": "combined.summarize",
    "summary": "source.summary",
    "token_estimate": "source.token_estimate",
    "tree": "source.tree",
    "tune": "evaluation.tune",
    "type_flow": "graph.type_flow",
    "undo_upgrade": "admin.undo_upgrade",
    "untune": "evaluation.untune",
    "unused": "graph.unused",
    "upgrade_embeddings": "admin.upgrade_embeddings",
    "upgrade_estimate": "admin.upgrade_estimate",
    "upgrade_standing": "admin.upgrade_standing",
    "verify": "admin.verify",
    "why_not": "explain.why_not",
    "wiki_compound": "wiki.compound",
    "wiki_contribute": "wiki.contribute",
    "wiki_drafts": "wiki.drafts",
    "wiki_generate": "wiki.generate",
    "wiki_read": "wiki.read",
    "wiki_record_failure": "wiki.record_failure",
    "wiki_search": "wiki.search",
    "wiki_status": "wiki.status",
    "wiki_suggest_contribution": "wiki.suggest_contribution",
    "wiki_update": "wiki.update",
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
