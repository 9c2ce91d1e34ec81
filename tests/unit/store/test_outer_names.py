"""Names outside the repository are found by their last part for as long as something uses them."""

from __future__ import annotations

from pathlib import Path

from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.write_files import delete_files
from codeindex.store.graph.edges import external_names
from codeindex.store.graph.write_edges import store_resolution
from codeindex.types import EdgeRecord, FileResolution
from tests.prepared_files import prepared_file, store_file


def uses(file_id: int, *names: str) -> FileResolution:
    edges = [EdgeRecord(None, "calls", "resolved", None, None, name, "1") for name in names]
    return FileResolution(file_id, edges, [], "", [])


def test_a_name_is_found_until_its_last_use_is_deleted(tmp_path: Path) -> None:
    with Catalog.create(tmp_path / "catalog.sqlite") as catalog:
        sql = catalog.connection
        with catalog.writing():
            for path in ("a.py", "b.py"):
                store_file(sql, prepared_file(path), module="m", is_navigation=False)
            first, second = (row[0] for row in sql.execute("SELECT id FROM files ORDER BY path"))
            store_resolution(sql, uses(first, "requests.get", "std::env::get", "widget", "a/get"))
            store_resolution(sql, uses(second, "requests.get"))
        assert external_names(sql, "get") == ["a/get", "requests.get", "std::env::get"]
        assert external_names(sql, "requests.get") == ["requests.get"]
        assert external_names(sql, "get", imported=True) == []
        with catalog.writing():
            store_resolution(sql, uses(first, "requests.get"))
        assert external_names(sql, "get") == ["requests.get"]
        with catalog.writing():
            delete_files(sql, [first])
        assert external_names(sql, "get") == ["requests.get"]
        with catalog.writing():
            delete_files(sql, [second])
        assert sql.execute("SELECT count(*) FROM outer_names").fetchone() == (0,)
