"""Export the graph as a pickled networkx graph; only this module imports networkx.

Searches do not load the export: `store.graph` answers neighbor queries in SQL. A pickle is read
only from the data folder, and only if its SHA-256 is the one in the catalog. The unpickler accepts
only the graph class of networkx and builtin containers.
"""

from __future__ import annotations

import hashlib
import io
import pickle
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codeindex.errors import DamagedError, refuse_shortage
from codeindex.files.write import write_private_file

if TYPE_CHECKING:
    import networkx as nx

    from codeindex.store.catalog.connection import Catalog

    Graph = nx.MultiDiGraph[str]

_ALLOWED = {
    ("networkx.classes.multidigraph", "MultiDiGraph"),
    ("builtins", "set"),
    ("builtins", "frozenset"),
}

_UNPICKLING_ERRORS = (
    *(zlib.error, pickle.UnpicklingError),
    *(EOFError, AttributeError, ImportError, IndexError),
)
"""Errors of decompression, and those that unpickling can raise for bytes that are no pickle,
according to its manual."""


class _SharedTexts(dict[str, str]):
    """Returns one object for equal texts, which pickle then writes once: `texts[text]`.

    networkx keeps the key of a node in each of its edges, and SQLite makes a new text for each row.
    """

    def __missing__(self, text: str) -> str:
        self[text] = text
        return text


def build_graph(catalog: Catalog, *, repository: str) -> Graph:
    """Build the graph of a repository: files, symbols, which file contains which symbol, and edges.

    A key of a node is the repository's name, `path` or `path::qualified`. Nodes and edges have the
    attribute `kind`.
    """
    import networkx as nx  # 250 ms

    graph: Graph = nx.MultiDiGraph()
    texts = _SharedTexts()
    graph.add_node(texts[repository], kind="repository")
    paths: dict[int, str] = {}
    sql = catalog.connection.execute
    for file_id, path, language, is_test in sql("SELECT id, path, language, is_test FROM files"):
        paths[file_id] = node = texts[path]
        graph.add_node(node, kind="file", language=texts[language], is_test=bool(is_test))
        graph.add_edge(texts[repository], node, key="contains", kind="contains")
    symbols = _add_symbols(graph, catalog, paths, texts)
    _add_edges(graph, catalog, paths, symbols, texts)
    return graph


def _add_symbols(
    graph: Graph, catalog: Catalog, paths: dict[int, str], texts: _SharedTexts
) -> dict[int, str]:
    """Add a node for each symbol; return {id of a symbol: key of its node}."""
    rows = catalog.connection.execute(
        "SELECT id, file_id, name, qualified, kind, start_line, end_line FROM symbols ORDER BY id"
    )
    nodes = {}
    for symbol_id, file_id, name, qualified, kind, start, end in rows:
        path = paths[file_id]
        nodes[symbol_id] = node = texts[f"{path}::{qualified}"]
        graph.add_node(node, kind=texts[kind], name=texts[name], start_line=start, end_line=end)
        owner = texts[f"{path}::{qualified.rpartition('.')[0]}"]
        parent = owner if owner in graph else path
        graph.add_edge(parent, node, key="contains", kind="contains")
    return nodes


def _add_edges(
    graph: Graph,
    catalog: Catalog,
    paths: dict[int, str],
    symbols: dict[int, str],
    texts: _SharedTexts,
) -> None:
    rows = catalog.connection.execute(
        "SELECT kind, certainty, source_file, source_symbol, target_file, target_symbol, lines"
        " FROM edges WHERE target_file IS NOT NULL"
    )
    for kind, certainty, source_file, source, target_file, target, lines in rows:
        graph.add_edge(
            symbols.get(source) or paths[source_file],
            symbols.get(target) or paths[target_file],
            kind=texts[kind],
            certainty=texts[certainty],
            lines=texts[lines],
        )


def write_graph(graph: Graph, path: Path) -> str:
    """Pickle `graph` to a new file; return its SHA-256, which the caller stores in the catalog.

    The pickle is compressed with zlib, to a fifth, which takes 10 ms a megabyte.
    """
    data = zlib.compress(pickle.dumps(graph, protocol=5), 1)
    with write_private_file(path) as file:
        file.write(data)
    return hashlib.sha256(data).hexdigest()


def read_graph(path: Path, digest: str) -> Graph:
    """Read a pickled graph; raise DamagedError if the SHA-256 differs or the file has no graph."""
    try:
        data = path.read_bytes()
    except OSError as error:
        refuse_shortage(error)
        raise DamagedError(f"The graph {path.name} cannot be read ({error.strerror}).") from error
    if hashlib.sha256(data).hexdigest() != digest:
        raise DamagedError(f"The graph {path.name} was changed after it was written.")
    try:
        graph: Graph = _GraphUnpickler(io.BytesIO(zlib.decompress(data))).load()
    except _UNPICKLING_ERRORS as error:
        raise DamagedError(
            f"The graph {path.name} was not written by codeindex ({error})."
        ) from error
    if type(graph).__name__ != "MultiDiGraph":
        raise DamagedError(f"The file {path.name} contains no graph.")
    return graph


class _GraphUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _ALLOWED:
            raise DamagedError(f"The graph contains {module}.{name}, which codeindex never writes.")
        return super().find_class(module, name)
