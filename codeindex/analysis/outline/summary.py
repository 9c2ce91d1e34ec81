"""Summarize files: imports, outermost declarations, tests."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from codeindex.analysis.file_selection import select_file, select_files_by_glob
from codeindex.analysis.outline.declaration import Declaration, ShortDeclaration, describe_nodes
from codeindex.analysis.relations.imports import list_file_imports
from codeindex.analysis.relations.related_tests import find_tests_of_file
from codeindex.errors import QueryError
from codeindex.store.catalog.files import FileRecord
from codeindex.store.symbols.declarations import declarations_in
from codeindex.text.short_names import shorten_name
from codeindex.text.truncate import name_some
from codeindex.types import CALLABLE_KINDS, CONTAINER_KINDS, NAMESPACE_KINDS, SymbolKind
from codeindex.types.report import DataReport, Table, make_table, plural

MAX_SUMMARIES = 30
_MOST_NAMED, _FEWEST_NAMED = 8, 2
"""Most functions of a type, and most declarations of a kind, that a summary of several files
names; the fewer, the more files there are."""
_MOST_TESTS = 60
"""Most functions of a type that the summary of a test file names: its tests. Of the 544 test files
in C# of Sonarr, 543 have no more."""
_NAMES_OF_FILES = 60
"""Names of a kind that the summaries of several files share."""


@dataclass(frozen=True, slots=True)
class FileSummary(DataReport):
    """The summary of a file, with its outermost declarations.

    `kinds` counts all declarations by kind; `public` counts the public ones among them.
    """

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
    main: tuple[ShortDeclaration, ...]
    """The top-level declarations of the file, and those in a top-level namespace instead of it."""
    functions: Mapping[str, tuple[str, ...]]
    """For each declaration in `main`, the names of the functions inside it, public ones first."""

    def columns(self) -> Table:
        header = ("line", "kind", "name", "signature")
        return make_table(self.declarations, header)

    def main_lines(self, most: int = _MOST_NAMED) -> Iterator[str]:
        """Yield the lines of a short summary as text, with at most `most` names in each.

        The first line has the path and the number of lines of the file. Then each type has a line
        with some of its functions, and each other kind of declaration a line with some of its
        names.
        """
        yield f"{self.file}: {plural(self.lines, 'line')}"
        others: dict[str, list[str]] = {}
        for each, members in self._main_with_functions():
            name = shorten_name(each.name, self.file)
            if each.kind in CONTAINER_KINDS:
                functions = name_some(members, most)
                yield f"  {each.line}: {each.kind} {name}{': ' if functions else ''}{functions}"
            else:
                others.setdefault(each.kind, []).append(f"{name}:{each.line}")
        yield from (f"  {kind} {name_some(names, most)}" for kind, names in others.items())

    def text(self) -> Iterator[str]:
        notes = [
            name for name, on in (("test", self.is_test), ("generated", self.is_generated)) if on
        ]
        facts = ", ".join([self.language, plural(self.lines, "line"), *notes])
        yield f"{self.file}: {facts}"
        counts = ", ".join(f"{count} {kind}" for kind, count in self.kinds.items())
        yield f"  {counts or 'no declarations'}; {self.public} public"
        if self.imports:
            yield "  imports"
            yield from (f"    {statement}" for statement in self.imports)
        for each, members in self._main_with_functions():
            yield f"  {each.in_short()}"
            if members:
                most = _MOST_TESTS if self.is_test else _MOST_NAMED
                yield f"    {name_some(members, most)}"
        if not self.is_test:
            yield f"  tests: {', '.join(self.tests) or 'none found'}"

    def _main_with_functions(self) -> Iterator[tuple[ShortDeclaration, Sequence[str]]]:
        """Yield the declarations in `main`, each with the names of its functions.

        Of several declarations with one name, as a struct and its `impl` blocks, the first has all
        functions.
        """
        functions = dict(self.functions)
        for each in self.main:
            yield each, functions.pop(each.name, ())


@dataclass(frozen=True, slots=True)
class FileSummaries(DataReport):
    """Summaries of files; `total` counts requested files, `left_out` names those over the limit."""

    files: tuple[FileSummary, ...]
    total: int
    truncated: bool
    left_out: tuple[str, ...]

    def columns(self) -> Table:
        rows = [
            (
                summary.file,
                summary.language,
                str(summary.lines),
                str(sum(summary.kinds.values())),
                str(summary.public),
            )
            for summary in self.files
        ]
        return ("file", "language", "lines", "declarations", "public"), rows

    def text(self) -> Iterator[str]:
        most = max(_FEWEST_NAMED, min(_MOST_NAMED, _NAMES_OF_FILES // max(1, len(self.files))))
        for summary in self.files:
            yield from summary.main_lines(most)
        if self.left_out:
            yield f"{plural(len(self.left_out), 'more file')}: {', '.join(self.left_out)}"


def _functions_by_owner(
    outermost: Sequence[Declaration], declarations: Sequence[Declaration]
) -> dict[str, tuple[str, ...]]:
    """Return {outermost declaration: names of the functions inside it, public ones first}."""
    found: dict[str, tuple[str, ...]] = {}
    for owner in outermost:
        start = f"{owner.name}."
        inner = [
            each
            for each in declarations
            if each.kind in CALLABLE_KINDS and each.name.startswith(start)
        ]
        names = (each.name.removeprefix(start) for each in sorted(inner, key=_is_hidden))
        if inner:
            found[owner.name] = tuple(dict.fromkeys(names))
    return found


def _namespaces(declarations: Sequence[Declaration]) -> set[str]:
    """Return the names of namespaces and modules that contain types but no functions."""
    parents = {
        kinds: {each.name.rpartition(".")[0] for each in declarations if each.kind in kinds}
        for kinds in (CALLABLE_KINDS, CONTAINER_KINDS)
    }
    return {
        each.name
        for each in declarations
        if each.kind in NAMESPACE_KINDS
        and each.name in parents[CONTAINER_KINDS] - parents[CALLABLE_KINDS]
    }


def _is_hidden(declaration: Declaration) -> bool:
    return not declaration.public


def summarize_path(connection: sqlite3.Connection, path: str) -> FileSummary:
    """Summarize a file; raise QueryError if it is not indexed."""
    return summarize_file(connection, select_file(connection, path))


def summarize_paths(
    connection: sqlite3.Connection, paths: Sequence[str], *, glob: str = ""
) -> FileSummaries:
    """Summarize up to 30 files, given as paths or as a gitignore pattern."""
    if bool(paths) == bool(glob):
        raise QueryError("Name files or a `glob`: one of the two.")
    named = [select_file(connection, path) for path in dict.fromkeys(paths)]
    files = named or select_files_by_glob(connection, glob)
    return FileSummaries(
        files=tuple(summarize_file(connection, file) for file in files[:MAX_SUMMARIES]),
        total=len(files),
        truncated=len(files) > MAX_SUMMARIES,
        left_out=tuple(file.path for file in files[MAX_SUMMARIES:]),
    )


def summarize_file(connection: sqlite3.Connection, file: FileRecord) -> FileSummary:
    all_ = describe_nodes(connection, declarations_in(connection, [file.id]))
    spaces = _namespaces(all_)
    owners = {declaration.name for declaration in all_}
    main = [
        each
        for each in all_
        if each.name not in spaces and (each.name.rpartition(".")[0] not in owners - spaces)
    ]
    outermost = [each for each in all_ if each.name.rpartition(".")[0] not in owners]
    return FileSummary(
        file=file.path,
        language=file.language,
        module=file.module,
        lines=file.lines,
        size=file.size,
        status=file.status,
        is_test=bool(file.is_test),
        is_generated=bool(file.is_generated),
        imports=tuple(
            dict.fromkeys(each.text for each in list_file_imports(connection, file).imports)
        ),
        declarations=tuple(declaration.brief() for declaration in outermost),
        main=tuple(declaration.brief() for declaration in main),
        functions=_functions_by_owner(main, all_),
        kinds=dict(Counter(declaration.kind for declaration in all_).most_common()),
        public=sum(declaration.public for declaration in all_),
        has_tests=bool(file.is_test)
        or any(declaration.kind == SymbolKind.TEST for declaration in all_),
        tests=tuple(find_tests_of_file(connection, file)),
    )
