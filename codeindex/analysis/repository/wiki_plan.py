"""Which pages of a wiki are worth writing, from what the code is made of: no model is asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from posixpath import basename

from codeindex.analysis.repository.repository_map import (
    MapArea,
    RepositoryMap,
    UsedSymbol,
    is_auxiliary,
)

_MOST_AREAS, _MOST_ENTITIES, _MOST_PATTERNS = 16, 6, 4
_LEAST_USERS = 3
"""Files; what fewer use is told of with its area."""
_TYPES = frozenset({"class", "struct", "interface", "trait", "enum", "type"})
_PER_PAGE = 6


@dataclass(frozen=True, slots=True)
class PageProposal:
    """A page that is worth writing; `name` is what its id is made of."""

    name: str
    title: str
    page_type: str
    reason: str
    source_files: tuple[str, ...]


def propose_pages(found: RepositoryMap) -> Iterator[PageProposal]:
    """Yield the whole first, then areas, what they are built on, and what is built alike."""
    starts = [at.partition(":")[0] for at, _ in found.entries]
    central = [one.path for one in sorted(found.central, key=lambda one: -one.users)]
    yield PageProposal(
        "architecture",
        "Architecture",
        "architecture",
        "how the parts work together, and why they are parted so",
        _files(found, [*starts, *central]),
    )
    areas = [one for one in found.areas if not is_auxiliary(f"{one.path}/")] or found.areas
    for area in sorted(areas, key=lambda one: (-one.files, one.path))[:_MOST_AREAS]:
        yield _of_area(area, found)
    for thing in _entities(found):
        yield PageProposal(
            f"type {thing.name}",
            thing.name,
            "entity",
            f"{thing.users} files use this {thing.kind} of {thing.path}",
            (thing.path,),
        )
    for one in found.patterns[:_MOST_PATTERNS]:
        yield PageProposal(
            f"how {one.name} {basename(one.place.removesuffix('/*'))}",
            f"How a {one.name} is written",
            "topic",
            f"{len(one.members)} files in {one.place} are built alike",
            (one.canonical, *(m.file for m in one.members if m.file != one.canonical))[:2],
        )
    if found.tests:
        folders = ", ".join(f"{folder or '.'}/" for folder, _ in found.tests[:4])
        count = sum(count for _, count in found.tests)
        yield PageProposal(
            "testing", "Testing", "topic", f"{count} files of tests, in {folders}", ()
        )


def _of_area(area: MapArea, found: RepositoryMap) -> PageProposal:
    purpose = area.purpose.rstrip(".") or f"{area.files} files"
    uses = f"; uses {', '.join(one or found.name for one in area.uses[:4])}" if area.uses else ""
    title = area.path or found.name
    name = f"mod {area.path or found.name}"
    return PageProposal(name, title, "module", f"{purpose}{uses}", area.central[:_PER_PAGE])


def _entities(found: RepositoryMap) -> list[UsedSymbol]:
    types = [one for one in found.central if one.kind in _TYPES and one.users >= _LEAST_USERS]
    return sorted(types, key=lambda one: (-one.users, one.path))[:_MOST_ENTITIES]


def _files(found: RepositoryMap, paths: list[str]) -> tuple[str, ...]:
    """Return some of the files of code among these."""
    known = {path for area in found.areas for path in area.central}
    return tuple(dict.fromkeys(one for one in paths if one in known))[:_PER_PAGE]
