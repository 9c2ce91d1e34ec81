"""What a sync does about stores that are not as they were left: forget them, and say so.

Whatever is forgotten here is made again by the same sync: from the files, or from the caches.
"""

from __future__ import annotations

import shutil
from dataclasses import replace

from codeindex.embed.token_vectors import TokenStatistics
from codeindex.errors import DamagedError
from codeindex.ingest.sync.chunk_words import restore_missing_words
from codeindex.store.catalog.connection import Catalog, Generation, wal_files
from codeindex.store.datadir.home import Repository
from codeindex.store.exports.vector_store import VECTOR_STORE
from codeindex.store.segments.postings import read_postings
from codeindex.store.segments.vectors import read_segment


def move_catalog_aside(repository: Repository) -> str:
    """Keep one broken catalog for whoever wants to know why; return the folder's name."""
    aside = repository.folder / "broken"
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(mode=0o700)
    for path in (repository.catalog, *wal_files(repository.catalog)):
        if path.exists():
            path.replace(aside / path.name)
    return aside.name


def drop_damaged(repository: Repository, catalog: Catalog) -> list[str]:
    """Publish a state without what cannot be read; return a note about each part of it."""
    before = generation = catalog.generation()
    notes: list[str] = []
    sounds = (_with_sound_segments, _with_sound_statistics, _with_sound_collection, _under_its_name)
    for sound in sounds:
        generation = sound(repository, generation, notes)
    if generation != before:
        again = restore_missing_words(repository, catalog, generation)
        with catalog.writing():
            catalog.publish(replace(generation, segments=(*generation.segments, *again)))
    return notes


def _with_sound_segments(
    repository: Repository, generation: Generation, notes: list[str]
) -> Generation:
    good, statistics = [], generation.statistics
    for segment in generation.segments:
        read = read_postings if segment.kind == "words" else read_segment
        try:
            read(repository.segments, segment)
            good.append(segment)
        except DamagedError as error:
            notes.append(f"{error} They are made again.")
            statistics = {} if segment.kind == "token" else statistics
    return replace(generation, segments=tuple(good), statistics=statistics)


def _with_sound_statistics(
    repository: Repository, generation: Generation, notes: list[str]
) -> Generation:
    """Token vectors mean nothing without the statistics that they were made with."""
    statistics = generation.statistics
    try:
        if statistics.get("file"):
            TokenStatistics.load(repository.segments / statistics["file"])
    except DamagedError as error:
        notes.append(f"{error} They are learned again.")
        statistics = {}
    kept = (one for one in generation.segments if statistics or one.kind != "token")
    return replace(generation, segments=tuple(kept), statistics=statistics)


def _with_sound_collection(
    repository: Repository, generation: Generation, notes: list[str]
) -> Generation:
    if not generation.chroma or VECTOR_STORE.is_intact(repository.folder, generation.chroma):
        return generation
    notes.append("The Chroma collection is not as it was left. It is built again.")
    return replace(generation, chroma={})


def _under_its_name(repository: Repository, generation: Generation, _: list[str]) -> Generation:
    """Forget what speaks of the repository by a name that it no longer has."""
    name = repository.name
    graph, collection = (
        state if state.get("repository", name) == name else {}
        for state in (generation.graph, generation.chroma)
    )
    return replace(generation, graph=graph, chroma=collection)
