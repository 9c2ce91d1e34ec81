"""Link the stored files to each other: edges, groups of similar files, mentions in documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from codeindex.config import cpu_count
from codeindex.graph.resolver_pool import ResolverPool
from codeindex.graph.update import EdgeUpdate, begin_update, store_edges
from codeindex.ingest.derive.mentions import update_mentions
from codeindex.ingest.derive.patterns import update_patterns
from codeindex.ingest.discover.module_names import module_of
from codeindex.ingest.sync.context import SyncContext
from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.files import file_records, mark_surveyed, set_modules
from codeindex.store.catalog.relations import mark_edges_current


@contextmanager
def linking(
    context: SyncContext, catalog: Catalog, *, renames_modules: bool
) -> Iterator[Callable[[], None]]:
    """Begin to link files after they were stored; yield the function that stores all links.

    The links are edges, patterns and mentions. If many files are to be resolved, child processes
    begin with it, and the caller can do other work before it calls the function.
    `renames_modules` is True if files were added or removed, so that modules may have new names.
    """
    if renames_modules:
        _update_modules(catalog)
    with ResolverPool(
        context.repository.catalog, size=cpu_count(), memory_mb=context.config.limits.memory_mb
    ) as resolvers:
        yield partial(_store_links, context, catalog, begin_update(catalog, resolvers))


def link_files(context: SyncContext, catalog: Catalog, *, renames_modules: bool) -> None:
    """Update all that links files to each other; the arguments are those of `linking`."""
    with linking(context, catalog, renames_modules=renames_modules) as store_links:
        store_links()


def _store_links(context: SyncContext, catalog: Catalog, edges: EdgeUpdate | None) -> None:
    if edges:
        store_edges(catalog, edges, progress=context.progress)
    with catalog.writing():
        update_patterns(catalog.connection, context.config)
        update_mentions(catalog)
        mark_surveyed(catalog.connection)
    with catalog.writing():
        mark_edges_current(catalog.connection)


def _update_modules(catalog: Catalog) -> None:
    """Store the new names of modules.

    A package file that was added or removed, like `__init__.py`, renames the modules in its
    package.
    """
    modules = {file.path: file.module for file in file_records(catalog.connection)}
    named = {path: module_of(path, modules.keys()) for path in modules}
    changed = {path: module for path, module in named.items() if module != modules[path]}
    if changed:
        with catalog.writing():
            set_modules(catalog.connection, changed)
