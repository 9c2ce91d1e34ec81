"""Measure how accurate our edges are, with the references in a compiler's index as the truth."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from codeindex.errors import QueryError
from codeindex.graph.file_resolution import CatalogReader
from codeindex.graph.resolve import EdgeTarget, resolve_references
from codeindex.graph.scip.collect import IndexLocation, collect_references
from codeindex.graph.scip.overlay import means_same
from codeindex.store.graph.compiler_files import CompilerFile, definitions_by_id
from codeindex.types import CompilerReference, Definition
from codeindex.types.report import DataReport, Table, make_table, plural

_Key = tuple[int, str]
"""A line number and a name in that line."""
_DISAGREEING = frozenset({"wrong", "missed", "outside"})
"""The outcomes of a name that are listed."""


@dataclass(frozen=True, slots=True)
class LanguageAgreement:
    """How well our edges for one language agree with a compiler's references."""

    language: str
    files: int
    names: int
    """Number of uses that the compiler resolved to a definition in the repository."""
    certain_recall: float
    """Share of these uses for which we have a certain edge to that definition."""
    recall_with_sets: float
    """Share of these uses for which we have a certain or ambiguous edge to that definition."""
    recall_with_possible: float
    """As `recall_with_sets`, but uses with a possible edge by name count too."""
    certain: int
    """Number of our certain edges for names that the compiler finds defined in the repository."""
    certain_precision: float
    """Share of the certain edges that are right."""
    outside: int
    """Number of our certain edges for names that the compiler finds defined outside; many of these
    are errors of its indexer."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A use of a name for which our graph and a compiler disagree.

    Our graph has no target, or another one. `outcome` is `wrong`, `missed`, or `outside` if the
    compiler's definition is not in the repository.
    """

    file: str
    line: int
    name: str
    outcome: str
    ours: str
    compiler: str


@dataclass(frozen=True, slots=True)
class CompilerComparison(DataReport):
    """How well our graph agrees with a compiler's index, by language.

    `documents` counts the index's documents for indexed files. `matching` counts those that
    describe the file in its present state; only these are compared.
    """

    index: str
    documents: int
    matching: int
    languages: tuple[LanguageAgreement, ...]
    disagreements: tuple[Disagreement, ...] = ()

    def columns(self) -> Table:
        return make_table(self.languages, LanguageAgreement.__slots__)

    def text(self) -> Iterator[str]:
        stale = self.documents - self.matching
        yield (
            f"{self.index}: {plural(self.matching, 'file')} compared"
            + (f", {stale:,} changed since the index was written" if stale else "")
        )
        for each in self.languages:
            yield (
                f"{each.language}: {plural(each.names, 'name')} in {plural(each.files, 'file')};"
                f" recall {each.certain_recall:.3f} certain, {each.recall_with_sets:.3f} with sets,"
                f" {each.recall_with_possible:.3f} with possible; precision"
                f" {each.certain_precision:.3f} of {each.certain:,} certain"
                + (f"; {each.outside:,} more are outside for the compiler" if each.outside else "")
            )
        for item in self.disagreements:
            yield (
                f"{item.file}:{item.line}: {item.name} {item.outcome}:"
                f" ours {item.ours or 'none'}, the compiler's {item.compiler or 'outside'}"
            )


def compare_with_compiler(
    connection: sqlite3.Connection, root: Path, location: IndexLocation, *, show: int
) -> CompilerComparison:
    """Compare our own edges with a compiler's index, for the files that the index describes.

    Our edges are resolved without that index. Up to `show` disagreements of each outcome are
    listed. Raise QueryError if the index cannot be used.
    """
    indexes = collect_references(connection, root, [location])
    if indexes.problems or not indexes.matching:
        described = (
            f"{indexes.documents:,} files of this repository, all of which have changed since"
            if indexes.documents
            else "no file of this repository"
        )
        reason = "".join(indexes.problems) or (
            f"'{location.path}' describes {described}: create the index again"
        )
        raise QueryError(f"{reason}.")
    reader = CatalogReader(connection)
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    disagreements: defaultdict[str, list[Disagreement]] = defaultdict(list)
    for row in sorted(indexes.files.values(), key=lambda row: row.file.path):
        counted = counts[row.file.language]
        counted["files"] += bool(row.references)
        for outcome, disagreement in _outcomes(connection, reader, row):
            counted[outcome] += 1
            if disagreement:
                disagreements[outcome].append(disagreement)
    return CompilerComparison(
        location.path,
        indexes.documents,
        indexes.matching,
        tuple(_agreement(name, counts[name]) for name in sorted(counts) if counts[name]["names"]),
        tuple(
            item
            for found in disagreements.values()
            for item in found[:: max(1, len(found) // max(1, show))][:show]
        ),
    )


def _outcomes(
    connection: sqlite3.Connection, reader: CatalogReader, row: CompilerFile
) -> Iterator[tuple[str, Disagreement | None]]:
    """Yield (outcome, disagreement) for each name in a file, except in import statements.

    The outcome tells whether our target agrees with the compiler's; the disagreement is None if it
    does.
    """
    relations = reader.relations(row.file.path)
    references, _ = resolve_references(reader.view, row.file.path, relations)
    ours = _targets_by_name(references)
    imports = {line for each in relations.imports for line in (each.line, each.at)}
    keys = {key for each in row.references for ids in each.targets for key in ids}
    definitions = {key: found for key, (_, found) in definitions_by_id(connection, keys).items()}
    for each in row.references:
        if each.line not in imports:
            for outcome in _outcomes_of_name(each, ours, definitions):
                disagreement = None
                if outcome in _DISAGREEING:
                    disagreement = _disagreement(row, each, outcome, ours, definitions)
                yield outcome, disagreement


def _targets_by_name(
    references: Mapping[tuple[int, EdgeTarget], Iterable[int]],
) -> Mapping[_Key, list[EdgeTarget]]:
    found: defaultdict[_Key, list[EdgeTarget]] = defaultdict(list)
    for (_, target), lines in references.items():
        if target.kind != "imports":
            for line in lines:
                found[line, target.name.rpartition(".")[2]].append(target)
    return found


def _outcomes_of_name(
    reference: CompilerReference,
    ours: Mapping[_Key, list[EdgeTarget]],
    definitions: Mapping[int, Definition],
) -> Iterator[str]:
    known = [[definitions[key] for key in ids] for ids in reference.targets if ids]
    claims = _claims(reference, ours, definitions)
    for same in known:
        yield "names"
        right = [each for each in claims if any(means_same(each, item) for item in same)]
        if any(each.certainty == "resolved" for each in right):
            yield "certain recall"
        elif right:
            yield "in a set"
        elif any(not each.symbol and each.certainty == "ambiguous" for each in claims):
            yield "possible"
        else:
            yield "missed"
    if any(each.symbol and each.certainty == "resolved" for each in claims):
        if not all(reference.targets):
            yield "outside"
            return
        yield "certain"
        is_right = any(
            means_same(each, item)
            for each in claims
            if each.certainty == "resolved"
            for same in known
            for item in same
        )
        yield "right" if is_right else "wrong"


def _claims(
    reference: CompilerReference,
    ours: Mapping[_Key, list[EdgeTarget]],
    definitions: Mapping[int, Definition],
) -> list[EdgeTarget]:
    """Return the targets that our graph has for a name in its line.

    The name is looked up as it is in the code, and as the name of the compiler's definition.
    """
    defined = [definitions[key].qualified for ids in reference.targets for key in ids]
    names = {reference.text, *(name.rpartition(".")[2] for name in defined)}
    return [each for name in names for each in ours.get((reference.line, name), ())]


def _disagreement(
    row: CompilerFile,
    reference: CompilerReference,
    outcome: str,
    ours: Mapping[_Key, list[EdgeTarget]],
    definitions: Mapping[int, Definition],
) -> Disagreement:
    claims = _claims(reference, ours, definitions)
    stated = [definitions[key] for ids in reference.targets for key in ids]
    return Disagreement(
        row.file.path,
        reference.line,
        reference.text,
        outcome,
        ", ".join(f"{each.file}::{each.name}" for each in claims),
        ", ".join(f"{each.file}::{each.qualified}" for each in stated),
    )


def _agreement(language: str, counted: Counter[str]) -> LanguageAgreement:
    names = counted["names"]
    certain = counted["certain recall"]
    sets = certain + counted["in a set"]
    return LanguageAgreement(
        language=language,
        files=counted["files"],
        names=names,
        certain_recall=round(certain / names, 4),
        recall_with_sets=round(sets / names, 4),
        recall_with_possible=round((sets + counted["possible"]) / names, 4),
        certain=counted["certain"],
        certain_precision=round(counted["right"] / max(1, counted["certain"]), 4),
        outside=counted["outside"],
    )
