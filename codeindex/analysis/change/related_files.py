"""Rank the files that are related to a file or symbol, and say why."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

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
from codeindex.types.report import DataReport, Table, plural

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
        yield f"{self.subject}: {len(self.items)} of {plural(self.total, 'related file')}"
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
        items=tuple(islice(items, limit)),
        total=len(items),
        notes=(text,) if text else (),
    )


class RankedFiles:
    """Related files, highest score first; the reasons of a file are built when it is reached.

    The score is the sum of the file's signals, each multiplied by its weight. `tests` are the paths
    of test files, `tested` the files of the focus that are not tests. Unless `tested` is empty, a
    test file that imports, uses or is named like the focus gets the reason `tests` instead.
    """

    def __init__(self, signals: Signals, tests: Collection[str], tested: Collection[str]) -> None:
        self._signals, self._tests, self._tested = signals, tests, tested
        scores = ((round(relatedness(each), 3), path) for path, each in signals.items())
        self._ranked = sorted(scores, key=lambda scored: (-scored[0], scored[1]))

    def __len__(self) -> int:
        return len(self._ranked)

    def __iter__(self) -> Iterator[RelatedFile]:
        for score, path in self._ranked:
            is_test = path in self._tests
            reasons = _make_reasons(self._signals[path], is_test=is_test and bool(self._tested))
            yield RelatedFile(file=path, score=score, is_test=is_test, reasons=reasons)


def rank_related_files(connection: sqlite3.Connection, focus: Focus) -> RankedFiles:
    """Return all files that are related to a focus, highest score first."""
    tests = {file.path for file in test_file_records(connection)}
    return RankedFiles(collect_signals(connection, focus), tests, focus.paths - tests)


def related_file_row(item: RelatedFile) -> tuple[str, ...]:
    """Return the table cells of a related file: path, score, `test` or `-`, and reasons."""
    kinds = ",".join(f"{reason.kind}:{reason.weight:.2f}" for reason in item.reasons)
    return item.file, f"{item.score:.2f}", "test" if item.is_test else "-", kinds


def _make_reasons(signals: Mapping[str, Signal], *, is_test: bool) -> tuple[RelationReason, ...]:
    result = []
    for name, signal in signals.items():
        symbols = tuple(name for name, _ in signal.symbols.most_common() if name)[:_MAX_LISTED]
        commits = plural(signal.times, "common commit")
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
