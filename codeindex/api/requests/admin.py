"""Requests that check, repair, delete or upgrade an index: `Index.admin`."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from codeindex.api.requests.base import Request
from codeindex.api.requests.core import Progress, no_progress
from codeindex.api.requests.fields import Path


@dataclass(frozen=True, slots=True)
class VerifyRequest(Request, capability="admin.verify"):
    """Compare every store with the files and the others; nothing is changed.

    `deep` looks at everything, reads every file again and embeds some chunks anew.
    NotIndexedError without an index, LockedError while a sync changes it under our eyes.
    """

    _: KW_ONLY
    deep: bool = False


@dataclass(frozen=True, slots=True)
class RepairRequest(Request, capability="admin.repair"):
    """Make again what `verify` finds broken; what is sound is not embedded anew.

    LockedError while another process writes.
    """

    _: KW_ONLY
    deep: bool = False
    progress: Progress = no_progress


@dataclass(frozen=True, slots=True)
class InvalidateFileRequest(Request, capability="admin.invalidate_file"):
    """Bring a change of the file PATH into the index now, unless another process is at it.

    Answers compare every file that they cite with the disk in any case. A repository that was
    never indexed is not indexed by this.
    """

    path: Path


@dataclass(frozen=True, slots=True)
class InvalidateRequest(Request, capability="admin.invalidate"):
    """Have the next sync read every file again, whatever is known of it.

    Searches go on with what there is until then.
    """


@dataclass(frozen=True, slots=True)
class UpgradeEstimateRequest(Request, capability="admin.upgrade_estimate"):
    """Say what an upgrade to MODEL would take, from chunks that are embedded to measure it.

    NotIndexedError before there are any; ModelError for a model that is not here.
    """

    model: str


@dataclass(frozen=True, slots=True)
class UpgradeEmbeddingsRequest(Request, capability="admin.upgrade_embeddings"):
    """Make all vectors again with MODEL, and swap; the old ones answer until then.

    Killed at any moment, the next call goes on where this one was. The old index is kept until
    `confirm_upgrade`. UpgradeError if there is nothing to do, LockedError if another process
    is at it.
    """

    model: str
    _: KW_ONLY
    progress: Progress = no_progress


@dataclass(frozen=True, slots=True)
class UndoUpgradeRequest(Request, capability="admin.undo_upgrade"):
    """Return to the index of before the last upgrade, with what has changed since."""

    _: KW_ONLY
    progress: Progress = no_progress
