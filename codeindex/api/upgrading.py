"""Giving an index another model: what it would take, doing it, and settling or undoing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeindex.api.asking import QUIET, Asking, Progress
from codeindex.errors import ModelError, NotIndexedError, UpgradeError

if TYPE_CHECKING:
    from codeindex.embed.encoder import Encoder
    from codeindex.embed.lock import Model
    from codeindex.ingest.sync.context import SyncContext
    from codeindex.ingest.sync.estimate import UpgradeEstimate
    from codeindex.ingest.sync.upgrade import UpgradeResult
    from codeindex.store.datadir.home import Repository
    from codeindex.store.shadow_index import UpgradeStatus


class Upgrading(Asking):
    """Giving an index another model."""

    repository: Repository

    def _site(self, progress: Progress, model: Model | None) -> SyncContext:
        """Return what a sync with this model needs; `Index` does."""
        raise NotImplementedError

    def _encoder(self, model: Model) -> Encoder:
        """Open a model; `Index` does."""
        raise NotImplementedError

    def upgrade_estimate(self, model: str) -> UpgradeEstimate:
        """Say what an upgrade to MODEL would take, from chunks that are embedded to measure it.

        NotIndexedError before there are any; ModelError for a model that is not here.
        """
        from codeindex.ingest.sync.estimate import estimate_upgrade

        wanted = self._model_here(model)
        return estimate_upgrade(self._site(QUIET, wanted), self._encoder(wanted))

    def upgrade_embeddings(self, model: str, *, progress: Progress = QUIET) -> UpgradeResult:
        """Make all vectors again with MODEL, and swap; the old ones answer until then.

        Killed at any moment, the next call goes on where this one was. The old index is kept until
        `confirm_upgrade`. UpgradeError if there is nothing to do, LockedError if another process
        is at it.
        """
        from codeindex.ingest.sync.upgrade import upgrade_model

        return upgrade_model(self._site(progress, self._model_here(model)))

    def undo_upgrade(self, *, progress: Progress = QUIET) -> UpgradeResult:
        """Return to the index of before the last upgrade, with what has changed since."""
        from codeindex.ingest.sync.upgrade import revert_upgrade

        found = self.upgrade_standing()
        if found.is_kept and not found.former:
            raise UpgradeError(
                "The index of before was made without a model: `codeindex index --rebuild` with"
                " `embedding.model: none` makes such a one."
            )
        return revert_upgrade(
            self._site(progress, self._model_here(found.former) if found.former else None)
        )

    def confirm_upgrade(self) -> int:
        """Delete the index of before the last upgrade; return how many bytes it took."""
        from codeindex.ingest.sync.upgrade import confirm_upgrade

        return confirm_upgrade(self.repository)

    def upgrade_standing(self) -> UpgradeStatus:
        """Say how far an upgrade is, and what is kept of the last one."""
        from codeindex.store.shadow_index import upgrade_status

        return upgrade_status(self.repository)

    def _model_here(self, model: str) -> Model:
        """Return a model that can be used at once; only `models pull` fetches one."""
        from codeindex.config import data_home
        from codeindex.embed.choose import ready_model
        from codeindex.embed.installed import model_remedy, model_status
        from codeindex.embed.lock import find_model, load_lock

        with self.reader().catalog() as (_, generation):
            if not generation.complete:
                raise NotIndexedError("The index is not finished yet: run `codeindex index` first.")
        found = find_model(load_lock(data_home()), model)
        if ready_model(data_home(), model) is None:
            state = model_status(data_home(), found)
            raise ModelError(
                f"Model {model} is {state}: {model_remedy(found)}, then upgrade to it."
            )
        return found
