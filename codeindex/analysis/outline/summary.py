"""A file in short: what it is, imports and declares, and how it is tested."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from codeindex.analysis.file_selection import select_file, select_files_by_glob
from codeindex.analysis.outline.declaration import ShortDeclaration, describe_nodes
from codeindex.analysis.relations.imports import list_file_imports
from codeindex.analysis.relations.related_tests import find_tests_of_file
from codeindex.errors import QueryError
from codeindex.store.symbols.declarations import FileRow, declarations_in
from codeindex.types import SymbolKind

if TYPE_CHECKING:
    import sqlite3

MAX_SUMMARIES = 30


@dataclass(frozen=True, slots=True)
class FileSummary:
    """`declarations` are the outermost, `kinds` and `public` count all."""

    file: str
    language: str
    module: str
    lines: int
    size: int
    status: str
    is_test: bool
    is_generated: bool
    imports: tuple[str, ...]
    declarations: tuple[ShortDeclaration, ...]
    kinds: Mapping[str, int]
    public: int
    has_tests: bool
    tests: tuple[str, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        return (self.file,)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [(str(one.line), one.kind, one.name, one.signature) for one in self.declarations]
        return ("line", "kind", "name", "signature"), rows

    def text(self) -> Iterator[str]:
        notes = [
            name for name, on in (("test", self.is_test), ("generated", self.is_generated)) if on
        ]
        yield f"{self.file}: {', '.join([self.language, f'{self.lines} lines', *notes])}"
        counts = ", ".join(f"{count} {kind}" for kind, count in self.kinds.items())
        yield f"  {counts or 'no declarations'}; {self.public} public"
        if self.imports:
            yield "  imports"
            yield from (f"    {one}" for one in self.imports)
        yield from (f"  {one.in_short()}" for one in self.declarations)
        yield f"  tests: {', '.join(self.tests) or 'none found'}"


@dataclass(frozen=True, slots=True)
class FileSummaries:
    """`total` counts the files that were asked for, `left_out` names those beyond the cap."""

    files: tuple[FileSummary, ...]
    total: int
    truncated: bool
    left_out: tuple[str, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(one.file for one in self.files)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [
            (one.file, one.language, str(one.lines), str(sum(one.kinds.values())), str(one.public))
            for one in self.files
        ]
        return ("file", "language", "lines", "declarations", "public"), rows

    def text(self) -> Iterator[str]:
        for one in self.files:
            yield from one.text()
        if self.left_out:
            yield f"{len(self.left_out)} more files: {', '.join(self.left_out)}"


def summarize_path(connection: sqlite3.Connection, path: str) -> FileSummary:
    """Return a file in short; QueryError if it is not indexed."""
    return summarize_file(connection, select_file(connection, path))


def summarize_paths(
    connection: sqlite3.Connection, paths: Sequence[str], *, glob: str = ""
) -> FileSummaries:
    """Return up to 30 files in short, named or matched by a gitignore pattern."""
    if bool(paths) == bool(glob):
        raise QueryError("Name files or a `glob`: one of the two.")
    named = [select_file(connection, one) for one in dict.fromkeys(paths)]
    files = named or select_files_by_glob(connection, glob)
    return FileSummaries(
        files=tuple(summarize_file(connection, one) for one in files[:MAX_SUMMARIES]),
        total=len(files),
        truncated=len(files) > MAX_SUMMARIES,
        left_out=tuple(one.path for one in files[MAX_SUMMARIES:]),
    )


def summarize_file(connection: sqlite3.Connection, file: FileRow) -> FileSummary:
    """Return a file of the catalog in short."""
    all_ = describe_nodes(connection, declarations_in(connection, [file.id]))
    owners = {one.name for one in all_}
    return FileSummary(
        file=file.path,
        language=file.language,
        module=file.module,
        lines=file.lines,
        size=file.size,
        status=file.status,
        is_test=bool(file.is_test),
        is_generated=bool(file.is_generated),
        imports=tuple(one.text for one in list_file_imports(connection, file).imports),
        declarations=tuple(
            one.brief() for one in all_ if one.name.rpartition(".")[0] not in owners
        ),
        kinds=dict(Counter(one.kind for one in all_).most_common()),
        public=sum(one.public for one in all_),
        has_tests=bool(file.is_test) or any(one.kind == SymbolKind.TEST for one in all_),
        tests=tuple(find_tests_of_file(connection, file)),
    )
