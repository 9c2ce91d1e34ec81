"""Drop damaged segments, statistics and exports before a sync, which writes new ones."""

from __future__ import annotations

import shutil
from dataclasses import replace

from codeindex.embed.token_vectors import TokenStatistics
from codeindex.errors import DamagedError
from codeindex.ingest.sync.chunk_words import restore_missing_words
from codeindex.store.catalog.connection import Catalog, Generation, wal_files
from codeindex.store.datadir.home import Repository
from codeindex.store.exports.vector_store import is_collection_intact
from codeindex.store.segments.postings import read_postings
from codeindex.store.segments.vectors import read_segment


def move_catalog_aside(repository: Repository) -> str:
    """Move a damaged catalog to a folder for inspection; return the folder's name."""
    aside = repository.folder / "broken"
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(mode=0o700)
    for path in (repository.catalog, *wal_files(repository.catalog)):
        if path.exists():
            path.replace(aside / path.name)
    return aside.name


def drop_damaged(repository: Repository, catalog: Catalog) -> list[str]:
    """Publish a generation without the damaged segments, statistics and exports, if any.

    Return a sentence about each dropped part.
    """
    before = generation = catalog.generation()
    notes: list[str] = []
    checks = (
        _without_damaged_segments,
        _without_damaged_statistics,
        _without_damaged_collection,
        _without_former_name,
    )
    for check in checks:
        generation = check(repository, generation, notes)
    if generation != before:
        restored = restore_missing_words(repository, catalog, generation)
        with catalog.writing():
            catalog.publish(replace(generation, segments=(*generation.segments, *restored)))
    return notes


def _without_damaged_segments(
    repository: Repository, generation: Generation, notes: list[str]
) -> Generation:
    readable, statistics = [], generation.statistics
    for segment in generation.segments:
        read = read_postings if segment.kind == "words" else read_segment
        try:
            read(repository.segments, segment)
            readable.append(segment)
        except DamagedError as error:
            notes.append(f"{error} They are computed again.")
            statistics = {} if segment.kind == "token" else statistics
    return replace(generation, segments=tuple(readable), statistics=statistics)


def _without_damaged_statistics(
    repository: Repository, generation: Generation, notes: list[str]
) -> Generation:
    """Drop damaged statistics, and with them all token segments, which need statistics.

    Add a sentence about it to `notes`.
    """
    statistics = generation.statistics
    try:
        if statistics.get("file"):
            TokenStatistics.load(repository.segments / statistics["file"])
    except DamagedError as error:
        notes.append(f"{error} They are computed again.")
        statistics = {}
    kept = (entry for entry in generation.segments if statistics or entry.kind != "token")
    return replace(generation, segments=tuple(kept), statistics=statistics)


def _without_damaged_collection(
    repository: Repository, generation: Generation, notes: list[str]
) -> Generation:
    if not generation.chroma or is_collection_intact(repository.folder, generation.chroma):
        return generation
    notes.append("The Chroma collection was changed by another program. It is built again.")
    return replace(generation, chroma={})


def _without_former_name(
    repository: Repository, generation: Generation, _: list[str]
) -> Generation:
    """Drop exports that were made while the repository had another name."""
    name = repository.name
    if generation.graph.get("repository", name) != name:
        generation = replace(generation, graph={})
    if generation.chroma.get("repository", name) != name:
        generation = replace(generation, chroma={})
    return generation
