"""The catalog stores kinds and certainties of edges as numbers, and returns their names."""

from __future__ import annotations

import sqlite3
from itertools import product
from pathlib import Path
from typing import get_args

import pytest

from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.document_mentions import MENTION_KINDS
from codeindex.store.graph.write_edges import MentionEdge, put_mention_edges, store_resolution
from codeindex.types import EdgeRecord, FileResolution
from codeindex.types.graph_nodes import USE_KINDS, Certainty
from tests.prepared_files import prepared_file, store_file


def test_every_kind_and_certainty_is_read_as_it_was_written(tmp_path: Path) -> None:
    uses = set(product(map(str, USE_KINDS), get_args(Certainty)))
    edges = [
        EdgeRecord(None, kind, certainty, None, None, f"{kind} {certainty}", "1")
        for kind, certainty in uses
    ]
    with Catalog.create(tmp_path / "catalog.sqlite") as catalog, catalog.writing():
        sql = catalog.connection
        store_file(sql, prepared_file("a.py"), module="a", is_navigation=False)
        store_resolution(sql, FileResolution(1, edges, [], "", []))
        put_mention_edges(sql, [MentionEdge(1, kind, 1, None, [3, 2]) for kind in MENTION_KINDS])
        rows = sql.execute("SELECT kind, certainty, target_name, lines FROM edges").fetchall()
    assert {row[:3] for row in rows if row[2]} == {(*use, " ".join(use)) for use in uses}
    mentioned = [row[:2] + row[3:] for row in rows if not row[2]]
    assert mentioned == [(kind, "resolved", "2 3") for kind in MENTION_KINDS]


def test_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    sql = (
        "INSERT INTO edge_rows (source_file, kind_code, is_ambiguous, name_id, lines)"
        " VALUES (1, 99, 0, 0, '')"
    )
    with (
        Catalog.create(tmp_path / "catalog.sqlite") as catalog,
        pytest.raises(sqlite3.IntegrityError),
    ):
        catalog.connection.execute(sql)
