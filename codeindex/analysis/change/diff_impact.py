"""What else should change or be run, given a diff."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from codeindex.analysis.change.git_diff import DiffedFile, GitDiff
from codeindex.analysis.change.related_files import (
    RelatedFile,
    rank_related_files,
    related_file_row,
)
from codeindex.analysis.focus import Focus, make_focus
from codeindex.analysis.relations.impact import ReachedNode, find_dependants
from codeindex.analysis.relations.tests_to_run import TestFile, select_tests_to_run
from codeindex.store.catalog.commits import history_caveat
from codeindex.store.symbols.declarations import declarations_in
from codeindex.store.symbols.nodes import file_nodes
from codeindex.types import Certainty, Node

if TYPE_CHECKING:
    import sqlite3

DEFAULT_DIFF_ITEMS = 20
_NEAR = 3
"""Steps within which a test is thought to notice a change."""


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file of the diff, with the innermost symbols around its changed lines."""

    file: str
    status: str
    indexed: bool
    symbols: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChangedSymbolUse:
    """Who uses something that has changed, and has not itself."""

    file: str
    name: str
    line: int
    uses: str
    certainty: Certainty


@dataclass(frozen=True, slots=True)
class DiffImpact:
    """`users`, `tests` and `items` leave out the files of the diff, but for users within them."""

    ref: str
    changed: tuple[ChangedFile, ...]
    users: tuple[ChangedSymbolUse, ...]
    tests: tuple[TestFile, ...]
    items: tuple[RelatedFile, ...]
    total_users: int
    total_tests: int
    total_items: int
    notes: tuple[str, ...]

    @property
    def paths(self) -> set[str]:
        return {
            *(one.file for one in self.users),
            *(one.file for one in self.tests),
            *(one.file for one in self.items),
            *(one.file for one in self.changed if one.indexed),
        }

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        return ("what", "where", "how", "names"), [
            *(("changed", it.file, it.status, _joined(it.symbols)) for it in self.changed),
            *(("user", f"{it.file}:{it.line}", it.certainty, it.name or "-") for it in self.users),
            *(("run", it.file, it.certainty, _joined(it.names)) for it in self.tests),
            *(("related", *related_file_row(it)[:2], related_file_row(it)[3]) for it in self.items),
        ]

    def text(self) -> Iterator[str]:
        yield f"{len(self.changed)} files changed since {self.ref or 'the last commit'}"
        for one in self.changed:
            yield f"  {one.status} {one.file}  {', '.join(one.symbols)}".rstrip()
        yield f"{self.total_users} users of what changed"
        for user in self.users:
            doubt = "" if user.certainty == "resolved" else "  (possible)"
            yield f"  {user.file}:{user.line}: {user.name or '(top level)'} uses {user.uses}{doubt}"
        yield f"{self.total_tests} test files to run"
        yield from (f"  {one.file}" for one in self.tests)
        yield f"{self.total_items} related files, the closest:"
        yield from (f"  {one.line()}" for one in self.items)
        yield from (f"note: {one}" for one in self.notes)


def analyze_diff(
    connection: sqlite3.Connection, diff: GitDiff, *, limit: int = DEFAULT_DIFF_ITEMS
) -> DiffImpact:
    """Return who uses what a diff changes, which tests to run, and what changes with it mostly."""
    files = {one.path: one for one in file_nodes(connection, (it.file for it in diff.changes))}
    touched = {
        one.file: _touched(connection, files[one.file], one)
        for one in diff.changes
        if one.file in files
    }
    focus = make_focus(
        connection,
        [node for nodes in touched.values() for node in nodes],
        also=[one.file for one in diff.changes],
    )
    reached = find_dependants(connection, focus, depth=_NEAR)
    users = _users(focus, reached.values())
    tests = _tests(connection, focus, reached.values(), files)
    items = rank_related_files(connection, focus)
    return DiffImpact(
        ref=diff.ref,
        changed=tuple(_changed(one, touched.get(one.file)) for one in diff.changes),
        users=tuple(users[:limit]),
        tests=tuple(tests[:limit]),
        items=tuple(items[:limit]),
        total_users=len(users),
        total_tests=len(tests),
        total_items=len(items),
        notes=tuple(_notes(connection, diff)),
    )


def _joined(names: Iterable[str]) -> str:
    return ",".join(names) or "-"


def _touched(connection: sqlite3.Connection, file: Node, change: DiffedFile) -> list[Node]:
    """Return the symbols that changed; a file as a whole if it is new or has none at all."""
    symbols = declarations_in(connection, [file.file_id])
    if change.status == "added" or not symbols:
        return [file]
    around = [
        one
        for one in symbols
        if any(one.start_line <= last and one.end_line >= first for first, last in change.lines)
    ]
    owners = {one.qualified.rpartition(".")[0] for one in around}
    return [one for one in around if not any(_is_in(it, one.qualified) for it in owners)]


def _is_in(qualified: str, owner: str) -> bool:
    return f"{qualified}.".startswith(f"{owner}.")


def _changed(change: DiffedFile, touched: Sequence[Node] | None) -> ChangedFile:
    names = tuple(one.qualified for one in touched or () if one.id)
    return ChangedFile(change.file, change.status, touched is not None, names)


def _users(focus: Focus, reached: Iterable[ReachedNode]) -> list[ChangedSymbolUse]:
    names = {one.id: one.qualified for one in focus.nodes}
    found = [
        ChangedSymbolUse(
            file=one.node.path,
            name=one.node.qualified,
            line=one.link.lines[0],
            uses=one.link.name or names.get(one.origin[0], "a member of what changed"),
            certainty=one.certainty,
        )
        for one in reached
        if one.distance == 1 and one.link.kind != "imports"
    ]
    return sorted(found, key=lambda one: (one.certainty != "resolved", one.file, one.line))


def _tests(
    connection: sqlite3.Connection,
    focus: Focus,
    reached: Iterable[ReachedNode],
    files: Mapping[str, Node],
) -> list[TestFile]:
    """Return tests near what changed, those that have changed themselves before all others."""
    own = [TestFile(path, 0, "resolved", (), 0) for path, one in files.items() if one.is_test]
    near = select_tests_to_run(connection, focus, reached)
    return own + [one for one in near if one.file not in files]


def _notes(connection: sqlite3.Connection, diff: GitDiff) -> Iterator[str]:
    if not diff.changes:
        yield "Nothing differs."
    if not diff.of_work_tree:
        yield "Symbols are those of the work tree, at the lines that the newer commit changed."
    if any(one.status == "deleted" for one in diff.changes):
        yield "Of deleted files only the history is known: who used them shows when it fails."
    if said := history_caveat(connection):
        yield said
