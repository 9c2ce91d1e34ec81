"""The pickled graph: what is written comes back, anything else runs nothing."""

from __future__ import annotations

import hashlib
import os
import pickle
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from codeindex.errors import DamagedError
from codeindex.store.catalog.connection import Catalog
from codeindex.store.exports.networkx_graph import build_graph, read_graph, write_graph
from codeindex.store.graph.write_edges import store_resolution
from codeindex.types import EdgeRecord, FileResolution, PreparedFile, Symbol, SymbolKind
from tests.prepared_files import prepared_file, store_file


def file(path: str, *symbols: str) -> PreparedFile:
    return prepared_file(
        path,
        symbols=tuple(
            Symbol(name.rpartition(".")[2], name, SymbolKind.FUNCTION, 1, 1, 2) for name in symbols
        ),
    )


def built(folder: Path) -> Any:
    with Catalog.create(folder / "catalog.sqlite") as catalog:
        with catalog.writing():
            for parsed in (file("a.py", "Cart", "Cart.total"), file("b.py")):
                store_file(catalog.connection, parsed, module="m", is_navigation=False)
        return build_graph(catalog, repository="shop")


class Boom:
    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Any, ...]:
        return (os.mkdir, (str(self.marker),))


def test_files_hold_symbols_and_symbols_hold_members(tmp_path: Path) -> None:
    graph = built(tmp_path)
    assert set(graph.successors("shop")) == {"a.py", "b.py"}
    assert list(graph.successors("a.py")) == ["a.py::Cart"]
    assert list(graph.successors("a.py::Cart")) == ["a.py::Cart.total"]
    assert graph.nodes["a.py::Cart.total"]["kind"] == "function"


def test_a_graph_comes_back_as_it_was_written(tmp_path: Path) -> None:
    graph = built(tmp_path)
    digest = write_graph(graph, tmp_path / "g.pickle")
    back = read_graph(tmp_path / "g.pickle", digest)
    assert nx.utils.graphs_equal(back, graph)


def test_a_key_is_pickled_once_however_many_edges_it_has(tmp_path: Path) -> None:
    with Catalog.create(tmp_path / "catalog.sqlite") as catalog:
        sql = catalog.connection
        with catalog.writing():
            for parsed in (file("a.py", "Cart", "Cart.total"), file("b.py", "pay")):
                store_file(sql, parsed, module="m", is_navigation=False)
            files = dict(sql.execute("SELECT path, id FROM files"))
            symbols = dict(sql.execute("SELECT qualified, id FROM symbols"))
            edges = [
                EdgeRecord(symbols["pay"], kind, "resolved", files["a.py"], symbols["Cart"], "", at)
                for kind in ("calls", "references")
                for at in ("7", "8 9")
            ]
            resolution = FileResolution(files["b.py"], edges, [], "", [])
            store_resolution(sql, resolution)
        graph = build_graph(catalog, repository="shop")
    assert graph.number_of_edges("b.py::pay", "a.py::Cart") == len(edges)
    written = pickle.dumps(graph)
    for text in (b"b.py::pay", b"a.py::Cart.total", b"resolved"):
        assert written.count(text) == 1


def test_another_file_than_was_written_is_not_unpickled(tmp_path: Path) -> None:
    path, marker = tmp_path / "g.pickle", tmp_path / "ran"
    digest = write_graph(built(tmp_path), path)
    path.write_bytes(pickle.dumps(Boom(marker)))
    with pytest.raises(DamagedError, match="was changed after it was written"):
        read_graph(path, digest)
    assert not marker.exists()


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_foreign_class_is_refused_even_under_the_right_digest(
    tmp_path: Path, protocol: int
) -> None:
    path, marker = tmp_path / "g.pickle", tmp_path / "ran"
    path.write_bytes(data := zlib.compress(pickle.dumps(Boom(marker), protocol=protocol)))
    with pytest.raises(DamagedError, match="which codeindex never writes"):
        read_graph(path, hashlib.sha256(data).hexdigest())
    assert not marker.exists()


@pytest.mark.parametrize("data", [b"", b"no pickle", pickle.dumps({"a": 1}), b"\x80\x05."])
@pytest.mark.parametrize("pack", [bytes, zlib.compress])
def test_a_file_that_is_no_graph_counts_as_damaged(
    tmp_path: Path, data: bytes, pack: Callable[[bytes], bytes]
) -> None:
    data = pack(data)
    (tmp_path / "g.pickle").write_bytes(data)
    with pytest.raises(DamagedError, match=r"g\.pickle"):
        read_graph(tmp_path / "g.pickle", hashlib.sha256(data).hexdigest())


def test_a_graph_that_is_gone_is_damaged(tmp_path: Path) -> None:
    with pytest.raises(DamagedError, match="cannot be read"):
        read_graph(tmp_path / "g.pickle", "")
