"""Edges between small sources, resolved in memory."""

from __future__ import annotations

from functools import partial

from codeindex.graph.packages import declared_package, package_members
from codeindex.graph.resolve import (
    EdgeTarget,
    FileDeclarations,
    RepositoryView,
    index_declarations,
    resolve_references,
)
from codeindex.ingest.parse.parser import ParseResult, parse_text
from codeindex.languages import LANGUAGES, Language, language_for_path
from codeindex.languages.source_tree import ModuleLocation, PackageIndex, SourceTree
from codeindex.types import Definition, SafeText

Edge = tuple[str, str, str]
"""`("app.py:7", "calls", "shop/cart.py::Cart.add")`; an ambiguous target is `?name`, one outside
of the repository `outside.name`."""


def edges(sources: dict[str, str]) -> set[Edge]:
    """Return what each line refers to, and how."""
    files = {
        path: parse_text(_language(path), SafeText(text), path) for path, text in sources.items()
    }
    view = view_of(sources, files)
    return {
        (f"{path}:{line}", str(target.kind), _shown(target))
        for path, file in files.items()
        for (_, target), lines in resolve_references(view, path, file.relations)[0].items()
        for line in lines
    }


def calls(sources: dict[str, str], path: str) -> set[tuple[int, str]]:
    """Return the line and the target of each call in a file."""
    return {
        (int(at.rpartition(":")[2]), target)
        for at, kind, target in edges(sources)
        if kind == "calls" and at.startswith(f"{path}:")
    }


def lines_called(sources: dict[str, str], path: str) -> set[tuple[int, tuple[str, int]]]:
    """Return the lines of calls in a file, with how surely they call what is defined in a line."""
    meant = lines_meant(sources, path)
    return {(line, (how, at)) for line, kind, how, at in meant if kind == "calls"}


def lines_meant(sources: dict[str, str], path: str) -> set[tuple[int, str, str, int]]:
    """Return the line, kind and certainty of each use in a file, and the line of what it means."""
    files = {
        path: parse_text(_language(path), SafeText(text), path) for path, text in sources.items()
    }
    references = resolve_references(view_of(sources, files), path, files[path].relations)[0]
    return {
        (line, str(target.kind), target.certainty, at)
        for (_, target), lines in references.items()
        if target.symbol
        for at in [files[target.file].symbols[target.symbol - 1].line]
        for line in lines
    }


def dependencies(sources: dict[str, str], path: str, *, after: str = "") -> set[str]:
    """Return the files on which the edges of a file depend, if `after` is resolved before it."""
    files = {
        path: parse_text(_language(path), SafeText(text), path) for path, text in sources.items()
    }
    view = view_of(sources, files)
    if after:
        resolve_references(view, after, files[after].relations)
    return {*resolve_references(view, path, files[path].relations)[1].consulted}


def _language(path: str) -> Language:
    return language_for_path(path) or LANGUAGES["text"]


def view_of(sources: dict[str, str], files: dict[str, ParseResult]) -> RepositoryView:
    tree = SourceTree(
        sources,
        lambda path: sources[path],
        PackageIndex(partial(_shown_in, files), partial(_having, files)),
    )
    declared: dict[str, FileDeclarations] = {}
    for path, file in files.items():
        symbols = [
            Definition(path, number, symbol.qualified, symbol.kind, symbol.signature)
            for number, symbol in enumerate(file.symbols, start=1)
        ]
        declared[path] = index_declarations(path, _language(path).name, symbols, file.relations)

    def locate(path: str, module: str) -> ModuleLocation | None:
        find = _language(path).locate
        return find(tree, path, module) if find else None

    def beside(path: str) -> tuple[str, ...]:
        find = _language(path).visible_files
        return tuple(find(tree, path)) if find else ()

    return RepositoryView(declared.get, locate, beside, {}, {})


def _shown_in(files: dict[str, ParseResult], package: str) -> dict[str, list[str]]:
    paths: dict[str, list[str]] = {}
    for path, file in sorted(files.items()):
        if declared_package(file.relations.imports) == package:
            for name in package_members(_language(path), file.symbols, file.relations):
                paths.setdefault(name, []).append(path)
    return paths


def _having(files: dict[str, ParseResult], name: str) -> list[str]:
    packages = {declared_package(file.relations.imports) for file in files.values()}
    return sorted(package for package in packages if name in _shown_in(files, package))


def _shown(target: EdgeTarget) -> str:
    if target.certainty == "ambiguous" and not target.file:
        return f"?{target.name}"
    mark = "?" if target.certainty == "ambiguous" else ""
    name = f"::{target.name}" if target.symbol else ""
    return f"{mark}{target.file}{name}" if target.file else target.name
