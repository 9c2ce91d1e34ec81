"""Which declarations came, went or changed between a commit and the files as they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypedDict

from codeindex.store.catalog.files import stored_text
from codeindex.store.symbols.declarations import declarations_in
from codeindex.types import FileChange, PreparedFile

if TYPE_CHECKING:
    import sqlite3

MAX_COMPARED_FILES = 400
"""Files whose declarations are compared: reading so many as they were takes some ten seconds."""
ModifiedPart = Literal["signature", "body"]


class DiffedDeclarationDict(TypedDict):
    """What `DiffedDeclaration` is in JSON."""

    name: str
    kind: str
    line: int
    signature: str


class ModifiedDeclarationDict(DiffedDeclarationDict):
    """What `ModifiedDeclaration` is in JSON."""

    changed: ModifiedPart
    before: str


class FileDiffDict(TypedDict):
    """What `FileDiff` is in JSON."""

    file: str
    renamed_from: str | None
    compared: bool
    added: list[DiffedDeclarationDict]
    removed: list[DiffedDeclarationDict]
    modified: list[ModifiedDeclarationDict]


class DiffSummaryDict(TypedDict):
    """What `DiffSummary` is in JSON."""

    since_ref: str
    commit: str
    changes: int
    truncated: bool
    files_added: list[FileDiffDict]
    files_removed: list[FileDiffDict]
    files_modified: list[FileDiffDict]


@dataclass(frozen=True, slots=True)
class DiffedDeclaration:
    """A declaration, with the lines that are its own and not a member's."""

    name: str
    kind: str
    line: int
    signature: str
    own: tuple[str, ...]

    def as_dict(self) -> DiffedDeclarationDict:
        return {
            "name": self.name,
            "kind": self.kind,
            "line": self.line,
            "signature": self.signature,
        }


@dataclass(frozen=True, slots=True)
class ModifiedDeclaration:
    """A declaration that is still there, and what of it is new; `before` is its old signature."""

    now: DiffedDeclaration
    part: ModifiedPart
    before: str

    def as_dict(self) -> ModifiedDeclarationDict:
        return {**self.now.as_dict(), "changed": self.part, "before": self.before}


@dataclass(frozen=True, slots=True)
class FileDiff:
    """A file's declarations on both sides; not `compared` are those that have none we can read."""

    file: str
    renamed_from: str
    compared: bool
    added: tuple[DiffedDeclaration, ...] = ()
    removed: tuple[DiffedDeclaration, ...] = ()
    modified: tuple[ModifiedDeclaration, ...] = ()

    def as_dict(self) -> FileDiffDict:
        return {
            "file": self.file,
            "renamed_from": self.renamed_from or None,
            "compared": self.compared,
            "added": [one.as_dict() for one in self.added],
            "removed": [one.as_dict() for one in self.removed],
            "modified": [one.as_dict() for one in self.modified],
        }


@dataclass(frozen=True, slots=True)
class DiffSummary:
    """Files by what became of them; `changes` counts files."""

    since_ref: str
    commit: str
    files_added: tuple[FileDiff, ...]
    files_removed: tuple[FileDiff, ...]
    files_modified: tuple[FileDiff, ...]
    truncated: bool

    @property
    def changes(self) -> int:
        return len(self.files_added) + len(self.files_removed) + len(self.files_modified)

    @property
    def paths(self) -> set[str]:
        return {one.file for one in (*self.files_added, *self.files_modified)}

    def as_dict(self) -> DiffSummaryDict:
        return {
            "since_ref": self.since_ref,
            "commit": self.commit,
            "changes": self.changes,
            "truncated": self.truncated,
            "files_added": [one.as_dict() for one in self.files_added],
            "files_removed": [one.as_dict() for one in self.files_removed],
            "files_modified": [one.as_dict() for one in self.files_modified],
        }

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [
            (mark, file.file, kind, name, signature)
            for file in (*self.files_added, *self.files_removed, *self.files_modified)
            for mark, kind, name, signature in _marked(file)
        ]
        return ("change", "file", "kind", "name", "signature"), rows

    def text(self) -> Iterator[str]:
        yield f"{self.changes} files changed since {self.since_ref} ({self.commit[:10]})"
        for mark, files in (
            ("+", self.files_added),
            ("-", self.files_removed),
            ("~", self.files_modified),
        ):
            for file in files:
                yield f"{mark} {file.file}{_remark(file)}"
                for change, kind, name, signature in _marked(file):
                    yield f"    {change} {kind} {name}  {signature}".rstrip()
        if self.truncated:
            yield f"Only the declarations of the first {MAX_COMPARED_FILES} files were compared."


def _marked(file: FileDiff) -> Iterator[tuple[str, str, str, str]]:
    for mark, found in (("+", file.added), ("-", file.removed)):
        for one in found:
            yield mark, one.kind, one.name, one.signature
    for changed in file.modified:
        said = "" if changed.part == "body" else f"{changed.now.signature}  (was {changed.before})"
        yield "~", changed.now.kind, changed.now.name, said


def _remark(file: FileDiff) -> str:
    renamed = f" (was {file.renamed_from})" if file.renamed_from else ""
    return renamed if file.compared else f"{renamed} (no declarations to compare)"


def summarize_diff(
    connection: sqlite3.Connection,
    changes: Sequence[FileChange],
    before: Mapping[str, PreparedFile],
    *,
    since_ref: str,
    commit: str,
) -> DiffSummary:
    """Compare what files declared in a commit with what the index has of them now."""
    by_status: dict[str, list[FileDiff]] = defaultdict(list)
    for number, one in enumerate(changes):
        old = before.get(one.before)
        diff = _file_diff(connection, one, old if number < MAX_COMPARED_FILES else None)
        by_status[one.status].append(diff)
    return DiffSummary(
        since_ref=since_ref,
        commit=commit,
        files_added=tuple(by_status["added"]),
        files_removed=tuple(by_status["removed"]),
        files_modified=tuple(by_status["modified"]),
        truncated=len(changes) > MAX_COMPARED_FILES,
    )


def _file_diff(
    connection: sqlite3.Connection, change: FileChange, before: PreparedFile | None
) -> FileDiff:
    row = connection.execute(
        "SELECT id FROM files WHERE path = ? AND status = 'indexed'", (change.path,)
    ).fetchone()
    is_gone = change.status == "removed"
    renamed = change.before if change.before not in {"", change.path} else ""
    comparable = (is_gone or row) and (change.status == "added" or before is not None)
    if not comparable:
        return FileDiff(change.path, renamed, compared=False)
    old = _declared_before(before) if before else []
    new = _declared_now(connection, row[0], change.path) if row and not is_gone else []
    added, removed, modified = _compared(old, new)
    return FileDiff(change.path, renamed, True, added, removed, modified)


def _declared_before(file: PreparedFile) -> list[DiffedDeclaration]:
    lines: dict[int, str] = {}
    for one in file.chunks:
        lines.update(enumerate(one.chunk.text.split("\n"), one.chunk.start_line))
    rows = [(s.qualified, str(s.kind), s.line, s.end_line, s.signature) for s in file.symbols]
    return _declared(rows, lines)


def _declared_now(
    connection: sqlite3.Connection, file_id: int, path: str
) -> list[DiffedDeclaration]:
    lines = dict(enumerate(stored_text(connection, path).split("\n"), 1))
    rows = [
        (one.qualified, one.kind, one.line, one.end_line, one.signature)
        for one in declarations_in(connection, [file_id])
    ]
    return _declared(rows, lines)


def _declared(
    rows: Sequence[tuple[str, str, int, int, str]], lines: Mapping[int, str]
) -> list[DiffedDeclaration]:
    owner: dict[int, int] = {}  # the innermost declaration of each line
    for number, (_, _, first, last, _) in enumerate(rows):
        owner.update(dict.fromkeys(range(first, last + 1), number))
    own: dict[int, list[str]] = defaultdict(list)
    for line, number in sorted(owner.items()):
        if text := lines.get(line, "").strip():
            own[number].append(text)
    return [
        DiffedDeclaration(name, kind, first, signature, tuple(own[number]))
        for number, (name, kind, first, _, signature) in enumerate(rows)
    ]


def _compared(
    old: Iterable[DiffedDeclaration], new: Iterable[DiffedDeclaration]
) -> tuple[
    tuple[DiffedDeclaration, ...], tuple[DiffedDeclaration, ...], tuple[ModifiedDeclaration, ...]
]:
    """Pair declarations by kind and name; of several that share it, those that are the same."""
    before: dict[tuple[str, str], list[DiffedDeclaration]] = defaultdict(list)
    for one in old:
        before[one.kind, one.name].append(one)
    left = []
    for one in new:
        same = before[one.kind, one.name]
        twin = next((two for two in same if _likeness(one, two) == (True, True)), None)
        if twin:
            same.remove(twin)
        else:
            left.append(one)
    added, modified = [], []
    for one in left:
        same = before[one.kind, one.name]
        if not same:
            added.append(one)
            continue
        twin = max(same, key=lambda two: _likeness(one, two))
        same.remove(twin)
        part: ModifiedPart = "body" if twin.signature == one.signature else "signature"
        modified.append(ModifiedDeclaration(one, part, twin.signature))
    removed = [one for same in before.values() for one in same]
    return tuple(added), tuple(sorted(removed, key=lambda one: one.line)), tuple(modified)


def _likeness(one: DiffedDeclaration, other: DiffedDeclaration) -> tuple[bool, bool]:
    return one.signature == other.signature, one.own == other.own
