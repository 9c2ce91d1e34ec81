"""Check that a repository's index is readable and complete; report who has locked it."""

from __future__ import annotations

from collections.abc import Iterator

from codeindex import git
from codeindex.api.index import Index
from codeindex.errors import DamagedError, GitError, LockedError, NotIndexedError, StoreError
from codeindex.freshness.git_activity import git_activity
from codeindex.graph.scip.collect import index_stamp, locations_below
from codeindex.maintenance.checks.caches import weights_verdict
from codeindex.maintenance.deletion import index_parts
from codeindex.store.catalog.watched_places import git_index_paths
from codeindex.store.graph.compiler_files import read_compiler_note
from codeindex.store.locks.owner import describe_lock_owner, lock_owner
from codeindex.types import Status
from codeindex.types.report import plural
from codeindex.types.verdicts import Verdict, note, ok, problem

_MB = 1_000_000
_MAX_PARTS = 5
"""Number of the largest parts of the index whose sizes are listed."""


def check_repository(index: Index) -> Iterator[Verdict]:
    """Yield verdicts on the work tree, the lock and the index of a repository; change nothing."""
    yield from _check_work_tree(index)
    if owner := lock_owner(index.repository.folder):
        text, _, remedy = describe_lock_owner(owner).rpartition(": ")
        yield note("lock", f"{text}; searches go on", remedy=remedy.rstrip("."))
    try:
        status = index.status()
    except NotIndexedError:
        text = f"'{index.root}' is not indexed yet"
        yield note("index", text, remedy="run `codeindex index`")
        return
    except (StoreError, LockedError) as error:
        remedy = "run `codeindex repair`" if isinstance(error, DamagedError) else ""
        yield problem("index", str(error).rstrip("."), remedy=remedy)
        return
    yield from _check_git_locks(index)
    yield from _check_contents(index, status)


def _check_work_tree(index: Index) -> Iterator[Verdict]:
    for sentence in index.settings.notes:
        yield note("settings", sentence.rstrip("."))
    try:
        if git.find_work_tree(index.root):
            git.read_head(index.root)
    except GitError as error:
        yield problem("git", str(error).rstrip("."))


def _check_git_locks(index: Index) -> Iterator[Verdict]:
    """Report locks of git that a crashed command has probably left; answers ignore them."""
    with index.reader().catalog() as (catalog, _):
        activity = git_activity(git_index_paths(catalog.connection))
    for path, age in activity.old_locks:
        text = f"'{path}' was created {abs(age) / 60:,.0f} minutes {'ago' if age > 0 else 'ahead'}"
        yield note("git", text, remedy="if no git command runs, delete it")


def _check_contents(index: Index, status: Status) -> Iterator[Verdict]:
    parts = index_parts(index.repository)
    sizes = ", ".join(f"{part.what} {part.size_bytes / _MB:.1f}" for part in parts[:_MAX_PARTS])
    yield ok("index", f"version {status.version}, {status.size_bytes / _MB:.1f} MB ({sizes})")
    coverage = status.coverage
    files = (
        f"{plural(coverage.indexed, 'file')} indexed, {coverage.skipped:,} skipped,"
        f" {coverage.failed:,} failed"
    )
    if not status.complete:
        yield note("coverage", f"{files}; not finished", remedy="run `codeindex index`")
    elif coverage.failed:
        yield note("coverage", files, remedy="see `codeindex files --skipped`")
    else:
        yield ok("coverage", files)
    with index.reader().catalog() as (_, generation):
        yield weights_verdict(index.repository, generation)
    yield from _check_compiler_index(index, status)
    if not status.model:
        yield note("vectors", "none", remedy=status.next_model or "run `codeindex index`")
    elif status.readiness.vectors < 1:
        text = f"{status.readiness.vectors:.0%} of the chunks"
        yield note("vectors", text, remedy="run `codeindex index` to go on")
    else:
        yield ok("vectors", f"all {status.chunks:,} chunks have one, computed by {status.model}")
    if not index.encoder_of(status.model) and status.model:
        text = f"{status.model.partition('@')[0]}, which computed the vectors, is not installed"
        yield problem("vectors", text, remedy="run `codeindex models pull`, or index again")


def _check_compiler_index(index: Index, status: Status) -> Iterator[Verdict]:
    """Report how many files use a compiler's index.

    The report also says whether that index has changed since the sync.
    """
    locations = locations_below(index.root, index.settings.config.graph.scip)
    with index.reader().catalog() as (catalog, _):
        known = read_compiler_note(catalog.connection)
    if index_stamp(locations) != known.get("stamp", []):
        text = "a compiler's index (SCIP) was written or deleted since the last sync"
        yield note("compiler", text, remedy="run `codeindex sync`")
    elif known.get("problems"):
        yield problem("compiler", status.compiler, remedy="create the compiler's index again")
    elif status.compiler:
        yield ok("compiler", status.compiler)
