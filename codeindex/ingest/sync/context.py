"""Define the inputs of a sync: repository, configuration, models, caches and worker pool."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codeindex.config import Config
from codeindex.embed.encoder import Encoder
from codeindex.embed.lock import Model
from codeindex.ingest.sync.settings_digest import settings_digest
from codeindex.ingest.workers.child import WorkerSettings
from codeindex.ingest.workers.pool import WorkerPool
from codeindex.store.cache.caches import EmbeddingCache, MerkleCache
from codeindex.store.datadir.home import Repository, fingerprint_key_file
from codeindex.types import SourceFile

if TYPE_CHECKING:
    from codeindex.embed.static_model import StaticModel
    from codeindex.ingest.bundle.reader import Bundle
    from codeindex.store.cache.shared_vectors import SharedVectors

SyncProgress = Callable[[str, int, int], None]
"""Called with (phase, done, total) in the thread that syncs; an exception ends the sync."""

ChooseFiles = Callable[[Sequence[SourceFile]], Sequence[SourceFile]]
"""Returns the files, of those that a first sync has to read, which it is to store first."""


@dataclass(frozen=True, slots=True)
class SyncContext:
    """Everything that a sync of one repository needs; caches and worker pool outlive it."""

    repository: Repository
    config: Config
    encoder: Encoder | None
    """The transformer; None without one."""
    static: StaticModel | None
    """The static model; None if the configuration disables embeddings."""
    merkle: MerkleCache
    embeddings: EmbeddingCache
    pool: Callable[[WorkerSettings], WorkerPool]
    progress: SyncProgress
    shared_vectors: SharedVectors | None = None
    """The vector cache of a team; None without one."""
    bundle: Bundle | None = None
    """A bundle with the parse of files; None without one."""
    choose_first: ChooseFiles | None = None
    """Chooses the files that a first sync stores first; None for the order of paths."""
    expected_model: str | None = None
    """Identity of the published model when the encoder was chosen; None skips the check."""


@dataclass(frozen=True, slots=True)
class StructureJob:
    """The inputs of the structure phase: everything that a sync does before it embeds chunks."""

    repository: Repository
    config: Config
    settings: str
    """Digest of all settings that decide what is stored: when it changes, every file is read
    again."""
    merkle: MerkleCache
    pool: Callable[[], WorkerPool]
    static: StaticModel | None
    progress: SyncProgress
    bundle: Bundle | None = None
    choose_first: ChooseFiles | None = None


def make_structure_job(context: SyncContext) -> StructureJob:
    """Return the inputs of the structure phase, taken from the context of a sync."""
    settings = WorkerSettings(
        root=context.repository.root,
        limits=context.config.limits,
        secrets=context.config.secrets,
        secret_patterns=context.config.secret_patterns,
        fingerprint_key=fingerprint_key_file(context.repository.folder.parents[1]),
    )
    return StructureJob(
        repository=context.repository,
        config=context.config,
        settings=settings_digest(context.config),
        merkle=context.merkle,
        pool=lambda: context.pool(settings),
        static=context.static,
        progress=context.progress,
        bundle=context.bundle,
        choose_first=context.choose_first,
    )


def model_identity(model: Model, config: Config) -> str:
    """Return a text that identifies a model's vectors: `id@digest/max_tokens`."""
    return f"{model.id}@{model.fingerprint[:16]}/{config.embedding.max_tokens}"
