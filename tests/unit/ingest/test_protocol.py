"""Files between a worker process and its parent."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.ingest.workers.protocol import (
    PrepareRequest,
    parse_reply,
    parse_request,
    parse_settings,
    reply_line,
    request_line,
    settings_line,
)
from codeindex.types import Chunk, PreparedChunk, PreparedFile, SourceFile, Symbol

TEXT = st.text()


@given(file=st.builds(SourceFile), plain=st.booleans())
def test_a_request_arrives_as_it_was_sent(file: SourceFile, *, plain: bool) -> None:
    line = request_line(file, plain=plain)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert parse_request(line) == PrepareRequest(file, plain, None)
    assert parse_settings(line) is None


@given(st.dictionaries(st.text(), st.lists(st.text()), min_size=1))
def test_settings_arrive_as_they_were_sent(settings: dict[str, list[str]]) -> None:
    line = settings_line(settings)
    assert line.count(b"\n") == 1
    assert parse_settings(line) == settings


@given(
    st.builds(
        PreparedFile,
        status=st.sampled_from(["indexed", "plain", "skipped", "failed"]),
        symbols=st.lists(st.builds(Symbol), max_size=3).map(tuple),
        chunks=st.lists(
            st.builds(PreparedChunk, chunk=st.builds(Chunk, text=TEXT), tokens=st.binary()),
            max_size=3,
        ).map(tuple),
        identifiers=st.lists(st.integers(min_value=0, max_value=2**32 - 1)).map(tuple),
        findings=st.lists(st.tuples(TEXT, st.integers())).map(tuple),
    )
)
def test_a_reply_arrives_as_it_was_sent(file: PreparedFile) -> None:
    line = reply_line(file)
    assert line.count(b"\n") == 1
    assert parse_reply(line) == file


def test_a_path_that_is_not_unicode_arrives() -> None:
    file = SourceFile("caf\udce9.py", "python", size=1, mtime_ns=2, ctime_ns=3)
    assert parse_request(request_line(file, plain=False)).file == file


@pytest.mark.parametrize("line", [b"", b"{}\n", b"half a li", b"[1]\n"])
def test_half_a_line_is_an_error_and_not_a_file(line: bytes) -> None:
    with pytest.raises((json.JSONDecodeError, KeyError, TypeError)):
        parse_reply(line)
