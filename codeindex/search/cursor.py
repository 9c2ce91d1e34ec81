"""An offset into the answer to one query at one index version, as an opaque string."""

from __future__ import annotations

import base64
import binascii
import json

from codeindex.errors import QueryError


def encode_cursor(*, offset: int, version: int) -> str:
    data = json.dumps({"offset": offset, "version": version}).encode()
    return base64.urlsafe_b64encode(data).decode("ascii")


def decode_cursor(cursor: str, *, version: int) -> int:
    """Return the offset; QueryError if the cursor is not ours or the index has moved on."""
    try:
        value = json.loads(base64.urlsafe_b64decode(cursor.encode("ascii")))
        offset, made = int(value["offset"]), int(value["version"])
    except (ValueError, KeyError, TypeError, binascii.Error) as error:
        raise QueryError("That cursor is not one of ours: leave it out to start again.") from error
    if made != version:
        raise QueryError("The index has changed since that page: leave out the cursor.")
    if not 0 <= offset <= 1_000_000:
        raise QueryError("That cursor is not one of ours: leave it out to start again.")
    return offset
