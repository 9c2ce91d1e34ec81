"""List the declarations that were added, removed or changed since a commit."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from codeindex.analysis.outline.declaration import ShortDeclaration
from codeindex.secrets import safe_path
from codeindex.store.catalog.files import parsed_file_id, stored_text
from codeindex.store.symbols.declarations import declarations_in
from codeindex.types import FileChange, PreparedFile
from codeindex.types.report import DataReport, Table, plural

MAX_COMPARED_FILES = 400
"""Most files whose declarations are compared; parsing the old versions of so many takes about ten
seconds."""
ModifiedPart = Literal["signature", "body"]


class _Version(NamedTuple):
    """A declaration in one of the two versions of a file that are compared.

    `own` are its lines without indent and without the lines of its members.
    """

    declaration: ShortDeclaration
    own: tuple[str, ...]

    @property
    def key(self) -> tuple[str, str]:
        """The (kind, name) by which declarations of the two versions are paired."""
        return self.declaration.kind, self.declaration.name


@dataclass(frozen=True, slots=True)
class ModifiedDeclaration(ShortDeclaration):
    """The new version of a declaration whose signature or body changed.

    `changed` is `body` if only the body changed; `before` is the old signature.
    """

    changed: ModifiedPart
    before: str


@dataclass(frozen=True, slots=True)
class FileDiff:
    """The changed declarations of one file.

    `renamed_from` is None unless the file was renamed. `compared` is false if a version could not
    be parsed or the file is beyond `MAX_COMPARED_FILES`.
    """

    file: str
    renamed_from: str | None
    compared: bool
    added: tuple[ShortDeclaration, ...] = ()
    removed: tuple[ShortDeclaration, ...] = ()
    modified: tuple[ModifiedDeclaration, ...] = ()


@dataclass(frozen=True, slots=True)
class DiffSummary(DataReport):
    """The changed files of a diff, by status; `changes` is their number.

    `truncated` is true if the declarations of some files were not compared, because there are more
    than `MAX_COMPARED_FILES`.
    """

    since_ref: str
    commit: str
    changes: int
    truncated: bool
    files_added: tuple[FileDiff, ...]
    files_removed: tuple[FileDiff, ...]
    files_modified: tuple[FileDiff, ...]

    @property
    def paths(self) -> set[str]:
        return {file.file for file in (*self.files_added, *self.files_modified)}

    def columns(self) -> Table:
        rows = [
            (mark, file.file, kind, name, signature)
            for file in (*self.files_added, *self.files_removed, *self.files_modified)
            for mark, kind, name, signature in _change_rows(file)
        ]
        return ("change", "file", "kind", "name", "signature"), rows

    def text(self) -> Iterator[str]:
        yield f"{plural(self.changes, 'file')} changed since {self.since_ref} ({self.commit[:10]})"
        for mark, files in (
            ("+", self.files_added),
            ("-", self.files_removed),
            ("~", self.files_modified),
        ):
            for file in files:
                yield f"{mark} {file.file}{_remark(file)}"
                for change, kind, name, signature in _change_rows(file):
                    yield f"    {change} {kind} {name}  {signature}".rstrip()
        if self.truncated:
            yield f"Only the declarations of the first {MAX_COMPARED_FILES} files were compared."


def _change_rows(file: FileDiff) -> Iterator[tuple[str, str, str, str]]:
    for mark, declarations in (("+", file.added), ("-", file.removed)):
        for declaration in declarations:
            yield mark, declaration.kind, declaration.name, declaration.signature
    for changed in file.modified:
        text = "" if changed.changed == "body" else f"{changed.signature}  (was {changed.before})"
        yield "~", changed.kind, changed.name, text


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
    """Compare the declarations of changed files in an old commit with the indexed ones.

    `before` has the old versions by path.
    """
    by_status: dict[str, list[FileDiff]] = defaultdict(list)
    for number, change in enumerate(changes):
        old = before.get(change.before)
        diff = _file_diff(connection, change, old if number < MAX_COMPARED_FILES else None)
        by_status[change.status].append(diff)
    return DiffSummary(
        since_ref=since_ref,
        commit=commit,
        changes=len(changes),
        truncated=len(changes) > MAX_COMPARED_FILES,
        files_added=tuple(by_status["added"]),
        files_removed=tuple(by_status["removed"]),
        files_modified=tuple(by_status["modified"]),
    )


def _file_diff(
    connection: sqlite3.Connection, change: FileChange, before: PreparedFile | None
) -> FileDiff:
    file_id = parsed_file_id(connection, change.path)
    is_gone = change.status == "removed"
    shown = safe_path(change.path)
    renamed = safe_path(change.before) if change.before not in {"", change.path} else None
    comparable = (is_gone or file_id) and (change.status == "added" or before is not None)
    if not comparable:
        return FileDiff(shown, renamed, compared=False)
    old = _read_prepared(before) if before else []
    new = _read_indexed(connection, file_id, change.path) if file_id and not is_gone else []
    added, removed, modified = _pair_declarations(old, new)
    return FileDiff(shown, renamed, True, added, removed, modified)


def _read_prepared(file: PreparedFile) -> list[_Version]:
    lines: dict[int, str] = {}
    for prepared_chunk in file.chunks:
        lines.update(
            enumerate(prepared_chunk.chunk.text.split("\n"), prepared_chunk.chunk.start_line)
        )
    rows = [(s.qualified, str(s.kind), s.line, s.end_line, s.signature) for s in file.symbols]
    return _make_declarations(rows, lines)


def _read_indexed(connection: sqlite3.Connection, file_id: int, path: str) -> list[_Version]:
    lines = dict(enumerate(stored_text(connection, path).split("\n"), 1))
    rows = [
        (node.qualified, node.kind, node.line, node.end_line, node.signature)
        for node in declarations_in(connection, [file_id])
    ]
    return _make_declarations(rows, lines)


def _make_declarations(
    rows: Sequence[tuple[str, str, int, int, str]], lines: Mapping[int, str]
) -> list[_Version]:
    owner: dict[int, int] = {}  # innermost declaration around each line
    for number, (_, _, first, last, _) in enumerate(rows):
        owner.update(dict.fromkeys(range(first, last + 1), number))
    own_lines: dict[int, list[str]] = defaultdict(list)
    for line, number in sorted(owner.items()):
        if text := lines.get(line, "").strip():
            own_lines[number].append(text)
    return [
        _Version(ShortDeclaration(name, kind, first, signature), tuple(own_lines[number]))
        for number, (name, kind, first, _, signature) in enumerate(rows)
    ]


def _pair_declarations(
    old: Iterable[_Version], new: Iterable[_Version]
) -> tuple[
    tuple[ShortDeclaration, ...], tuple[ShortDeclaration, ...], tuple[ModifiedDeclaration, ...]
]:
    """Pair declarations by kind and name; return (added, removed, modified declarations).

    If several declarations share kind and name, identical ones are paired first.
    """
    before: dict[tuple[str, str], list[_Version]] = defaultdict(list)
    for version in old:
        before[version.key].append(version)
    left = []
    for version in new:
        same = before[version.key]
        twin = next((other for other in same if _similarity(version, other) == (True, True)), None)
        if twin:
            same.remove(twin)
        else:
            left.append(version)
    added, modified = [], []
    for version in left:
        now, same = version.declaration, before[version.key]
        if not same:
            added.append(now)
            continue
        twin = max(same, key=lambda two: _similarity(version, two))
        same.remove(twin)
        old_signature = twin.declaration.signature
        part: ModifiedPart = "body" if old_signature == now.signature else "signature"
        modified.append(
            ModifiedDeclaration(now.name, now.kind, now.line, now.signature, part, old_signature)
        )
    removed = [version.declaration for same in before.values() for version in same]
    return (
        tuple(added),
        tuple(sorted(removed, key=lambda declaration: declaration.line)),
        tuple(modified),
    )


def _similarity(version: _Version, other: _Version) -> tuple[bool, bool]:
    same_signature = version.declaration.signature == other.declaration.signature
    return same_signature, version.own == other.own
