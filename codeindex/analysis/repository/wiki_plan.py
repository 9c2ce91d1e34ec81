"""Propose wiki pages from the repository map, without a language model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from posixpath import basename

from codeindex.analysis.repository.repository_map import MapArea, RepositoryMap, is_auxiliary
from codeindex.store.graph.usage import SymbolUsage
from codeindex.types.report import plural

_MOST_AREAS, _MOST_ENTITIES, _MOST_PATTERNS = 16, 6, 4
_LEAST_USERS = 3
"""Least number of files that use a type with a page of its own; other types belong on the page of
their area."""
_TYPES = frozenset({"class", "struct", "interface", "trait", "enum", "type"})
_PER_PAGE = 6


@dataclass(frozen=True, slots=True)
class PageProposal:
    """A proposed wiki page; the id of the page is derived from `name`."""

    name: str
    title: str
    page_type: str
    reason: str
    source_files: tuple[str, ...]


def propose_pages(repository_map: RepositoryMap) -> Iterator[PageProposal]:
    """Yield the architecture page, then the pages for areas, types, patterns and tests."""
    starts = [at.partition(":")[0] for at, _ in repository_map.entries]
    central = [
        symbol.path for symbol in sorted(repository_map.central, key=lambda symbol: -symbol.users)
    ]
    yield PageProposal(
        "architecture",
        "Architecture",
        "architecture",
        "how the parts work together, and why they are separate",
        _select_code_files(repository_map, [*starts, *central]),
    )
    areas = [
        area for area in repository_map.areas if not is_auxiliary(f"{area.path}/")
    ] or repository_map.areas
    for area in sorted(areas, key=lambda area: (-area.files, area.path))[:_MOST_AREAS]:
        yield _propose_area_page(area, repository_map)
    for symbol in _entities(repository_map):
        yield PageProposal(
            f"type {symbol.name}",
            symbol.name,
            "entity",
            f"{plural(symbol.users, 'file uses', 'files use')} this {symbol.kind} of {symbol.path}",
            (symbol.path,),
        )
    for used in repository_map.patterns[:_MOST_PATTERNS]:
        yield PageProposal(
            f"how {used.name} {basename(used.place.removesuffix('/*'))}",
            f"How a {used.name} is written",
            "topic",
            f"{len(used.members)} files in {used.place} have the same structure",
            (used.canonical, *(m.file for m in used.members if m.file != used.canonical))[:2],
        )
    if repository_map.tests:
        folders = ", ".join(f"{folder or '.'}/" for folder, _ in repository_map.tests[:4])
        count = sum(count for _, count in repository_map.tests)
        yield PageProposal(
            "testing", "Testing", "topic", f"{plural(count, 'file')} of tests, in {folders}", ()
        )


def _propose_area_page(area: MapArea, repository_map: RepositoryMap) -> PageProposal:
    purpose = area.purpose.rstrip(".") or plural(area.files, "file")
    uses = (
        f"; uses {', '.join(use or repository_map.name for use in area.uses[:4])}"
        if area.uses
        else ""
    )
    title = area.path or repository_map.name
    name = f"mod {area.path or repository_map.name}"
    return PageProposal(name, title, "module", f"{purpose}{uses}", area.central[:_PER_PAGE])


def _entities(repository_map: RepositoryMap) -> list[SymbolUsage]:
    types = [
        symbol
        for symbol in repository_map.central
        if symbol.kind in _TYPES and symbol.users >= _LEAST_USERS
    ]
    return sorted(types, key=lambda symbol: (-symbol.users, symbol.path))[:_MOST_ENTITIES]


def _select_code_files(repository_map: RepositoryMap, paths: list[str]) -> tuple[str, ...]:
    """Return the first `_PER_PAGE` of these paths that are code files of the map."""
    code_paths = {path for area in repository_map.areas for path in area.central}
    return tuple(dict.fromkeys(path for path in paths if path in code_paths))[:_PER_PAGE]
