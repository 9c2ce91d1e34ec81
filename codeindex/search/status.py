"""Describe the published state of an index: counts, coverage, model and notes."""

from __future__ import annotations

from codeindex.config import Settings, data_home
from codeindex.embed.choose import choose_model
from codeindex.embed.lock import STATIC_MODEL
from codeindex.errors import ModelError
from codeindex.search.coverage import index_coverage
from codeindex.search.rank.tuned_weights import describe_tuning
from codeindex.search.reader import IndexReader
from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.index_counts import files_by_language, symbol_count
from codeindex.store.catalog.skipped_files import list_unindexed
from codeindex.store.catalog.unparsed_code import unparsed_files
from codeindex.store.datadir.disk_usage import disk_usage
from codeindex.store.datadir.home import Repository
from codeindex.store.graph.compiler_files import files_with_compiler_edges, read_compiler_note
from codeindex.store.shadow_index import upgrade_status
from codeindex.types import Skipped, Status
from codeindex.types.report import plural


def list_skipped(catalog: Catalog) -> tuple[Skipped, ...]:
    """Return the files and folders that are not indexed, with reasons, sorted by path."""
    rows = list_unindexed(catalog.connection)
    return tuple(Skipped(path, reason) for path, reason, _ in rows)


def read_status(reader: IndexReader, repository: Repository, settings: Settings) -> Status:
    """Return the status of an index in its published state."""
    with reader.corpus() as (catalog, corpus):
        generation = corpus.generation
        coverage = index_coverage(catalog, corpus)
        return Status(
            repo=repository.name,
            root=str(repository.root),
            folder=str(repository.folder),
            size_bytes=disk_usage([repository.folder]),
            version=generation.version,
            complete=generation.complete,
            written_at=generation.written_at,
            branch=generation.branch,
            head=generation.head,
            files=coverage.indexed,
            chunks=len(corpus.chunk_ids),
            symbols=symbol_count(catalog.connection),
            languages=files_by_language(catalog.connection),
            coverage=coverage,
            readiness=corpus.readiness,
            model=generation.model,
            chroma=generation.chroma,
            notes=settings.notes,
            unparsed=unparsed_files(catalog.connection),
            tuned=describe_tuning(repository.folder, generation.vectors_of),
            upgrade=upgrade_status(repository).sentences(),
            compiler=_compiler_files(catalog),
            next_model="" if generation.model else _next_model(settings),
        )


def _compiler_files(catalog: Catalog) -> str:
    """Return the status line about SCIP indexes: the files that use them, and their problems.

    Return "" if there is no SCIP index.
    """
    note = read_compiler_note(catalog.connection)
    if not note.get("stamp"):
        return ""
    used = files_with_compiler_edges(catalog.connection)
    paths = ", ".join(str(path) for path, *_ in note["stamp"])
    matching = f"{note['matching']:,} of {note['documents']:,} documents matched when it was read"
    files = plural(used, "file uses", "files use")
    return "; ".join([f"{files} {paths} ({matching})", *note["problems"]])


def _next_model(settings: Settings) -> str:
    """Return which model a sync would use for vectors and why, or why it would use none."""
    try:
        return choose_model(data_home(), settings.config, may_fetch=False).why
    except ModelError as error:
        return f"{STATIC_MODEL} only: {error}"
