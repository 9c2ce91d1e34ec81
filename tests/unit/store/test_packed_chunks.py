"""Contexts and token counts of chunks, which are compressed for each file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.embed.packing import pack_counts
from codeindex.secrets import mark_as_safe
from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.packed_chunks import chunk_tokens, packed_columns
from codeindex.store.catalog.verification import are_packed_columns_sound, prepared_columns
from codeindex.types import Chunk, PreparedChunk
from tests.prepared_files import prepared_file, store_file

COUNTS = st.dictionaries(st.integers(0, 2**24 - 1), st.integers(1, 255), max_size=20)


def chunk(line: int, tokens: bytes, context: str = "") -> PreparedChunk:
    text = mark_as_safe("pass\n")
    return PreparedChunk(Chunk(line, line, "block", text, context=context), "", "", tokens)


def store(catalog: Catalog, path: str, *chunks: PreparedChunk) -> int:
    with catalog.writing():
        prepared = replace(prepared_file(path), chunks=chunks)
        store_file(catalog.connection, prepared, module="", is_navigation=False)
    sql = "SELECT id FROM files WHERE path = ?"
    return int(catalog.connection.execute(sql, (path,)).fetchone()[0])


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    with Catalog.create(tmp_path / "catalog.sqlite") as opened:
        yield opened


@given(rows=st.lists(st.tuples(st.text("ab# é"), COUNTS), max_size=5))
def test_contexts_and_token_counts_come_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, dict[int, int]]]
) -> None:
    packed = [(context, pack_counts(counts)) for context, counts in rows]
    with Catalog.create(tmp_path_factory.mktemp("c") / "catalog.sqlite") as catalog:
        chunks = (chunk(at, tokens, context) for at, (context, tokens) in enumerate(packed, 1))
        file_id = store(catalog, "a.py", *chunks)
        assert packed_columns(catalog.connection, file_id) == packed
        assert list(chunk_tokens(catalog.connection)) == [tokens for _, tokens in packed]


def test_token_counts_are_in_the_order_of_chunk_ids_after_a_file_was_stored_again(
    catalog: Catalog,
) -> None:
    first, second, third = (pack_counts({number: 1}) for number in (1, 2, 3))
    store(catalog, "a.py", chunk(1, first))
    store(catalog, "empty.py")
    store(catalog, "b.py", chunk(1, second))
    assert list(chunk_tokens(catalog.connection)) == [first, second]
    store(catalog, "a.py", chunk(1, first), chunk(2, third))
    assert list(chunk_tokens(catalog.connection)) == [second, first, third]


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE packed_chunks SET tokens = x''",
        "UPDATE packed_chunks SET tokens = substr(tokens, 1, 9)",
        "DELETE FROM packed_chunks",
        "UPDATE packed_chunks SET tokens = (SELECT tokens FROM packed_chunks ORDER BY file_id)",
    ],
)
def test_damaged_token_counts_are_not_read(catalog: Catalog, damage: str) -> None:
    store(catalog, "a.py", chunk(1, pack_counts({1: 1})))
    file_id = store(catalog, "b.py", chunk(1, b""), chunk(2, b""))
    catalog.connection.execute(damage)
    with pytest.raises(sqlite3.DatabaseError, match="damaged"):
        list(chunk_tokens(catalog.connection))
    with pytest.raises(sqlite3.DatabaseError, match="damaged"):
        packed_columns(catalog.connection, file_id)


def test_a_lock_is_not_taken_for_damage(catalog: Catalog, tmp_path: Path) -> None:
    file_id = store(catalog, "a.py", chunk(1, b""))
    uri = f"{(tmp_path / 'catalog.sqlite').as_uri()}?cache=shared"  # with locks on single tables
    with (
        closing(sqlite3.connect(uri, uri=True)) as reader,
        closing(sqlite3.connect(uri, uri=True)) as writer,
    ):
        writer.execute("DELETE FROM packed_chunks")
        for read in (
            lambda: prepared_columns(reader, "a.py"),
            lambda: are_packed_columns_sound(reader, file_id),
        ):
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                read()
        writer.commit()
        assert not are_packed_columns_sound(reader, file_id)
