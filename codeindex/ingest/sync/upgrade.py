"""Upgrade an index to another model next to the live index, and revert the upgrade.

The new index has its own folder and lock, so that searches and syncs of the live one continue.
After a kill, the next attempt continues with the same folder and the embedding cache.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from codeindex.errors import DamagedError, UpgradeError
from codeindex.ingest.sync.context import SyncContext, model_identity
from codeindex.ingest.sync.rebuild import replace_index
from codeindex.ingest.sync.repository import sync_or_rebuild
from codeindex.store.catalog.connection import Catalog, Generation
from codeindex.store.datadir.home import Repository
from codeindex.store.locks.writer_lock import explain_disk_errors, writer_lock
from codeindex.store.shadow_index import (
    TARGET_MODEL_NOTE,
    ShadowRole,
    copy_catalog,
    delete_shadows,
    link_external_files,
    model_id,
    published_state,
    shadow_of,
    upgrade_status,
)

logger = logging.getLogger(__name__)

_SWAP_WAIT_SECONDS = 120.0
"""Seconds that a finished index waits for a process that writes the live index."""


@dataclass(frozen=True, slots=True)
class UpgradeResult:
    """The outcome of an upgrade to another embedding model, or of a reverted upgrade.

    `model` and `former` are ids of the new and the old model, `embedded` counts chunks, and
    `version` is that of the published generation.
    """

    repo: str
    model: str
    former: str
    embedded: int
    seconds: float
    version: int
    notes: tuple[str, ...] = ()


def upgrade_model(context: SyncContext) -> UpgradeResult:
    """Build an index with the context's model, and put it in the place of the live one.

    The old index is kept until `confirm_upgrade`. Raise UpgradeError if the index has that model
    already, or if an earlier upgrade is not confirmed.
    """
    live, before = context.repository, published_state(context.repository)
    _check_upgrade(context, before)

    def swap() -> None:
        _set_aside(live)
        _take_over(live, shadow_of(live, "upgrade"))

    return _sync_and_swap(context, "upgrade", before, swap)


def revert_upgrade(context: SyncContext) -> UpgradeResult:
    """Put back the index from before the last upgrade, and sync it.

    Raise UpgradeError if no such index is kept. The vectors of the abandoned model stay in the
    cache until it evicts them.
    """
    live = context.repository
    if not upgrade_status(live).is_kept:
        raise UpgradeError(f"No index from before an upgrade is kept for {live.name}.")
    return _sync_and_swap(
        context,
        "former",
        published_state(live),
        lambda: _take_over(live, shadow_of(live, "former")),
    )


def confirm_upgrade(repository: Repository) -> int:
    """Delete the index that the last upgrade replaced; return its size in bytes.

    The size includes files that the current index shares. Raise UpgradeError if none is kept.
    """
    status = upgrade_status(repository)
    if not status.is_kept:
        raise UpgradeError(f"No index from before an upgrade is kept for {repository.name}.")
    with writer_lock(repository.folder, wait_seconds=_SWAP_WAIT_SECONDS):
        delete_shadows(repository, "former", "leaving")
    return status.former_bytes


def _check_upgrade(context: SyncContext, before: Generation) -> None:
    live = context.repository
    if context.encoder and before.model == model_identity(context.encoder.model, context.config):
        delete_shadows(live, "upgrade", "leaving")  # left by an upgrade that was killed at its end
        raise UpgradeError(f"{live.name} uses {model_id(before.model)} already.")
    if upgrade_status(live).is_kept:
        raise UpgradeError(
            "The index from before the last upgrade is still kept: first delete it with"
            " `--confirm`, or return to it with `--back`."
        )


def _sync_and_swap(
    context: SyncContext, role: ShadowRole, before: Generation, swap: Callable[[], None]
) -> UpgradeResult:
    """Build or update the shadow index `role`, then call `swap`, which makes it the live index.

    Right before that, the live index is locked and the shadow index is synced a second time.
    `before` is the live generation.
    """
    started = time.monotonic()
    live, other = context.repository, shadow_of(context.repository, role)
    notes: list[str] = []
    with explain_disk_errors(live.folder):
        _prepare_folder(context, other)
        with writer_lock(other.folder):
            shadow = replace(context, repository=other, expected_model=None)
            embedded = sync_or_rebuild(shadow, notes).embedded
            with writer_lock(live.folder, wait_seconds=_SWAP_WAIT_SECONDS):
                outcome = sync_or_rebuild(shadow, notes)  # changes since the first sync
                swap()
        delete_shadows(live, role)
    logger.info("%s uses %s now", live.name, model_id(outcome.generation.model))
    return UpgradeResult(
        repo=live.name,
        model=model_id(outcome.generation.model),
        former=model_id(before.model),
        embedded=embedded + outcome.embedded,
        seconds=time.monotonic() - started,
        version=published_state(live).version,
        notes=tuple(dict.fromkeys(notes)),
    )


def _prepare_folder(context: SyncContext, other: Repository) -> None:
    """Create the folder and catalog of an index, and store the id of the context's model in it.

    An existing index in the folder is kept.
    """
    if context.encoder is None:
        raise UpgradeError("There is no model to embed with: see `codeindex models list`.")
    other.folder.mkdir(mode=0o700, exist_ok=True)
    try:
        with Catalog.create(other.catalog) as catalog, catalog.writing():
            catalog.put_note(TARGET_MODEL_NOTE, context.encoder.model.id)
    except DamagedError:
        pass  # the following sync moves the damaged catalog aside


def _set_aside(live: Repository) -> None:
    """Copy the live index to the role `former`.

    The copy is made under another name and then renamed, so that it is complete when it appears.
    """
    delete_shadows(live, "former", "leaving")
    leaving, former = shadow_of(live, "leaving"), shadow_of(live, "former")
    leaving.folder.mkdir(mode=0o700)
    link_external_files(live, leaving)
    copy_catalog(live, leaving)
    leaving.folder.rename(former.folder)


def _take_over(live: Repository, other: Repository) -> None:
    """Replace the live index by `other`.

    Its version number becomes higher than the numbers of both, so that no cursor is valid in both
    indexes.
    """
    with Catalog.create(other.catalog) as catalog, catalog.writing():
        made = catalog.generation()
        version = max(made.version, published_state(live).version) + 1
        catalog.publish(replace(made, version=version))
    replace_index(live, other)
