"""Rank the files that are related to a file or symbol, and say why."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from codeindex.analysis.change.signals import (
    SIGNAL_LABELS,
    SIGNAL_WEIGHTS,
    Signal,
    Signals,
    collect_signals,
    relatedness,
)
from codeindex.analysis.focus import Focus, resolve_focus
from codeindex.analysis.subject import ResolvedName, describe_definitions, list_definitions
from codeindex.store.catalog.commits import history_caveat
from codeindex.store.catalog.files import test_file_records
from codeindex.types.report import DataReport, Table

DEFAULT_RELATED = 20
_MAX_LISTED = 5
"""Most symbols and most lines in a reason: as many as fit on a line."""
_TEST_SIGNALS = {"imported_by", "used_by", "named_alike"}
"""A test file with one of these signals counts as a test of the subject."""


@dataclass(frozen=True, slots=True)
class RelationReason:
    """One reason why a file is related to the focus.

    `kind` is the name of a signal; in test files, `tests` replaces `imported_by`, `used_by` and
    `named_alike`. `lines` are the lines of use, in the file that contains the use.
    """

    kind: str
    weight: float
    symbols: tuple[str, ...]
    lines: tuple[int, ...]
    detail: str


@dataclass(frozen=True, slots=True)
class RelatedFile:
    """A related file, with the reasons; `score` is the sum of their weights."""

    file: str
    score: float
    is_test: bool
    reasons: tuple[RelationReason, ...]

    def line(self) -> str:
        """Return the file as one line of printed text."""
        return (
            f"{self.file}  {self.score:.2f}  {'; '.join(reason.detail for reason in self.reasons)}"
        )


@dataclass(frozen=True, slots=True)
class RelatedFiles(DataReport):
    """Related files, highest score first; `total` counts them before the limit."""

    subject: str
    definitions: tuple[ResolvedName, ...]
    items: tuple[RelatedFile, ...]
    total: int
    notes: tuple[str, ...]

    def columns(self) -> Table:
        return ("file", "score", "test", "reasons"), [
            related_file_row(related) for related in self.items
        ]

    def text(self) -> Iterator[str]:
        yield f"{self.subject}: {len(self.items)} of {self.total} related files"
        yield from describe_definitions(self.definitions)
        yield from (related.line() for related in self.items)
        yield from (f"note: {note}" for note in self.notes)


def find_related_files(
    connection: sqlite3.Connection, subject: str, *, limit: int = DEFAULT_RELATED
) -> RelatedFiles:
    """Return the files related to a file or symbol; raise QueryError for an unknown name."""
    focus = resolve_focus(connection, subject)
    items = rank_related_files(connection, focus)
    text = history_caveat(connection)
    return RelatedFiles(
        subject=subject,
        definitions=list_definitions(focus.nodes),
        items=tuple(items[:limit]),
        total=len(items),
        notes=(text,) if text else (),
    )


def rank_related_files(connection: sqlite3.Connection, focus: Focus) -> list[RelatedFile]:
    """Return all files that are related to a focus, highest score first."""
    tests = {file.path for file in test_file_records(connection)}
    return score_related_files(collect_signals(connection, focus), tests, focus.paths - tests)


def score_related_files(
    signals: Signals, tests: set[str], tested: Iterable[str]
) -> list[RelatedFile]:
    """Return a `RelatedFile` for each path in `signals`, highest score first.

    The score is the sum of the file's signals, each multiplied by its weight. `tests` are the paths
    of test files, `tested` the files of the focus that are not tests. Unless `tested` is empty, a
    test file that imports, uses or is named like the focus gets the reason `tests` instead.
    """
    are_tests = tests if tested else set()
    items = [
        RelatedFile(
            file=path,
            score=round(relatedness(file_signals), 3),
            is_test=path in tests,
            reasons=_make_reasons(file_signals, is_test=path in are_tests),
        )
        for path, file_signals in signals.items()
    ]
    return sorted(items, key=lambda related: (-related.score, related.file))


def related_file_row(item: RelatedFile) -> tuple[str, ...]:
    """Return the table cells of a related file: path, score, `test` or `-`, and reasons."""
    kinds = ",".join(f"{reason.kind}:{reason.weight:.2f}" for reason in item.reasons)
    return item.file, f"{item.score:.2f}", "test" if item.is_test else "-", kinds


def _make_reasons(signals: Mapping[str, Signal], *, is_test: bool) -> tuple[RelationReason, ...]:
    result = []
    for name, signal in signals.items():
        symbols = tuple(name for name, _ in signal.symbols.most_common() if name)[:_MAX_LISTED]
        commits = f"{signal.times} common commit{'s' if signal.times > 1 else ''}"
        text = commits if signal.times else ", ".join(symbols)
        tests = "tests this: " if is_test and name in _TEST_SIGNALS else ""
        result.append(
            RelationReason(
                kind="tests" if tests else name,
                weight=round(SIGNAL_WEIGHTS[name] * signal.strength, 3),
                symbols=symbols,
                lines=tuple(sorted(signal.lines))[:_MAX_LISTED],
                detail=f"{tests}{SIGNAL_LABELS[name]}{f' ({text})' if text else ''}",
            )
        )
    return tuple(sorted(result, key=lambda reason: (-reason.weight, reason.kind)))
