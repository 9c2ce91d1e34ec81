"""Cursors come back as they were made, and nothing else is one."""

from __future__ import annotations

import base64

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from codeindex.errors import QueryError
from codeindex.query.cursor import decode_cursor, encode_cursor


@given(offset=st.integers(0, 1_000_000), version=st.integers(0, 10**12))
def test_a_cursor_comes_back_as_it_was_made(offset: int, version: int) -> None:
    cursor = encode_cursor(offset=offset, version=version)
    assert cursor.isascii()
    assert decode_cursor(cursor, version=version) == offset


@given(made=st.integers(0, 99), now=st.integers(0, 99).filter(bool))
def test_a_cursor_of_another_version_is_stale(made: int, now: int) -> None:
    with pytest.raises(QueryError, match="has changed since that page"):
        decode_cursor(encode_cursor(offset=10, version=made), version=made + now)


@given(st.text())
@example("")
@example("\ud800")
@example("====")
@example(encode_cursor(offset=-1, version=1))
@example(encode_cursor(offset=1, version=-1))
@example(base64.urlsafe_b64encode(b"[" * 100_000).decode())
@example(base64.urlsafe_b64encode(b"9" * 5000 + b"@1").decode())
@example(base64.urlsafe_b64encode("\N{ARABIC-INDIC DIGIT THREE}@1".encode()).decode())
@example(base64.urlsafe_b64encode(b"1@1\n").decode())
def test_anything_else_is_no_cursor(text: str) -> None:
    with pytest.raises(QueryError, match="cursor is invalid: leave it out"):
        decode_cursor(text, version=1)
