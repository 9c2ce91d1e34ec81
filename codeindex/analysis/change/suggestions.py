"""Suggest files to look at before a file is edited, each with short reasons."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import takewhile

from codeindex.analysis.change.related_files import RelatedFile, RelationReason, rank_related_files
from codeindex.analysis.change.signals import SIGNAL_LABELS
from codeindex.analysis.file_selection import select_file
from codeindex.analysis.focus import make_focus
from codeindex.store.catalog.patterns import patterns_of_file
from codeindex.store.symbols.nodes import file_nodes
from codeindex.types.report import DataReport, Table

DEFAULT_SUGGESTIONS = 5
_MIN_SCORE = 0.3
"""Least score of a suggestion. Two common commits or a rare shared name exceed it; being in the
same folder alone does not."""
_MAX_REASONS, _MAX_NAMES = 2, 3
"""Most reasons per file, and most names per reason: as many as fit on one line."""
_REASON_ORDER = (
    "tests",
    "imported_by",
    "imports",
    "used_by",
    "uses",
    "mentioned_by",
    "changes_with",
    "shares",
)
"""Kinds of reasons, most informative first. `same_folder` and `named_alike` are not in the list,
because the path shows them."""
_IMPLIED_BY = {"uses": "imports", "used_by": "imported_by"}
"""A reason (key) is not shown beside the reason that implies it (value)."""


@dataclass(frozen=True, slots=True)
class FileSuggestion:
    """A file to look at before another file is edited.

    `score` tells how closely the two are related, and `why` has the reasons as phrases.
    """

    file: str
    score: float
    why: tuple[str, ...]

    def line(self) -> str:
        """Return the suggestion as one line of printed text."""
        return f"{self.file}: {'; '.join(self.why)}"


@dataclass(frozen=True, slots=True)
class FileSuggestions(DataReport):
    """The files to look at before `file` is edited, most related first.

    `total` is their number before the limit.
    """

    file: str
    items: tuple[FileSuggestion, ...]
    total: int

    def columns(self) -> Table:
        rows = [
            (suggestion.file, f"{suggestion.score:.2f}", "; ".join(suggestion.why))
            for suggestion in self.items
        ]
        return ("file", "score", "why"), rows

    def text(self) -> Iterator[str]:
        if not self.items:
            yield f"No other file is related to {self.file}."
            return
        yield f"Related to {self.file}:"
        yield from (f"- {suggestion.line()}" for suggestion in self.items)


def suggest_files(
    connection: sqlite3.Connection,
    path: str,
    *,
    limit: int = DEFAULT_SUGGESTIONS,
    seen: Collection[str] = (),
) -> FileSuggestions:
    """Return the files to look at before `path` is edited; raise QueryError if it is not indexed.

    These are the related files with a score of at least 0.3, and the most typical file of the
    pattern that `path` follows. Files in `seen` are left out.
    """
    file = select_file(connection, path)
    focus = make_focus(connection, file_nodes(connection, [file.path]))
    suggestions = [
        FileSuggestion(related.file, related.score, why)
        for related in takewhile(_is_near, rank_related_files(connection, focus))
        if (why := _pick_reasons(related))
    ]
    new = [
        suggestion
        for suggestion in _add_canonical(connection, file.id, suggestions, limit=limit)
        if suggestion.file != file.path and suggestion.file not in seen
    ]
    return FileSuggestions(file.path, tuple(new[:limit]), len(new))


def _is_near(related: RelatedFile) -> bool:
    return related.score >= _MIN_SCORE


def _pick_reasons(item: RelatedFile) -> tuple[str, ...]:
    """Return phrases for the reasons that tell most about a related file.

    Reasons that another reason implies are left out.
    """
    telling = sorted(item.reasons, key=lambda reason: (bool(reason.symbols), reason.weight))
    reasons = {reason.kind: reason for reason in telling}  # the last of a kind stays
    kinds = [
        name for name in _REASON_ORDER if name in reasons and _IMPLIED_BY.get(name) not in reasons
    ]
    return tuple(_phrase(reasons[kind]) for kind in kinds[:_MAX_REASONS])


def _phrase(reason: RelationReason) -> str:
    if reason.kind == "changes_with":
        return reason.detail
    names = [".".join(symbol.split(".")[-2:]) for symbol in reason.symbols[:_MAX_NAMES] if symbol]
    words = "tests this" if reason.kind == "tests" else SIGNAL_LABELS[reason.kind]
    return f"{words} ({', '.join(names)})" if names else words


def _add_canonical(
    connection: sqlite3.Connection, file_id: int, suggestions: list[FileSuggestion], *, limit: int
) -> list[FileSuggestion]:
    """Add the most typical file of the pattern that the file `file_id` follows.

    It is placed among the first `limit` suggestions. Return the suggestions unchanged if the file
    follows no pattern.
    """
    pattern = next(iter(patterns_of_file(connection, file_id)), None)
    if pattern is None:
        return suggestions
    typical = pattern.canonical
    words = (
        f"the most typical of {len(pattern.members)} files of the same structure ({pattern.name})"
    )
    suggestion = next((candidate for candidate in suggestions if candidate.file == typical), None)
    if suggestion in suggestions[:limit]:
        return [
            FileSuggestion(candidate.file, candidate.score, (words, *candidate.why[:1]))
            if candidate is suggestion
            else candidate
            for candidate in suggestions
        ]
    rest = [candidate for candidate in suggestions if candidate is not suggestion]
    score = suggestion.score if suggestion else 0.0
    return [*rest[: limit - 1], FileSuggestion(typical, score, (words,)), *rest[limit - 1 :]]
