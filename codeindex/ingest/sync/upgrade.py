"""An index made again with another model, beside the one that answers, and the way back.

The new one has a folder and a lock of its own, so that searches and syncs of the old one go on. A
kill leaves it as it is: the next attempt goes on there, and what was embedded is in the cache.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from codeindex.errors import DamagedError, UpgradeError
from codeindex.ingest.sync.rebuild import replace_index
from codeindex.ingest.sync.run import SyncContext, model_identity, sync_or_rebuild
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

_TURN_SECONDS = 120.0
"""How long a finished index waits for whoever is writing the old one."""


@dataclass(frozen=True, slots=True)
class UpgradeResult:
    """What answers now and what answered before, by model; `embedded` counts chunks."""

    repo: str
    model: str
    former: str
    embedded: int
    seconds: float
    version: int
    notes: tuple[str, ...] = ()


def upgrade_model(site: SyncContext) -> UpgradeResult:
    """Build the index with the context's model, swap, and keep the old one until `confirm_upgrade`.

    UpgradeError if the index has that model already, or if an earlier upgrade is unconfirmed.
    """
    live, before = site.repository, published_state(site.repository)
    _check_upgrade(site, before)

    def swap() -> None:
        _set_aside(live)
        _take_over(live, shadow_of(live, "upgrade"))

    return _exchanged(site, "upgrade", before, swap)


def revert_upgrade(site: SyncContext) -> UpgradeResult:
    """Return to the index of before the last upgrade, with what has changed since.

    The vectors of the model that is left stay in the cache for as long as it keeps any.
    """
    live = site.repository
    if not upgrade_status(live).is_kept:
        raise UpgradeError(f"No index of before an upgrade is kept for {live.name}.")
    return _exchanged(
        site, "former", published_state(live), lambda: _take_over(live, shadow_of(live, "former"))
    )


def confirm_upgrade(repository: Repository) -> int:
    """Delete the index of before the last upgrade; return its bytes, those it shares included."""
    found = upgrade_status(repository)
    if not found.is_kept:
        raise UpgradeError(f"No index of before an upgrade is kept for {repository.name}.")
    with writer_lock(repository.folder, wait_seconds=_TURN_SECONDS):
        delete_shadows(repository, "former", "leaving")
    return found.former_bytes


def _check_upgrade(site: SyncContext, before: Generation) -> None:
    live = site.repository
    if site.encoder and before.model == model_identity(site.encoder.model, site.config):
        delete_shadows(live, "upgrade", "leaving")  # an upgrade was killed when it was all but over
        raise UpgradeError(f"{live.name} is made with {model_id(before.model)} already.")
    if upgrade_status(live).is_kept:
        raise UpgradeError(
            "The index of before the last upgrade is still kept: first delete it with `--confirm`,"
            " or return to it with `--back`."
        )


def _exchanged(
    site: SyncContext, role: ShadowRole, before: Generation, swap: Callable[[], None]
) -> UpgradeResult:
    """Bring the index of a role up to date, and once more with all others locked out; then swap."""
    started = time.monotonic()
    live, other = site.repository, shadow_of(site.repository, role)
    notes: list[str] = []
    with explain_disk_errors(live.folder):
        _begin(site, other)
        with writer_lock(other.folder):
            mine = replace(site, repository=other, chosen_for=None)
            embedded = sync_or_rebuild(mine, notes).embedded
            with writer_lock(live.folder, wait_seconds=_TURN_SECONDS):
                done = sync_or_rebuild(mine, notes)  # what was changed meanwhile
                swap()
        delete_shadows(live, role)
    logger.info("%s is made with %s now", live.name, model_id(done.generation.model))
    return UpgradeResult(
        repo=live.name,
        model=model_id(done.generation.model),
        former=model_id(before.model),
        embedded=embedded + done.embedded,
        seconds=time.monotonic() - started,
        version=published_state(live).version,
        notes=tuple(dict.fromkeys(notes)),
    )


def _begin(site: SyncContext, other: Repository) -> None:
    """Make a place for an index, and note what is to be made there; what is there is kept."""
    if site.encoder is None:
        raise UpgradeError("There is no model to make the index with: see `codeindex models list`.")
    other.folder.mkdir(mode=0o700, exist_ok=True)
    try:
        with Catalog.create(other.catalog) as catalog, catalog.writing():
            catalog.put_note(TARGET_MODEL_NOTE, site.encoder.model.id)
    except DamagedError:
        pass  # it is moved aside by the sync that follows


def _set_aside(live: Repository) -> None:
    """Keep the index that answers: whole under its name, or not there at all."""
    delete_shadows(live, "former", "leaving")
    leaving, former = shadow_of(live, "leaving"), shadow_of(live, "former")
    leaving.folder.mkdir(mode=0o700)
    link_external_files(live, leaving)
    copy_catalog(live, leaving)
    leaving.folder.rename(former.folder)


def _take_over(live: Repository, other: Repository) -> None:
    """Swap; versions go on from the higher one, so that no cursor of one fits the other."""
    with Catalog.create(other.catalog) as catalog, catalog.writing():
        made = catalog.generation()
        version = max(made.version, published_state(live).version) + 1
        catalog.publish(replace(made, version=version))
    replace_index(live, other)
