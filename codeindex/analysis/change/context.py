"""What else to read or change, given a file or a symbol: one item a file, with its reasons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from codeindex.analysis.change.focus import Focus, focus_on
from codeindex.analysis.change.neighbours import SIGNALS, Signal, Signals, neighbours
from codeindex.analysis.change.relatedness import WEIGHTS, closeness
from codeindex.analysis.subject import Meaning, meanings, said_of
from codeindex.store.catalog.commits import history_said

if TYPE_CHECKING:
    import sqlite3

DEFAULT, MOST = 20, 100
_NAMED = 5
"""Symbols and lines that a reason lists."""
_TESTS = {"imported_by", "used_by", "named_alike"}
"""What makes a test file a test of something."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a file is related; `lines` are where it uses this, or this uses it.

    `tests` in place of `imported_by`, `used_by` or `named_alike` is said of test files.
    """

    kind: str
    weight: float
    symbols: tuple[str, ...]
    lines: tuple[int, ...]
    detail: str


@dataclass(frozen=True, slots=True)
class Item:
    """A related file; `score` is the sum of its reasons' weights."""

    file: str
    score: float
    is_test: bool
    reasons: tuple[Reason, ...]

    def line(self) -> str:
        """Return the item in one line, for people."""
        return f"{self.file}  {self.score:.2f}  {'; '.join(one.detail for one in self.reasons)}"


@dataclass(frozen=True, slots=True)
class Context:
    """Related files, the closest first; `total` counts them whatever the limit has left."""

    subject: str
    definitions: tuple[Meaning, ...]
    items: tuple[Item, ...]
    total: int
    notes: tuple[str, ...]

    @property
    def paths(self) -> set[str]:
        return {one.file for one in self.definitions} | {one.file for one in self.items}

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        return ("file", "score", "test", "reasons"), [row(one) for one in self.items]

    def text(self) -> Iterator[str]:
        yield f"{self.subject}: {len(self.items)} of {self.total} related files"
        yield from said_of(self.definitions)
        yield from (one.line() for one in self.items)
        yield from (f"note: {one}" for one in self.notes)


def context(connection: sqlite3.Connection, subject: str, *, limit: int = DEFAULT) -> Context:
    """Return what is related to a file or symbol; QueryError if nothing is called so."""
    focus = focus_on(connection, subject)
    items = related(connection, focus)
    said = history_said(connection)
    return Context(
        subject=subject,
        definitions=meanings(focus.nodes),
        items=tuple(items[:limit]),
        total=len(items),
        notes=(said,) if said else (),
    )


def related(connection: sqlite3.Connection, focus: Focus) -> list[Item]:
    """Return an item for every neighbour, the closest first."""
    tests = {one for (one,) in connection.execute("SELECT path FROM files WHERE is_test")}
    return ranked(neighbours(connection, focus), tests, focus.paths - tests)


def ranked(signals: Signals, tests: set[str], tested: Iterable[str]) -> list[Item]:
    """Put neighbours in order; tests are such only of what is not a test itself."""
    are_tests = tests if tested else set()
    items = [
        Item(
            file=path,
            score=round(closeness(own), 3),
            is_test=path in tests,
            reasons=_reasons(own, is_test=path in are_tests),
        )
        for path, own in signals.items()
    ]
    return sorted(items, key=lambda one: (-one.score, one.file))


def row(item: Item) -> tuple[str, ...]:
    """Return an item's cells."""
    kinds = ",".join(f"{one.kind}:{one.weight:.2f}" for one in item.reasons)
    return item.file, f"{item.score:.2f}", "test" if item.is_test else "-", kinds


def _reasons(signals: Mapping[str, Signal], *, is_test: bool) -> tuple[Reason, ...]:
    found = []
    for name, signal in signals.items():
        symbols = tuple(one for one, _ in signal.symbols.most_common() if one)[:_NAMED]
        commits = f"{signal.times} common commit{'s' if signal.times > 1 else ''}"
        said = commits if signal.times else ", ".join(symbols)
        tests = "tests this: " if is_test and name in _TESTS else ""
        found.append(
            Reason(
                kind="tests" if tests else name,
                weight=round(WEIGHTS[name] * signal.strength, 3),
                symbols=symbols,
                lines=tuple(sorted(signal.lines))[:_NAMED],
                detail=f"{tests}{SIGNALS[name]}{f' ({said})' if said else ''}",
            )
        )
    return tuple(sorted(found, key=lambda one: (-one.weight, one.kind)))
