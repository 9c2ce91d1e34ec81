"""Names outside the repository are found by their last part for as long as something uses them."""

from __future__ import annotations

from pathlib import Path

from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.write_files import delete_files
from codeindex.store.graph.edges import external_names
from codeindex.store.graph.import_targets import files_imported_as, modules_ending
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
        assert sql.execute("SELECT count(*) FROM edge_names").fetchone() == (0,)


def test_a_name_is_stored_once_for_all_its_edges_and_kept_while_one_has_it(tmp_path: Path) -> None:
    with Catalog.create(tmp_path / "catalog.sqlite") as catalog, catalog.writing():
        sql = catalog.connection
        for path in ("a.py", "b.py"):
            store_file(sql, prepared_file(path), module="m", is_navigation=False)
        first, second = (row[0] for row in sql.execute("SELECT id FROM files ORDER BY path"))
        imports = [
            EdgeRecord(None, "imports", "resolved", second, None, "shop/cart", "1"),
            EdgeRecord(None, "imports", "resolved", None, None, "os", "2"),
            EdgeRecord(None, "calls", "ambiguous", second, None, "/3", "3"),
            EdgeRecord(None, "calls", "resolved", second, None, "", "4"),
        ]
        store_resolution(sql, FileResolution(first, imports, [], "", []))
        store_resolution(sql, FileResolution(second, imports[:2], [], "", []))
        names = "SELECT name FROM edge_names ORDER BY name"
        assert [name for (name,) in sql.execute(names)] == ["/3", "os", "shop/cart"]
        written = "SELECT target_name FROM edges WHERE source_file = ? ORDER BY lines"
        assert [name for (name,) in sql.execute(written, (first,))] == ["shop/cart", "os", "/3", ""]
        assert files_imported_as(sql, "shop/cart") == {second}
        assert modules_ending(sql, "cart") == ["shop/cart"]
        delete_files(sql, [first])
        assert files_imported_as(sql, "shop/cart") == {second}
        store_resolution(sql, uses(second, "os"))
        assert [name for (name,) in sql.execute(names)] == ["/3", "os"]
