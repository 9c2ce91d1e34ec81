"""What lies around the catalog: caches that all indexes share, and files that nobody names."""

from __future__ import annotations

from collections.abc import Iterator

from codeindex.errors import DamagedError
from codeindex.ingest.sync.run import SyncContext
from codeindex.search.rank.tuned_weights import read_tuned, said_of
from codeindex.store.cache.contents import check, spoilt
from codeindex.store.catalog.connection import Generation
from codeindex.store.datadir.disk_usage import weight
from codeindex.store.datadir.home import Repository
from codeindex.types.verdicts import Verdict, note, ok, problem
from codeindex.upkeep.examined import REPAIR, Examined, few
from codeindex.upkeep.folder import strays

_MB = 1_000_000


def check_embeddings(site: SyncContext, *, deep: bool) -> Iterator[Verdict]:
    """Take the sums of vectors in the cache; a broken one costs time and no data."""
    try:
        looked, bad = spoilt(site.embeddings.folder, deep=deep)
    except DamagedError as error:
        yield problem("embeddings", str(error).rstrip("."), remedy=REPAIR)
        return
    if bad:
        text = f"{len(bad):,} of {looked:,} cached vectors are not those that were stored"
        yield problem("embeddings", text, remedy=REPAIR, names=bad)
    else:
        yield ok("embeddings", f"{looked:,} cached vectors with their sums")


def check_merkle(site: SyncContext) -> Iterator[Verdict]:
    """Look at what is known of trees; without it, the next sync reads every file once."""
    try:
        check(site.merkle.folder)
        yield ok("merkle", "the cache of trees is whole")
    except DamagedError as error:
        yield problem("merkle", str(error).rstrip("."), remedy=REPAIR)


def check_weights(one: Examined) -> Iterator[Verdict]:
    """Read the weights that the repository has of its own; a bad file leaves the shipped ones."""
    yield weights_verdict(one.site.repository, one.generation)


def weights_verdict(repository: Repository, generation: Generation) -> Verdict:
    """Say which weights rank."""
    try:
        read_tuned(repository.folder)
    except DamagedError as error:
        return problem("weights", str(error).partition(": `codeindex")[0], remedy=REPAIR)
    return ok("weights", said_of(repository.folder, generation.vectors_of) or "as shipped")


def check_folder(one: Examined) -> Iterator[Verdict]:
    """Look for files that no kept state names; a sync that is under way has some."""
    found = strays(one.site.repository, one.catalog)
    if found:
        names = tuple(path.relative_to(one.site.repository.folder).as_posix() for path in found)
        text = f"{few(names)}: named by no state that is kept, {weight(found) / _MB:.1f} MB"
        yield note("folder", text, remedy="the next sync deletes them", names=names)
    else:
        yield ok("folder", f"{weight([one.site.repository.folder]) / _MB:.1f} MB, all of it in use")
