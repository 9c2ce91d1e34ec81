"""Define the requests that check, repair, delete or upgrade an index: `Index.admin`."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from codeindex.api.requests.base import Request
from codeindex.api.requests.core import ProgressCallback, no_progress
from codeindex.api.requests.fields import PathParameter


@dataclass(frozen=True, slots=True)
class VerifyRequest(Request, capability="admin.verify"):
    """Compare every store with the files and with the other stores; nothing is changed.

    `deep` checks everything, reads every file again and embeds some chunks anew. NotIndexedError
    without an index, LockedError while a sync changes it.
    """

    _: KW_ONLY
    deep: bool = False


@dataclass(frozen=True, slots=True)
class RepairRequest(Request, capability="admin.repair"):
    """Rebuild what `verify` finds broken; intact parts are not embedded again.

    LockedError while another process writes.
    """

    _: KW_ONLY
    deep: bool = False
    progress: ProgressCallback = no_progress


@dataclass(frozen=True, slots=True)
class InvalidateFileRequest(Request, capability="admin.invalidate_file"):
    """Index a change of the file PATH now, unless another process is syncing.

    Answers compare every cited file with the disk anyway. A repository that was never indexed
    is not indexed by this.
    """

    path: PathParameter


@dataclass(frozen=True, slots=True)
class InvalidateRequest(Request, capability="admin.invalidate"):
    """Make the next sync read every file again.

    Searches use the present index until then.
    """


@dataclass(frozen=True, slots=True)
class UpgradeEstimateRequest(Request, capability="admin.upgrade_estimate"):
    """Estimate the time and space of an upgrade to MODEL, by embedding some chunks.

    NotIndexedError without an index; ModelError for a model that is not installed.
    """

    model: str


@dataclass(frozen=True, slots=True)
class UpgradeEmbeddingsRequest(Request, capability="admin.upgrade_embeddings"):
    """Embed everything again with MODEL, then swap; searches use the old vectors until then.

    After a kill, the next call continues where this one stopped. The old index is kept until
    `confirm_upgrade`. UpgradeError if there is nothing to do, LockedError if another process is
    upgrading.
    """

    model: str
    _: KW_ONLY
    progress: ProgressCallback = no_progress


@dataclass(frozen=True, slots=True)
class UndoUpgradeRequest(Request, capability="admin.undo_upgrade"):
    """Return to the index before the last upgrade, and index what has changed since."""

    _: KW_ONLY
    progress: ProgressCallback = no_progress
