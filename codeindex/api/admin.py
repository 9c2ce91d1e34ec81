"""Check, repair, delete and upgrade an index: `Index.admin`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from codeindex.analysis.change.invalidation import FullInvalidation, Invalidation, compare_states
from codeindex.api.capability import capability
from codeindex.api.component import Component
from codeindex.api.requests.admin import (
    InvalidateFileRequest,
    InvalidateRequest,
    RepairRequest,
    UndoUpgradeRequest,
    UpgradeEmbeddingsRequest,
    UpgradeEstimateRequest,
    VerifyRequest,
)
from codeindex.api.requests.core import SyncRequest, no_progress
from codeindex.config import data_home
from codeindex.embed.choose import ready_model
from codeindex.embed.installed import model_remedy, model_status
from codeindex.embed.lock import Model, find_model, load_lock
from codeindex.errors import LockedError, ModelError, NotIndexedError, UpgradeError
from codeindex.ingest.sync.estimate import UpgradeEstimate, estimate_upgrade
from codeindex.ingest.sync.upgrade import (
    UpgradeResult,
    confirm_upgrade,
    revert_upgrade,
    upgrade_model,
)
from codeindex.maintenance.deletion import IndexPart, delete_index, index_parts
from codeindex.maintenance.repair import RepairResult, forget_damage
from codeindex.maintenance.verify import Verification, verify
from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.skipped_files import FileState, read_file_state
from codeindex.store.locks.writer_lock import writer_lock
from codeindex.store.shadow_index import UpgradeStatus, upgrade_status

if TYPE_CHECKING:
    from codeindex.ingest.sync.context import SyncContext
    from codeindex.ingest.sync.write_bundle import BundleSummary

_EVERY_FILE = 1_000_000_000
"""A limit that no index reaches: a file that somebody names as changed is always read."""


class Administration(Component):
    """Checks, repairs, deletes and upgrades an index."""

    @capability(VerifyRequest)
    def verify(self, request: VerifyRequest) -> Verification:
        return verify(self._indexed_context(), deep=request.deep)

    @capability(RepairRequest)
    def repair(self, request: RepairRequest) -> RepairResult:
        context = self._indexed_context()
        verification = verify(context, deep=request.deep)
        if not verification.problems:
            return RepairResult((), 0, None, ())
        saved = forget_damage(context, verification)
        report = self._session.sync(SyncRequest(progress=request.progress))
        left = verify(self._indexed_context(), deep=request.deep).problems
        return RepairResult(verification.problems, saved, report, left)

    def parts(self) -> tuple[IndexPart, ...]:
        """Return the index's parts, such as the catalog, with sizes on disk, the largest first."""
        return index_parts(self._session.repository)

    def clear(self) -> int:
        """Delete the index and return how many bytes it took; the work tree is not changed.

        Raises LockedError while another process writes.
        """
        stat_cache = self._session.published_context().stat_cache
        try:
            return delete_index(self._session.repository, stat_cache)
        finally:
            self._session.close()

    @capability(InvalidateFileRequest)
    def invalidate_file(self, request: InvalidateFileRequest) -> Invalidation:
        file = self._runner.file_path(request.path)
        before = self._indexed_state(file)
        try:
            self._runner.freshness.index_paths((file,), most=_EVERY_FILE)
        except LockedError:
            return Invalidation(file, "later", "another process is syncing")
        return compare_states(file, before, self._indexed_state(file))

    @capability(InvalidateRequest)
    def invalidate(self, request: InvalidateRequest) -> FullInvalidation:
        with self._runner.reader().catalog():  # NotIndexedError without one
            repository = self._runner.reader().repository
        with writer_lock(repository.folder), Catalog.create(repository.catalog) as catalog:
            with catalog.writing():
                # A sync that finds settings other than its own reads every file again.
                state = catalog.publish(replace(catalog.generation(), settings=""))
            return FullInvalidation(repository.name, state.discovered)

    def _indexed_state(self, file: str) -> FileState:
        with self._runner.reader().catalog() as (catalog, _):
            return read_file_state(catalog.connection, file)

    def _indexed_context(self) -> SyncContext:
        """Return the context for a sync; raise NotIndexedError if there is no index."""
        if not self._session.repository.catalog.exists():
            with self._runner.reader().catalog():  # NotIndexedError says what to do
                raise NotIndexedError(f"'{self._session.root}' is not indexed.")
        return self._session.published_context()

    @capability(UpgradeEstimateRequest)
    def upgrade_estimate(self, request: UpgradeEstimateRequest) -> UpgradeEstimate:
        model = self._installed_model(request.model)
        context = self._session.sync_context(no_progress, model)
        return estimate_upgrade(context, self._session.open_encoder(model))

    @capability(UpgradeEmbeddingsRequest)
    def upgrade_embeddings(self, request: UpgradeEmbeddingsRequest) -> UpgradeResult:
        model = self._installed_model(request.model)
        return upgrade_model(self._session.sync_context(request.progress, model))

    @capability(UndoUpgradeRequest)
    def undo_upgrade(self, request: UndoUpgradeRequest) -> UpgradeResult:
        status = self.upgrade_standing()
        if status.is_kept and not status.former:
            raise UpgradeError(
                "The previous index has no model: set `embedding.model: none` and run"
                " `codeindex index --rebuild` to return to it."
            )
        model = self._installed_model(status.former) if status.former else None
        return revert_upgrade(self._session.sync_context(request.progress, model))

    def export_bundle(self, place: str) -> BundleSummary:
        """Write the published index as a bundle to a folder or URL, for `Index.sync(source=…)`.

        Raises NotIndexedError for an index that is not complete, LockedError while another process
        writes it, and SharingError if settings changed after the last sync, or if the folder cannot
        be written.
        """
        from codeindex.ingest.sync.write_bundle import write_bundle
        from codeindex.store.objects.open import open_store

        config = self._session.settings.config
        store = open_store(place, offline=config.offline)
        with self._runner.reader().catalog():  # NotIndexedError without one
            repository = self._runner.reader().repository
        with writer_lock(repository.folder):
            return write_bundle(repository, store, config)

    def confirm_upgrade(self) -> int:
        """Delete the old index that the last upgrade kept; return how many bytes it took."""
        return confirm_upgrade(self._session.repository)

    def upgrade_standing(self) -> UpgradeStatus:
        """Return the progress of an upgrade, and the old index that the last upgrade kept."""
        return upgrade_status(self._session.repository)

    def _installed_model(self, name: str) -> Model:
        """Return the model with the id `name`; raise ModelError if it is not installed.

        Nothing is downloaded here. Raises NotIndexedError while the index is not complete.
        """
        with self._runner.reader().catalog() as (_, generation):
            if not generation.complete:
                raise NotIndexedError("The index is not finished yet: run `codeindex index` first.")
        model = find_model(load_lock(data_home()), name)
        if ready_model(data_home(), name) is None:
            state = model_status(data_home(), model)
            raise ModelError(f"Model {name} is {state}: {model_remedy(model)}, then upgrade to it.")
        return model
