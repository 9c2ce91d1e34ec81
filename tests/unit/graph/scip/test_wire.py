"""The bytes of a SCIP index are untrusted."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.graph.scip import documents
from codeindex.graph.scip.documents import Occurrence, parse_document, stream_documents
from codeindex.graph.scip.wire import WireError
from tests.scip_writer import Shown, bytes_field, document, index, number_field, varint

PAY = "scip-test pip shop 1 cart/pay()."
TEXT = "pay()\npay()\n"
DOCUMENT = document("app.py", TEXT, [Shown(1, "pay", PAY, roles=1), Shown(2, "pay", PAY)])


def written(folder: Path, content: bytes) -> io.BufferedReader:
    (folder / "index.scip").write_bytes(content)
    return (folder / "index.scip").open("rb")


def test_documents_are_read_with_their_occurrences(tmp_path: Path) -> None:
    with written(tmp_path, index([DOCUMENT, DOCUMENT])) as handle:
        first, second = stream_documents(handle)
    assert first == second
    assert (first.path, first.encoding) == ("app.py", 2)
    assert first.occurrences == (Occurrence(0, 0, 3, PAY, 1), Occurrence(1, 0, 3, PAY, 0))


def test_ranges_may_name_the_line_twice_and_need_not_be_packed() -> None:
    def ranged(*numbers: int, packed: bool) -> bytes:
        if packed:
            return bytes_field(1, b"".join(map(varint, numbers)))
        return b"".join(number_field(1, number) for number in numbers)

    for numbers, packed in (((3, 1, 4), True), ((3, 1, 3, 4), True), ((3, 1, 4), False)):
        raw = bytes_field(2, ranged(*numbers, packed=packed) + bytes_field(2, PAY.encode()))
        assert parse_document(raw).occurrences == (Occurrence(3, 1, 4, PAY, 0),)


def test_occurrences_without_symbol_or_over_several_lines_are_left_out() -> None:
    lines = bytes_field(1, bytes([3, 1, 5, 2]))
    raw = bytes_field(2, lines + bytes_field(2, PAY.encode())) + bytes_field(2, lines)
    assert parse_document(raw).occurrences == ()


@pytest.mark.parametrize(
    "content",
    [
        b"\x12\xff",  # a length that is cut off
        b"\x12" + b"\xff" * 12,  # a length without end
        bytes_field(2, DOCUMENT)[:-1],  # a document that is cut off
        bytes_field(2, b"\x0a\xff\xff\x03abc"),  # a path longer than its document
        bytes_field(2, b"\x0b"),  # a group, which nobody writes
        bytes_field(2, bytes_field(1, b"\xff\xfe")),  # a path that is not UTF-8
        b"\x13",
    ],
)
def test_malformed_indexes_raise_one_error(content: bytes, tmp_path: Path) -> None:
    with written(tmp_path, content) as handle, pytest.raises(WireError):
        list(stream_documents(handle))


def test_unknown_fields_are_skipped(tmp_path: Path) -> None:
    extra = number_field(90, 7) + bytes_field(91, b"later") + varint(92 << 3 | 1) + bytes(8)
    with written(tmp_path, extra + index([extra + DOCUMENT])) as handle:
        (read,) = stream_documents(handle)
    assert len(read.occurrences) == 2


def test_large_indexes_and_documents_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit, value in (("MAX_INDEX_BYTES", 10), ("_MAX_DOCUMENT_BYTES", 10)):
        with monkeypatch.context() as patch, written(tmp_path, index([DOCUMENT])) as handle:
            patch.setattr(documents, limit, value)
            with pytest.raises(WireError, match="more than 10"):
                list(stream_documents(handle))
    monkeypatch.setattr(documents, "MAX_OCCURRENCES", 1)
    with pytest.raises(WireError, match="more than 1 occurrences"):
        parse_document(DOCUMENT)


@given(st.binary(max_size=200), st.integers(0, 200))
def test_no_bytes_raise_another_error(noise: bytes, at: int) -> None:
    for content in (noise, DOCUMENT[:at] + noise + DOCUMENT[at:]):
        try:
            parse_document(content)
        except WireError:
            continue
