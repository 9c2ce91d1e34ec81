"""Files resolved by child processes: the outcome is that of one process, whatever befalls them."""

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from codeindex import Index
from codeindex.graph.file_resolution import CatalogReader, resolve_file
from codeindex.graph.resolver_pool import ResolverPool
from codeindex.graph.update import begin_update, store_edges
from codeindex.store.catalog.connection import Catalog
from tests.conftest import Repository

FILES = 130
"""More than there are in three requests."""
MEMORY_MB = 1024


@pytest.fixture
def catalog(home: Path, repository: Repository) -> Path:
    """Index a package whose modules call each other, and forget that they were resolved."""
    modules = {f"shop/m{n}.py": module(n, (n * 7 + 1) % FILES) for n in range(FILES)}
    with Index.open(repository({"shop/__init__.py": "", **modules})) as index:
        index.sync(structure_only=True)
    (path,) = home.glob("repos/*/catalog.sqlite")
    return path


def module(number: int, other: int) -> str:
    return (
        f"import os\nfrom shop.m{other} import run{other} as other\n\n"
        f"class C{number}:\n    def go(self):\n        return self.run(other())\n"
        "    def run(self, x):\n        return os.path.join(x.name())\n\n"
        f"def run{number}():\n    return C{number}().go()\n"
    )


def stored(connection: sqlite3.Connection) -> list[tuple[object, ...]]:
    edges = connection.execute(
        "SELECT source_file, source_symbol, kind, certainty, target_file, target_symbol,"
        " target_name, lines FROM edges ORDER BY id"
    ).fetchall()
    states = connection.execute(
        "SELECT file_id, resolved, interface = shown, asked, found, consulted FROM relations"
        " ORDER BY file_id"
    ).fetchall()
    return [*edges, *states]


def update_edges(catalog: Catalog, resolvers: ResolverPool, **options: Any) -> int:
    """Resolve the files that need it, and store their edges; return the number of files."""
    update = begin_update(catalog, resolvers, **options)
    return store_edges(catalog, update, progress=lambda *_: None) if update else 0


@contextmanager
def two_children(path: Path) -> Iterator[tuple[ResolverPool, CatalogReader, Sequence[int]]]:
    """Yield (pool of two children, reader of the catalog, ids of all files in it)."""
    with (
        Catalog.create(path) as catalog,
        ResolverPool(path, size=2, memory_mb=MEMORY_MB) as resolvers,
    ):
        reader = CatalogReader(catalog.connection)
        yield resolvers, reader, sorted(reader.paths)


def related_anew(path: Path, *, size: int, alone: int) -> list[tuple[object, ...]]:
    with (
        Catalog.create(path) as catalog,
        ResolverPool(path, size=size, memory_mb=MEMORY_MB) as resolvers,
    ):
        with catalog.writing():
            catalog.connection.execute("DELETE FROM edge_rows")
            catalog.connection.execute(
                "UPDATE relations SET resolved = 0, asked = x'', found = '', consulted = x''"
            )
        count = update_edges(catalog, resolvers, alone=alone)
        assert count > FILES
        return stored(catalog.connection)


@pytest.mark.parametrize("size", [1, 2])
def test_the_outcome_does_not_depend_on_who_resolves(catalog: Path, size: int) -> None:
    here = related_anew(catalog, size=size, alone=10**6)
    assert len(here) > 5 * FILES
    assert related_anew(catalog, size=size, alone=0) == here


def test_few_files_start_no_process(catalog: Path) -> None:
    with Catalog.open(catalog) as opened, ResolverPool(catalog, size=2, memory_mb=64) as resolvers:
        assert update_edges(opened, resolvers) == 0
        assert resolvers.processes() == []


def test_children_resolve_while_their_parent_does_other_work(catalog: Path) -> None:
    with two_children(catalog) as (both, reader, files):
        found = both.resolutions(files, reader)
        for _ in range(600):
            if both.processes():
                break
            time.sleep(0.05)
        assert both.processes()  # nothing has asked for a resolution yet
        assert len(list(found)) == len(files)


def test_what_a_killed_child_had_to_resolve_is_resolved_all_the_same(catalog: Path) -> None:
    with two_children(catalog) as (both, reader, files):
        found = both.resolutions(files, reader)
        first = next(found)
        for process in both.processes():
            process.kill()
        assert [as_tuples(one) for one in (first, *found)] == [
            as_tuples(resolve_file(reader, one)) for one in files
        ]


def test_children_that_cannot_live_cost_no_edge(catalog: Path, tmp_path: Path) -> None:
    here = related_anew(catalog, size=2, alone=10**6)
    with Catalog.create(catalog) as opened:
        reader = CatalogReader(opened.connection)
        with ResolverPool(tmp_path / "absent", size=2, memory_mb=MEMORY_MB) as dying:
            found = list(dying.resolutions(sorted(reader.paths), reader))
        edges = [edge for one in found for edge in one.edges]
        assert len(edges) == len([row for row in here if len(row) == 8])


def as_tuples(value: object) -> object:
    """Return a resolution as it is after a way through JSON."""
    return [as_tuples(one) for one in value] if isinstance(value, (list, tuple)) else value
