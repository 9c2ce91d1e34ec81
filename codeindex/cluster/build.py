"""Build the bundle of one repository, as a task on a machine of the cluster."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from codeindex import __version__
from codeindex.api.index import Index
from codeindex.cluster.checkout import INDEX_FLAGS, locked_checkout
from codeindex.cluster.entries import StoredRepository, bundle_place, read_entry, write_entry
from codeindex.cluster.repository_list import RepositorySource
from codeindex.errors import ClusterError, CodeIndexError, SharingError, StoreAccessError
from codeindex.git.fetch import remote_tip
from codeindex.ingest.bundle.layout import MOST_PART_BYTES, BundleManifest, BundlePart, unpack_part
from codeindex.ingest.bundle.reader import read_manifest
from codeindex.ingest.sync.bundle_versions import current_versions
from codeindex.store.objects.open import open_store

if TYPE_CHECKING:
    from codeindex.ingest.sync.write_bundle import BundleSummary
    from codeindex.store.objects.object_store import ObjectStore

_ATTEMPTS = 3
"""Maximum number of writes of a bundle until all its parts exist. A concurrent builder of the same
repository, which is rare, may delete parts that it does not know."""


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What a build does if the object store already has a bundle of the same commit.

    A bundle is the stored index of a commit. By default it is kept. `verify` reads and checks all
    its parts; `rebuild` always builds a new one.
    """

    verify: bool = False
    rebuild: bool = False
    version: str = __version__
    """The codeindex version of the calling process; a machine with another version refuses the
    build."""


@dataclass(frozen=True, slots=True)
class BuildOutcome:
    """The result of a build of one repository.

    `commit` is the commit of the bundle, '' if the build failed. `why` is the error message of a
    failed build, or the reason why a new bundle was built.
    """

    name: str
    state: Literal["built", "skipped", "failed"]
    commit: str = ""
    files: int = 0
    bundle_bytes: int = 0
    seconds: float = 0.0
    why: str = ""


def build_repository(source: RepositorySource, place: str, options: BuildOptions) -> BuildOutcome:
    """Build and store the bundle (index) of a repository's newest commit, unless it is stored.

    `place` is the folder or URL of the store. Expected errors are returned as an outcome, so that
    they do not stop the builds of other repositories.
    """
    started = time.monotonic()
    try:
        if options.version != __version__:
            raise ClusterError(
                f"This machine has codeindex {__version__}, the one that asks {options.version}:"
                " install the same version on all machines."
            )
        return _build(source, place, options, started)
    except CodeIndexError as error:
        return BuildOutcome(
            source.name, "failed", seconds=time.monotonic() - started, why=str(error)
        )


def _build(
    source: RepositorySource, place: str, options: BuildOptions, started: float
) -> BuildOutcome:
    commit = remote_tip(source.url, source.branch)
    store = open_store(bundle_place(place, source.name))
    former, problem = _former_bundle(store, verify=options.verify)
    if former and not (problem or options.rebuild):
        problem = _reason_to_build(former, commit)
        if not problem:
            _repair_entry(place, source, former)
            size = sum(part.size for part in former.parts)
            seconds = time.monotonic() - started
            return BuildOutcome(source.name, "skipped", commit, former.files, size, seconds)
    usable = bool(former) and not (problem.startswith("damaged") or options.rebuild)
    with locked_checkout(source, commit) as folder:
        summary = _index_and_export(
            source, str(folder), bundle_place(place, source.name), usable=usable
        )
    _write_entry(place, source, summary.manifest)
    seconds = time.monotonic() - started
    files, size = summary.manifest.files, summary.total_bytes
    return BuildOutcome(source.name, "built", commit, files, size, seconds, problem)


def _former_bundle(store: ObjectStore, *, verify: bool) -> tuple[BundleManifest | None, str]:
    """Return (manifest of the stored bundle, description of its damage or '').

    Return (None, '') without a manifest. Raise StoreAccessError if the store cannot be
    reached. `verify` reads all parts of the bundle.
    """
    try:
        manifest = read_manifest(store)
    except StoreAccessError:
        raise
    except SharingError as error:
        return None, f"damaged: {error}"
    if manifest is None:
        return None, ""
    return manifest, find_damage(store, manifest, verify=verify)


def find_damage(store: ObjectStore, manifest: BundleManifest, *, verify: bool) -> str:
    """Return a message about a missing or damaged part of a bundle, '' if there is none.

    Without `verify`, the parts must only exist. With it, they are read, and damaged parts are
    deleted.
    """
    problem = ""
    for part in manifest.parts:
        if verify:
            problem = _check_part(store, part) or problem
        elif not store.exists(part.name):
            problem = f"damaged: part {part.digest[:12]} is missing"
    return problem


def _check_part(store: ObjectStore, part: BundlePart) -> str:
    """Read a part of a stored index; return what is wrong with it, or ''.

    A damaged part is deleted. Raise StoreAccessError if the store cannot be read now.
    """
    try:
        packed = store.get(part.name, most=MOST_PART_BYTES)
        if packed is None:
            return f"damaged: part {part.digest[:12]} is missing"
        unpack_part(part, packed)
    except StoreAccessError:
        raise
    except SharingError as error:
        store.delete(part.name)  # an export does not overwrite existing parts
        return f"damaged: {error}"
    return ""


def _reason_to_build(former: BundleManifest, commit: str) -> str:
    if former.commit != commit:
        return f"new commit: the bundle was of {former.commit[:12] or 'none'}"
    if former.versions != current_versions():
        return "other versions: the bundle was written by another codeindex or other grammars"
    return ""


def _index_and_export(
    source: RepositorySource, folder: str, place: str, *, usable: bool
) -> BundleSummary:
    with Index.open(folder, root=True, name=source.name, flags=INDEX_FLAGS) as index:
        if usable and not index.is_indexed:  # an earlier bundle is by another machine
            try:
                index.sync(source=place)
            except SharingError:
                index.sync()
        else:
            index.sync()
        for _ in range(_ATTEMPTS):
            summary = index.admin.export_bundle(place)
            if not find_damage(open_store(place), summary.manifest, verify=False):
                return summary
    raise SharingError(
        f"'{source.name}' is being written by another builder at the same time: run one"
        " `codeindex cluster index` for a store at a time."
    )


def _repair_entry(place: str, source: RepositorySource, manifest: BundleManifest) -> None:
    """Write the repository's entry in the store if it is absent, malformed or out of date.

    An entry tells the source and the commit of the bundle. It is absent if a builder ended after
    writing the bundle, but before writing the entry.
    """
    try:
        entry = read_entry(place, source.name)
    except StoreAccessError:
        raise
    except SharingError:
        entry = None
    if entry is None or entry.source != source or entry.commit != manifest.commit:
        _write_entry(place, source, manifest)


def _write_entry(place: str, source: RepositorySource, manifest: BundleManifest) -> None:
    entry = StoredRepository(
        name=source.name,
        url=source.url,
        branch=source.branch,
        commit=manifest.commit,
        files=manifest.files,
        built_at=int(time.time()),
    )
    write_entry(place, entry)
