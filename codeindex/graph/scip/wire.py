"""Read the protobuf wire format, bounded in memory.

Only what SCIP needs: varints and length-delimited fields; fixed-size fields are skipped. The input
is untrusted: any malformed input raises WireError. The package `protobuf` is not used, because it
would hold a whole index in memory at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BufferedReader

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_MORE, _LOW = 0x80, 0x7F
_MAX_VARINT_BYTES = 10
_SIZES = {_FIXED64: 8, _FIXED32: 4}


class WireError(ValueError):
    """Raised for data that is not in the wire format, or longer than allowed."""


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """Return (varint that begins at an offset, offset after it)."""
    value = shift = 0
    while at < len(data) and shift < 7 * _MAX_VARINT_BYTES:
        byte = data[at]
        at += 1
        value |= (byte & _LOW) << shift
        if byte < _MORE:
            return value, at
        shift += 7
    raise WireError("a number is cut off or too long")


def read_fields(data: bytes, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Yield (field number, value, end) of the fields of a message, `data[start:end]`.

    For a length-delimited field, the bytes from `value` to `end` are its content; for a varint,
    `end` is -1. Other fields are skipped.
    """
    at = start
    while at < end:
        tag, at = read_varint(data, at)
        kind = tag & 7
        if kind == _VARINT:
            value, at = read_varint(data, at)
            yield tag >> 3, value, -1
        elif kind == _BYTES:
            size, at = read_varint(data, at)
            if size > end - at:
                raise WireError("a field is longer than its message")
            yield tag >> 3, at, at + size
            at += size
        elif kind in _SIZES:
            at += _SIZES[kind]
        else:
            raise WireError(f"wire type {kind} is unknown")
    if at != end:
        raise WireError("a message ends inside of a field")


def stream_messages(
    handle: BufferedReader, size: int, wanted: int, *, longest: int
) -> Iterator[bytes]:
    """Yield the content of each field with number `wanted` in a file that is one message.

    The file has `size` bytes. Other fields are skipped without reading them; a wanted field with
    more than `longest` bytes raises WireError.
    """
    while handle.tell() < size:
        tag = _stream_varint(handle)
        kind = tag & 7
        if kind == _VARINT:
            _stream_varint(handle)
            continue
        if kind != _BYTES and kind not in _SIZES:
            raise WireError(f"wire type {kind} is unknown")
        length = _stream_varint(handle) if kind == _BYTES else _SIZES[kind]
        if length > size - handle.tell():
            raise WireError("a field is longer than the file")
        if kind != _BYTES or tag >> 3 != wanted:
            handle.seek(length, 1)
            continue
        if length > longest:
            raise WireError(f"a message has {length:,} bytes, more than {longest:,}")
        content = handle.read(length)
        if len(content) != length:
            raise WireError("the file became shorter while it was read")
        yield content


def _stream_varint(handle: BufferedReader) -> int:
    value = shift = 0
    while shift < 7 * _MAX_VARINT_BYTES:
        byte = handle.read(1)
        if not byte:
            break
        value |= (byte[0] & _LOW) << shift
        if byte[0] < _MORE:
            return value
        shift += 7
    raise WireError("a number is cut off or too long")
