"""Hold the open state of one index, its root, settings and resources, and sync it.

`Index` and all its parts share one session. `Index.open` creates the session and must load no
database, no numpy and no parser, so the methods import what they need.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from codeindex.api.requests.core import ProgressCallback, SyncRequest, no_progress
from codeindex.api.resources import OpenModels, Resources
from codeindex.config import Settings, cpu_count, data_home, load_settings, settings_files
from codeindex.errors import ModelError, SupersededError
from codeindex.store.datadir.filesystem import network_warning
from codeindex.store.datadir.home import (
    Repository,
    fingerprint_key_file,
    prepare_home,
    register,
    repository_at_root,
)
from codeindex.store.datadir.index_options import (
    apply_options,
    options_file,
    read_options,
    save_options,
)
from codeindex.store.datadir.roots import RootScope
from codeindex.types import Filters, Skipped, SourceFile, Status, SyncReport

if TYPE_CHECKING:
    from codeindex.embed.encoder import Encoder, QueryEncoders
    from codeindex.embed.lock import Model
    from codeindex.embed.static_model import StaticModel
    from codeindex.ingest.bundle.reader import Bundle
    from codeindex.ingest.sync.context import SyncContext, WaitingQuestions
    from codeindex.ingest.workers.pool import WorkerPool
    from codeindex.search.reader import IndexReader
    from codeindex.store.cache.shared_vectors import SharedVectors
    from codeindex.store.catalog.connection import Generation
    from codeindex.store.catalog.hidden_files import Redact


class IndexSession:
    """The state that all parts of an open index share; safe to use from several threads."""

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
        """The path of the opened folder relative to the root; '' for the root itself."""
        self.settings = settings
        self.repository = repository
        self.resources = Resources()
        self.model_choice = ""
        """The reason for the last sync's choice of model, as one clause."""
        self._flags = flags
        self._rename = rename
        self._matching: tuple[Settings, str] | None = None
        """Settings and the digest of an index that was made with them; a digest takes 0.3 ms."""

    def close(self) -> None:
        """Close processes, files and the model; the next query opens them again.

        A model that is shared with other indexes stays open.
        """
        with self.resources.lock:
            self.resources.close()
            times = self.resources.settings_times
            self.resources = Resources(self.resources.shared)
            self.resources.settings_times = times

    def use_models(self, models: OpenModels) -> None:
        """Use open models that other indexes share; `close` leaves them open."""
        with self.resources.lock:
            self.resources.shared = self.resources.models = models

    def reader(self) -> IndexReader:
        """Return the reader of the published index."""
        from codeindex.search.reader import IndexReader

        limit = self.settings.config.search.exact_limit
        return self.resources.open_once(
            "reader",
            lambda: IndexReader(self.repository, exact_limit=limit, redaction=self._redaction),
        )

    def _redaction(self, generation: Generation) -> Redact | None:
        """Return a function that redacts stored text again; None if today's rules redacted it.

        The function also redacts lines that the user declared harmless; the next sync stores them
        as they are.
        """
        settings, known = self.settings, self._matching
        if known and known[0] is settings and known[1] == generation.settings:
            return None
        from codeindex.ingest.sync.settings_digest import matches_settings

        config = settings.config
        if matches_settings(generation.settings, config):
            self._matching = (settings, generation.settings)
            return None
        from codeindex.ingest.read.redact import redact_file, rules_of
        from codeindex.secrets.custom_patterns import SlowPatternError

        rules = rules_of(config, fingerprint_key_file(data_home())).without_lines()

        def redact(text: str, path: str) -> str:
            try:
                return redact_file(text, path=path, rules=rules).text
            except SlowPatternError:
                return ""

        return redact

    def reload_settings(self) -> None:
        """Read the settings again; if they raise ConfigError, the former ones stay in use."""
        given = read_options(self.repository) if self._flags is None else self._flags
        self.settings = apply_options(load_settings(self.root), self.root, given)

    def renew_settings(self) -> None:
        """Read the settings again if a settings file has changed.

        Raise ConfigError if they are invalid.
        """
        times = settings_times(self.root, self.repository)
        if times != self.resources.settings_times:
            if self.resources.settings_times is not None:
                self.reload_settings()
            self.resources.settings_times = times

    def sync(self, request: SyncRequest) -> SyncReport:
        """Register the repository, and index what changed since the last sync."""
        prepare_home(data_home())
        self.renew_settings()
        former = repository_at_root(data_home(), self.root) if self._rename else None
        self.repository = register(self.repository, rename=self._rename)
        if self._flags is not None:
            save_options(self.repository, self._flags)
        with self._open_bundle(request) as bundle, self._open_shared_vectors(request) as shared:
            report = self._sync_with_model(request, bundle, shared)
        if bundle:
            report = replace(report, notes=(*_bundle_notes(bundle, report), *report.notes))
        if shared and shared.note:
            report = replace(report, notes=(*report.notes, shared.note))
        notes = [*network_warning(data_home())]
        if former is not None and former.name != self.repository.name:
            notes.append(f"The repository {former.name!r} is called {self.repository.name!r} now.")
        return replace(report, notes=(*notes, *report.notes)) if notes else report

    @contextmanager
    def _open_bundle(self, request: SyncRequest) -> Iterator[Bundle | None]:
        """Fetch the bundle at `request.source` and keep it for the `with` block.

        Yield None without a source.
        """
        if not request.source:
            yield None
            return
        from codeindex.ingest.bundle.reader import open_bundle
        from codeindex.ingest.sync.bundle_versions import current_versions
        from codeindex.store.objects.open import open_store

        folder = self.repository.folder / f"bundle-{self.repository.key}"
        report = partial(request.progress, "bundle")
        store = open_store(request.source, offline=self.settings.config.offline)
        with open_bundle(store, folder, current_versions(), report) as bundle:
            yield bundle

    @contextmanager
    def _open_shared_vectors(self, request: SyncRequest) -> Iterator[SharedVectors | None]:
        """Open the team's vector cache of the setting `cache.shared`; yield None without one."""
        place = self.settings.config.cache.shared
        if not place or request.structure_only:
            yield None
            return
        from codeindex.store.cache.shared_vectors import SharedVectors

        with closing(SharedVectors(place, offline=self.settings.config.offline)) as shared:
            yield shared

    def _sync_with_model(
        self, request: SyncRequest, bundle: Bundle | None, shared: SharedVectors | None
    ) -> SyncReport:
        """Sync, with the model of the index.

        Sync again if another process gives the index another model in the meantime.
        """
        if request.rebuild or not self.repository.catalog.exists():
            self.workers().start(1)  # it starts while this process imports and finds the files
        from codeindex.ingest.sync.repository import sync_repository
        from codeindex.store.shadow_index import published_state

        may_fetch = request.may_fetch and not request.structure_only
        while True:
            published = published_state(self.repository).model
            kept = "" if request.rebuild else published
            model = self._select_model(kept, request.progress, may_fetch=may_fetch)
            context = replace(
                self.sync_context(request.progress, model),
                expected_model=published,
                bundle=bundle,
                shared_vectors=shared,
                questions=self._waiting_questions(request),
            )
            with suppress(SupersededError):
                return sync_repository(
                    context,
                    structure_only=request.structure_only,
                    rebuild=request.rebuild,
                    wait_seconds=request.wait_seconds,
                )

    def _waiting_questions(self, request: SyncRequest) -> WaitingQuestions:
        """Return the questions that wait for a first sync, and what chooses the files for them."""
        from codeindex.ingest.sync.context import WaitingQuestions

        def choose(files: Sequence[SourceFile], question: str) -> Sequence[SourceFile]:
            from codeindex.search.likely_files import choose_likely_files

            return choose_likely_files(self.root, files, question, request.filters or Filters())

        return WaitingQuestions(request.next_question, choose)

    def sync_context(self, progress: ProgressCallback, model: Model | None) -> SyncContext:
        """Return the inputs for a sync that embeds with `model`; None embeds nothing."""
        from codeindex.ingest.sync.context import SyncContext

        stat_cache, embeddings = self.resources.caches(self.settings)
        return SyncContext(
            repository=self.repository,
            config=self.settings.config,
            encoder=self.open_encoder(model) if model else None,
            static=self.static_model(),
            stat_cache=stat_cache,
            embeddings=embeddings,
            pool=self.resources.pool,
            progress=progress,
        )

    def published_context(self) -> SyncContext:
        """Return the inputs for a sync with the model of the published index."""
        from codeindex.store.shadow_index import published_state

        published = published_state(self.repository).model
        model = self._select_model(published, no_progress, may_fetch=False)
        return self.sync_context(no_progress, model)

    def status(self) -> Status:
        """Return what is indexed, whether it is complete, and which model computed its vectors."""
        from codeindex.search.status import read_status

        status = read_status(self.reader(), self.repository, self.settings)
        notes = (*network_warning(data_home()), *self._outdated_note(), *status.notes)
        return replace(status, notes=notes)

    def _outdated_note(self) -> Iterator[str]:
        """Yield a sentence if the files were indexed with other settings or another codeindex."""
        from codeindex.ingest.sync.settings_digest import matches_settings

        with self.reader().catalog() as (_, generation):
            if not matches_settings(generation.settings, self.settings.config):
                yield (
                    "The settings or codeindex have changed since the files were indexed:"
                    " `codeindex index` reads them again."
                )

    def skipped(self) -> tuple[Skipped, ...]:
        """Return the files and folders that are not indexed, each with the reason."""
        from codeindex.search.status import list_skipped

        with self.reader().catalog() as (catalog, _):
            return list_skipped(catalog)

    def _select_model(
        self, published: str, progress: ProgressCallback, *, may_fetch: bool
    ) -> Model | None:
        from codeindex.api.model_selection import select_model

        config = self.settings.config
        choice = select_model(published, config, may_fetch=may_fetch, progress=progress)
        self.model_choice = choice.why
        return choice.model

    def encoder_of(self, identity: str) -> Encoder | None:
        """Return the encoder that computed the vectors with this `identity`.

        None if it is not installed, or if the settings use no transformer. An installed model with
        the same name and other bytes counts as another model.
        """
        if not identity:
            return None
        from codeindex.embed.choose import WITHOUT_TRANSFORMER, ready_model

        if self.settings.config.embedding.model in WITHOUT_TRANSFORMER:
            return None
        name, _, rest = identity.partition("@")
        opened = self.resources.models.encoders.get(name)
        model = opened.model if opened else ready_model(data_home(), name)
        if model is None or not model.fingerprint.startswith(rest.partition("/")[0]):
            return None
        return opened or self.open_encoder(model)

    def static_model(self) -> StaticModel | None:
        """Return the static model; None if the configuration disables embeddings.

        Raise ModelError if its files are damaged.
        """
        from codeindex.embed.choose import NO_MODEL

        if self.settings.config.embedding.model == NO_MODEL:
            return None
        return self.resources.static_model()

    def query_encoders(self, generation: Generation) -> QueryEncoders:
        """Return the models with which queries are embedded for a generation's vectors.

        A model that cannot be used, for example because it is not installed, is None.
        """
        from codeindex.embed.encoder import QueryEncoders

        static = None
        made_by = generation.statistics.get("model")
        if made_by:
            try:
                static = self.static_model()
            except ModelError as error:
                logging.getLogger(__name__).warning("%s Searching without its vectors.", error)
        if static is not None and static.identity != made_by:
            static = None
        return QueryEncoders(self.encoder_of(generation.model), static)

    def open_encoder(self, model: Model) -> Encoder:
        """Return the encoder for a model, opened at its first use."""
        from codeindex.embed.encoder import Encoder

        with self.resources.lock:
            encoders = self.resources.models.encoders
            if model.id not in encoders:
                encoders[model.id] = Encoder(data_home(), model, threads=cpu_count())
            return encoders[model.id]

    def workers(self) -> WorkerPool:
        """Return the pool of worker processes, which parse and redact files as in a sync."""
        from codeindex.ingest.workers.child import WorkerSettings

        settings = WorkerSettings.of_repository(self.root, self.settings.config, data_home())
        return self.resources.pool(settings)


def _bundle_notes(bundle: Bundle, report: SyncReport) -> Iterator[str]:
    """Yield sentences about what a sync has taken from a bundle, and what it could not use."""
    yield from bundle.notes
    manifest = bundle.manifest
    commit = f" of commit {manifest.commit[:12]}" if manifest.commit else ""
    yield (
        f"{report.recorded:,} of {report.added + report.changed:,} files were taken from the"
        f" bundle{commit}, which has {manifest.files:,}."
    )
    if report.model and manifest.model != report.model:
        made = manifest.model.partition("@")[0] or "no model"
        yield f"The vectors of the bundle were computed by {made}, so the code was embedded here."


def settings_times(root: Path | None, repository: Repository | None = None) -> tuple[object, ...]:
    """Return (mtime, ctime, size, inode) of each settings file; None for a missing file.

    The result changes if a settings file does. With a repository, the last item describes the file
    of its stored flags.
    """
    files = settings_files(root) if root else ()
    flags = (options_file(repository),) if repository else ()
    return tuple(map(_file_state, (*files, *flags)))


def _file_state(file: Path) -> tuple[int, ...] | None:
    try:
        state = file.stat()  # through a link: many keep their settings elsewhere
    except OSError:
        return None
    return state.st_mtime_ns, state.st_ctime_ns, state.st_size, state.st_ino
