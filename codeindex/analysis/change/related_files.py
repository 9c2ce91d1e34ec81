"""What else to read or change, given a file or a symbol: one item a file, with its reasons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from codeindex.analysis.change.relatedness import SIGNAL_WEIGHTS, relatedness
from codeindex.analysis.change.signals import SIGNAL_LABELS, Signal, Signals, collect_signals
from codeindex.analysis.focus import Focus, resolve_focus
from codeindex.analysis.subject import Definition, describe_definitions, list_definitions
from codeindex.store.catalog.commits import history_caveat

if TYPE_CHECKING:
    import sqlite3

DEFAULT_RELATED = 20
_NAMED = 5
"""Symbols and lines that a reason lists."""
_TESTS = {"imported_by", "used_by", "named_alike"}
"""What makes a test file a test of something."""


@dataclass(frozen=True, slots=True)
class RelationReason:
    """Why a file is related; `lines` are where it uses this, or this uses it.

    `tests` in place of `imported_by`, `used_by` or `named_alike` is said of test files.
    """

    kind: str
    weight: float
    symbols: tuple[str, ...]
    lines: tuple[int, ...]
    detail: str


@dataclass(frozen=True, slots=True)
class RelatedFile:
    """A related file; `score` is the sum of its reasons' weights."""

    file: str
    score: float
    is_test: bool
    reasons: tuple[RelationReason, ...]

    def line(self) -> str:
        """Return the item in one line, for people."""
        return f"{self.file}  {self.score:.2f}  {'; '.join(one.detail for one in self.reasons)}"


@dataclass(frozen=True, slots=True)
class RelatedFiles:
    """Related files, the closest first; `total` counts them whatever the limit has left."""

    subject: str
    definitions: tuple[Definition, ...]
    items: tuple[RelatedFile, ...]
    total: int
    notes: tuple[str, ...]

    @property
    def paths(self) -> set[str]:
        return {one.file for one in self.definitions} | {one.file for one in self.items}

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        return ("file", "score", "test", "reasons"), [related_file_row(one) for one in self.items]

    def text(self) -> Iterator[str]:
        yield f"{self.subject}: {len(self.items)} of {self.total} related files"
        yield from describe_definitions(self.definitions)
        yield from (one.line() for one in self.items)
        yield from (f"note: {one}" for one in self.notes)


def find_related_files(
    connection: sqlite3.Connection, subject: str, *, limit: int = DEFAULT_RELATED
) -> RelatedFiles:
    """Return what is related to a file or symbol; QueryError if nothing is called so."""
    focus = resolve_focus(connection, subject)
    items = rank_related_files(connection, focus)
    said = history_caveat(connection)
    return RelatedFiles(
        subject=subject,
        definitions=list_definitions(focus.nodes),
        items=tuple(items[:limit]),
        total=len(items),
        notes=(said,) if said else (),
    )


def rank_related_files(connection: sqlite3.Connection, focus: Focus) -> list[RelatedFile]:
    """Return an item for every neighbour, the closest first."""
    tests = {one for (one,) in connection.execute("SELECT path FROM files WHERE is_test")}
    return score_related_files(collect_signals(connection, focus), tests, focus.paths - tests)


def score_related_files(
    signals: Signals, tests: set[str], tested: Iterable[str]
) -> list[RelatedFile]:
    """Put neighbours in order; tests are such only of what is not a test itself."""
    are_tests = tests if tested else set()
    items = [
        RelatedFile(
            file=path,
            score=round(relatedness(own), 3),
            is_test=path in tests,
            reasons=_reasons(own, is_test=path in are_tests),
        )
        for path, own in signals.items()
    ]
    return sorted(items, key=lambda one: (-one.score, one.file))


def related_file_row(item: RelatedFile) -> tuple[str, ...]:
    """Return an item's cells."""
    kinds = ",".join(f"{one.kind}:{one.weight:.2f}" for one in item.reasons)
    return item.file, f"{item.score:.2f}", "test" if item.is_test else "-", kinds


def _reasons(signals: Mapping[str, Signal], *, is_test: bool) -> tuple[RelationReason, ...]:
    found = []
    for name, signal in signals.items():
        symbols = tuple(one for one, _ in signal.symbols.most_common() if one)[:_NAMED]
        commits = f"{signal.times} common commit{'s' if signal.times > 1 else ''}"
        said = commits if signal.times else ", ".join(symbols)
        tests = "tests this: " if is_test and name in _TESTS else ""
        found.append(
            RelationReason(
                kind="tests" if tests else name,
                weight=round(SIGNAL_WEIGHTS[name] * signal.strength, 3),
                symbols=symbols,
                lines=tuple(sorted(signal.lines))[:_NAMED],
                detail=f"{tests}{SIGNAL_LABELS[name]}{f' ({said})' if said else ''}",
            )
        )
    return tuple(sorted(found, key=lambda one: (-one.weight, one.kind)))
