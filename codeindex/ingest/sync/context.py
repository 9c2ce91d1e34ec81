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
from codeindex.store.cache.caches import EmbeddingCache, StatCache
from codeindex.store.datadir.home import Repository
from codeindex.types import SourceFile

if TYPE_CHECKING:
    from codeindex.embed.static_model import StaticModel
    from codeindex.ingest.bundle.reader import Bundle
    from codeindex.store.cache.shared_vectors import SharedVectors

SyncProgress = Callable[[str, int, int], None]
"""Called with (phase, done, total) in the thread that syncs; an exception ends the sync."""

ChooseFiles = Callable[[Sequence[SourceFile], str], Sequence[SourceFile]]
"""Called with (files, question); returns those of the files that are likeliest to answer it."""


@dataclass(frozen=True, slots=True)
class WaitingQuestions:
    """The questions that wait for a first sync, which stores the files for them before others."""

    next_question: Callable[[], str]
    """Returns the question that has waited longest; "" if none waits."""
    choose: ChooseFiles


@dataclass(frozen=True, slots=True)
class SyncContext:
    """Everything that a sync of one repository needs; caches and worker pool outlive it."""

    repository: Repository
    config: Config
    encoder: Encoder | None
    """The transformer; None without one."""
    static: StaticModel | None
    """The static model; None if the configuration disables embeddings."""
    stat_cache: StatCache
    embeddings: EmbeddingCache
    pool: Callable[[WorkerSettings], WorkerPool]
    progress: SyncProgress
    shared_vectors: SharedVectors | None = None
    """The vector cache of a team; None without one."""
    bundle: Bundle | None = None
    """A bundle with the parse of files; None without one."""
    questions: WaitingQuestions | None = None
    """The questions that wait for a first sync; None to store files in the order of paths."""
    expected_model: str | None = None
    """Identity of the published model when the encoder was chosen; None skips the check."""

    @property
    def settings(self) -> str:
        """Digest of all settings that decide what is stored.

        When it changes, every file is read again.
        """
        return settings_digest(self.config)

    def worker_pool(self) -> WorkerPool:
        """Return the pool of processes that read and parse the files of this repository."""
        home = self.repository.folder.parents[1]
        settings = WorkerSettings.of_repository(self.repository.root, self.config, home)
        return self.pool(settings)


def model_identity(model: Model, config: Config) -> str:
    """Return a text that identifies a model's vectors: `id@digest/max_tokens`."""
    return f"{model.id}@{model.fingerprint[:16]}/{config.embedding.max_tokens}"
