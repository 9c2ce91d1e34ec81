"""The library: everything that scripts, the command line and the MCP server can do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Self

from codeindex.api.asking import QUIET, Progress
from codeindex.api.freshness import MOST
from codeindex.api.intelligence import Intelligence
from codeindex.api.resources import Resources
from codeindex.api.typed import typed
from codeindex.config import Settings, cpu_count, data_home, load_settings, settings_files
from codeindex.errors import (
    LockedError,
    NotIndexedError,
    StoreError,
    SupersededError,
)
from codeindex.store.datadir.filesystem import network_warning
from codeindex.store.datadir.home import (
    Repository,
    fingerprint_key_file,
    prepare_home,
    register,
    repository_at_root,
    repository_for_root,
    repository_named,
)
from codeindex.store.datadir.index_options import (
    apply_options,
    options_file,
    read_options,
    save_options,
)
from codeindex.store.datadir.roots import RootScope, locate_root

if TYPE_CHECKING:
    from codeindex.embed.encoder import Encoder
    from codeindex.embed.lock import Model
    from codeindex.ingest.sync.context import SyncContext
    from codeindex.ingest.sync.incremental import IncrementalResult
    from codeindex.ingest.workers.pool import WorkerPool
    from codeindex.search.reader import IndexReader
    from codeindex.store.exports.networkx_graph import Graph
    from codeindex.types import Filters, Skipped, Status, SyncReport, TestScope, WatchedPath


@typed
class Index(Intelligence):
    """The index of one repository; opening it reads nothing and imports nothing heavy.

    Safe to share between threads. Close it, or use it as a context manager.
    """

    def __init__(
        self,
        place: RootScope,
        settings: Settings,
        repository: Repository,
        *,
        flags: Mapping[str, object] | None = None,
        rename: bool = False,
    ) -> None:
        self.root = place.root
        self.part = place.part
        self.settings = settings
        self.repository = repository
        self._flags = flags
        self._rename = rename
        self._open = Resources()
        self.model_choice = ""
        """Why the last sync used the model it used, in one clause."""

    @classmethod
    def open(
        cls,
        path: str | Path = ".",
        *,
        root: bool = False,
        name: str = "",
        flags: Mapping[str, object] | None = None,
    ) -> Self:
        """Open the index that `path` belongs to, a folder or the name of a registered repository.

        The first sync registers a new repository, under `name` if one is given; an indexed one is
        renamed by it. RootError, ConfigError and, for a name that is taken, ScopeError.
        `flags` are settings by dotted key that win over all files; a sync keeps them for the next
        ones of this root.
        """
        place = locate_root(path, root=root)
        before = tuple(map(_times_of, settings_files(place.root)))
        settings = load_settings(place.root)
        if name:
            repository = repository_named(data_home(), place.root, name)
        else:
            wanted = settings.config.name or place.root.name
            repository = repository_for_root(data_home(), place.root, name=wanted)
        times = (*before, _times_of(options_file(repository)))
        given = read_options(repository) if flags is None else flags
        settings = apply_options(settings, place.root, given)
        index = cls(place, settings, repository, flags=flags, rename=bool(name))
        index._open.settings_times = times
        return index

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of processes, files and the model; the index can be used again after."""
        with self._open.lock:
            self._open.close()
            times, self._open = self._open.settings_times, Resources()
            self._open.settings_times = times

    @property
    def is_indexed(self) -> bool:
        """True once a sync has published anything; a broken index is one, and is repaired."""
        try:
            with self.reader().catalog():
                return True
        except NotIndexedError:
            return False
        except StoreError:
            return True

    def sync(
        self,
        *,
        structure_only: bool = False,
        rebuild: bool = False,
        may_fetch: bool = False,
        wait_seconds: float = 0.0,
        progress: Progress = QUIET,
    ) -> SyncReport:
        """Index what changed; `structure_only` stops before embedding, `rebuild` starts anew.

        `may_fetch` allows the one download of the pinned model. Killed at any moment, the next
        sync goes on where this one was. LockedError if another process is syncing, and still is
        after `wait_seconds`.
        """
        prepare_home(data_home())
        self._renew_settings()
        former = repository_at_root(data_home(), self.root) if self._rename else None
        self.repository = register(self.repository, rename=self._rename)
        if self._flags is not None:
            save_options(self.repository, self._flags)
        fetch = may_fetch and not structure_only
        report = self._synced(
            structure_only, rebuild, may_fetch=fetch, wait_seconds=wait_seconds, progress=progress
        )
        notes = [*network_warning(data_home())]
        if former is not None and former.name != self.repository.name:
            notes.append(f"The repository {former.name!r} is called {self.repository.name!r} now.")
        return replace(report, notes=(*notes, *report.notes)) if notes else report

    def reload(self) -> None:
        """Read the settings again; ConfigError leaves them as they were."""
        given = read_options(self.repository) if self._flags is None else self._flags
        self.settings = apply_options(load_settings(self.root), self.root, given)

    def _settings_times(self) -> tuple[object, ...]:
        files = (*settings_files(self.root), options_file(self.repository))
        return tuple(map(_times_of, files))

    def _synced(
        self,
        structure_only: bool,
        rebuild: bool,
        *,
        may_fetch: bool,
        wait_seconds: float,
        progress: Progress,
    ) -> SyncReport:
        """Sync with the model that the index has, and again if it has just been given another."""
        from codeindex.api.model_selection import published_model
        from codeindex.ingest.sync.repository import sync_repository

        while True:
            published = published_model(self.repository)
            kept = "" if rebuild else published
            model = self._model(kept, progress, may_fetch=may_fetch)
            site = replace(self._site(progress, model), expected_model=published)
            with suppress(SupersededError):
                return sync_repository(
                    site, structure_only=structure_only, rebuild=rebuild, wait_seconds=wait_seconds
                )

    def status(self) -> Status:
        """Say what is indexed, how fresh it is, and what it was made with."""
        from codeindex.search.status import read_status

        status = read_status(self.reader(), self.repository, self.settings)
        return replace(status, notes=(*network_warning(data_home()), *status.notes))

    def files(
        self, *, filters: Filters | None = None, tests: TestScope = "include"
    ) -> tuple[str, ...]:
        """Return the paths of the indexed files that a search with these filters looks at."""
        from codeindex.search.filters import file_mask

        wanted = self._filters(filters, tests)
        self._freshen(related=False)
        with self.reader().corpus() as (_, corpus):
            known = file_mask(corpus, wanted) & corpus.is_indexed
            return tuple(compress(corpus.paths, known))

    def skipped(self) -> tuple[Skipped, ...]:
        """Return what is not indexed, each with its reason."""
        from codeindex.search.status import list_skipped

        with self.reader().catalog() as (catalog, _):
            return list_skipped(catalog)

    def graph(self) -> Graph:
        """Return the networkx graph of files and symbols, pickled anew if it is behind."""
        from codeindex.ingest.sync.export import current_graph

        self._related()
        with self.reader().catalog() as (_, generation):
            published = generation
        return current_graph(self.repository, published)

    def _take_in(
        self,
        paths: Sequence[str] | None,
        *,
        moved: Sequence[WatchedPath] = (),
        most: int = MOST,
        related: bool = True,
    ) -> IncrementalResult:
        from codeindex.ingest.sync.refresh import refresh_index

        return refresh_index(self._own_site(), paths, moved=moved, most=most, related=related)

    def _relate(self) -> None:
        from codeindex.ingest.sync.refresh import link_remaining

        link_remaining(self._own_site())

    def _mend(self, *, rebuild: bool) -> None:
        """Sync the structure of an index that cannot be read, unless another process is at it."""
        with self._open.refreshing, suppress(LockedError):
            self.sync(structure_only=True, rebuild=rebuild)

    def reader(self) -> IndexReader:
        """Return the reading side, for code that looks deeper than an answer."""
        from codeindex.search.reader import IndexReader

        with self._open.lock:
            if self._open.reader is None:
                limit = self.settings.config.search.exact_limit
                self._open.reader = IndexReader(self.repository, exact_limit=limit)
            return self._open.reader

    def use_encoders(self, encoders: dict[str, Encoder]) -> None:
        """Share the models that are opened, by their ids, with other indexes."""
        with self._open.lock:
            self._open.encoders = encoders

    def encoder_of(self, identity: str) -> Encoder | None:
        """Return the model that vectors of this identity were made with, if it is still here.

        One of the same name and other bytes is another model.
        """
        if not identity:
            return None
        from codeindex.embed.choose import NO_MODEL, ready_model

        if self.settings.config.embedding.model == NO_MODEL:
            return None
        name, _, rest = identity.partition("@")
        opened = self._open.encoders.get(name)
        model = opened.model if opened else ready_model(data_home(), name)
        if model is None or not model.fingerprint.startswith(rest.partition("/")[0]):
            return None
        return opened or self._encoder(model)

    def _encoder(self, model: Model) -> Encoder:
        from codeindex.embed.encoder import Encoder

        with self._open.lock:
            if model.id not in self._open.encoders:
                self._open.encoders[model.id] = Encoder(data_home(), model, threads=cpu_count())
            return self._open.encoders[model.id]

    def _workers(self) -> WorkerPool:
        """Return workers that redact as a sync does; what they cut needs no model's tokens."""
        from codeindex.ingest.workers.pool import WorkerSettings

        config = self.settings.config
        settings = WorkerSettings(
            root=self.root,
            tokenizer="",
            limits=config.limits,
            secrets=config.secrets,
            secret_patterns=config.secret_patterns,
            fingerprint_key=fingerprint_key_file(data_home()),
        )
        return self._open.pool(settings)

    def _site(self, progress: Progress, model: Model | None) -> SyncContext:
        from codeindex.ingest.sync.context import SyncContext

        merkle, embeddings = self._open.caches(self.settings)
        return SyncContext(
            repository=self.repository,
            config=self.settings.config,
            encoder=self._encoder(model) if model else None,
            merkle=merkle,
            embeddings=embeddings,
            pool=self._open.pool,
            progress=progress,
        )

    def _own_site(self) -> SyncContext:
        from codeindex.api.model_selection import published_model

        published = published_model(self.repository)
        return self._site(QUIET, self._model(published, QUIET, may_fetch=False))

    def _model(self, published: str, progress: Progress, *, may_fetch: bool) -> Model | None:
        from codeindex.api.model_selection import select_model

        config = self.settings.config
        choice = select_model(published, config, may_fetch=may_fetch, progress=progress)
        self.model_choice = choice.why
        return choice.model


def _times_of(file: Path) -> tuple[int, ...] | None:
    try:
        found = file.stat()  # through a link: many keep their settings elsewhere
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino
