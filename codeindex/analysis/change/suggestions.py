"""What else to know before reading a file: its nearest neighbours, each with a few words why."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from codeindex.analysis.change.related_files import RelatedFile, RelationReason, rank_related_files
from codeindex.analysis.change.signals import SIGNAL_LABELS
from codeindex.analysis.file_selection import select_file
from codeindex.analysis.focus import make_focus
from codeindex.store.catalog.patterns import patterns_of_file
from codeindex.store.symbols.nodes import file_nodes

if TYPE_CHECKING:
    import sqlite3

DEFAULT_SUGGESTIONS = 5
_LEAST = 0.3
"""Closeness: two common commits or rare names come to more, to be near in the tree to less."""
_REASONS, _NAMES = 2, 3
"""Of an item: what fits into one line."""
_SAID = (
    "tests",
    "imported_by",
    "imports",
    "used_by",
    "uses",
    "mentioned_by",
    "changes_with",
    "shares",
)
"""What tells a reader most comes first; that files are neighbours or namesakes, the path says."""
_IMPLIED = {"uses": "imports", "used_by": "imported_by"}
"""What goes without saying, by what says it."""


@dataclass(frozen=True, slots=True)
class FileSuggestion:
    """A related file; `why` are its strongest reasons, in words."""

    file: str
    score: float
    why: tuple[str, ...]

    def line(self) -> str:
        """Return it in one line."""
        return f"{self.file}: {'; '.join(self.why)}"


@dataclass(frozen=True, slots=True)
class FileSuggestions:
    """The closest files that were not `seen`; `total` counts all that are close enough."""

    file: str
    items: tuple[FileSuggestion, ...]
    total: int

    @property
    def paths(self) -> set[str]:
        return {self.file, *(one.file for one in self.items)}

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [(one.file, f"{one.score:.2f}", "; ".join(one.why)) for one in self.items]
        return ("file", "score", "why"), rows

    def text(self) -> Iterator[str]:
        if not self.items:
            yield f"Nothing else to know is related to {self.file}."
            return
        yield f"Related to {self.file}:"
        yield from (f"- {one.line()}" for one in self.items)


def suggest_files(
    connection: sqlite3.Connection,
    path: str,
    *,
    limit: int = DEFAULT_SUGGESTIONS,
    seen: Collection[str] = (),
) -> FileSuggestions:
    """Return what to know before reading a file; QueryError if it is not indexed."""
    file = select_file(connection, path)
    focus = make_focus(connection, file_nodes(connection, [file.path]))
    found = [
        FileSuggestion(one.file, one.score, why)
        for one in rank_related_files(connection, focus)
        if one.score >= _LEAST and (why := _why(one))
    ]
    new = [
        one
        for one in _with_typical(connection, file.id, found, limit=limit)
        if one.file != file.path and one.file not in seen
    ]
    return FileSuggestions(file.path, tuple(new[:limit]), len(new))


def _why(item: RelatedFile) -> tuple[str, ...]:
    """Return the most telling reasons that say more than the path does."""
    telling = sorted(item.reasons, key=lambda one: (bool(one.symbols), one.weight))
    reasons = {one.kind: one for one in telling}  # the last of a kind stays
    kinds = [one for one in _SAID if one in reasons and _IMPLIED.get(one) not in reasons]
    return tuple(_said(reasons[kind]) for kind in kinds[:_REASONS])


def _said(reason: RelationReason) -> str:
    if reason.kind == "changes_with":
        return reason.detail
    names = [".".join(one.split(".")[-2:]) for one in reason.symbols[:_NAMES] if one]
    words = "tests this" if reason.kind == "tests" else SIGNAL_LABELS[reason.kind]
    return f"{words} ({', '.join(names)})" if names else words


def _with_typical(
    connection: sqlite3.Connection, file_id: int, found: list[FileSuggestion], *, limit: int
) -> list[FileSuggestion]:
    """Add the file that shows best how files of this kind are built, within the limit."""
    pattern = next(iter(patterns_of_file(connection, file_id)), None)
    if pattern is None or pattern.canonical.file_id == file_id:
        return found
    typical = pattern.canonical.path
    words = f"the most typical of {len(pattern.members)} files built like this ({pattern.name})"
    known = next((one for one in found if one.file == typical), None)
    if known in found[:limit]:
        return [
            FileSuggestion(one.file, one.score, (words, *one.why[:1])) if one is known else one
            for one in found
        ]
    rest = [one for one in found if one is not known]
    score = known.score if known else 0.0
    return [*rest[: limit - 1], FileSuggestion(typical, score, (words,)), *rest[limit - 1 :]]
