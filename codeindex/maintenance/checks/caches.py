"""Check the shared caches and the ranking weights, and look for orphan files."""

from __future__ import annotations

from collections.abc import Iterator

from codeindex.errors import DamagedError
from codeindex.ingest.sync.context import SyncContext
from codeindex.maintenance.checks.context import REPAIR, CheckContext
from codeindex.search.rank.tuned_weights import describe_tuning, read_tuned_weights
from codeindex.store.cache.caches import STAT_CACHE
from codeindex.store.cache.contents import check_database, corrupt_vectors
from codeindex.store.catalog.connection import Generation
from codeindex.store.datadir.disk_usage import disk_usage
from codeindex.store.datadir.home import Repository
from codeindex.store.orphans import orphan_files
from codeindex.text.truncate import name_some
from codeindex.types.verdicts import Verdict, note, ok, problem

_MB = 1_000_000


def check_embeddings(context: SyncContext, *, deep: bool) -> Iterator[Verdict]:
    """Check the digests of cached vectors: with `deep` of all, else of the newest 5,000."""
    try:
        looked, bad = corrupt_vectors(context.embeddings.folder, deep=deep)
    except DamagedError as error:
        yield problem("embeddings", str(error).rstrip("."), remedy=REPAIR)
        return
    if bad:
        text = f"{len(bad):,} of {looked:,} cached vectors differ from what was stored"
        yield problem("embeddings", text, remedy=REPAIR, names=bad)
    else:
        yield ok("embeddings", f"{looked:,} cached vectors have the right checksums")


def check_stat_cache(context: SyncContext) -> Iterator[Verdict]:
    """Check the stat cache, without which the next sync reads every file."""
    try:
        check_database(context.stat_cache.folder)
        yield ok(STAT_CACHE, "the cache of snapshots is intact")
    except DamagedError as error:
        yield problem(STAT_CACHE, str(error).rstrip("."), remedy=REPAIR)


def check_weights(context: CheckContext) -> Iterator[Verdict]:
    """Check that the repository's tuned ranking weights are readable; "ok" if it has none."""
    yield weights_verdict(context.repository, context.generation)


def weights_verdict(repository: Repository, generation: Generation) -> Verdict:
    """Return a verdict that says which ranking weights are in use: the shipped or tuned ones.

    If the tuned weights are damaged, the verdict is a problem.
    """
    try:
        read_tuned_weights(repository.folder)
    except DamagedError as error:
        return problem("weights", str(error).partition(": `codeindex")[0], remedy=REPAIR)
    return ok("weights", describe_tuning(repository.folder, generation.vectors_of) or "as shipped")


def check_orphans(context: CheckContext) -> Iterator[Verdict]:
    """Look for files that no recent generation refers to, which may be files of a running sync."""
    orphans = orphan_files(context.repository, context.catalog)
    if orphans:
        names = tuple(path.relative_to(context.repository.folder).as_posix() for path in orphans)
        size = f"{disk_usage(orphans) / _MB:.1f} MB"
        text = f"{name_some(names)}: no kept generation refers to them, {size}"
        yield note("folder", text, remedy="the next sync deletes them", names=names)
    else:
        yield ok(
            "folder", f"{disk_usage([context.repository.folder]) / _MB:.1f} MB, all of it in use"
        )
