"""An offset into the answer to one query at one index version, as an opaque string."""

from __future__ import annotations

import base64
import re

from codeindex.errors import QueryError

_FORM = re.compile(rb"(\d{1,7})@(\d{1,15})")


def encode_cursor(*, offset: int, version: int) -> str:
    return base64.urlsafe_b64encode(f"{offset}@{version}".encode()).decode("ascii")


def decode_cursor(cursor: str, *, version: int) -> int:
    """Return the offset; QueryError if the cursor is not ours or the index has moved on."""
    try:
        found = _FORM.fullmatch(base64.urlsafe_b64decode(cursor.encode("ascii")))
    except ValueError:
        found = None
    if found is None:
        raise QueryError("That cursor is not one of ours: leave it out to start again.")
    if int(found[2]) != version:
        raise QueryError("The index has changed since that page: leave out the cursor.")
    return int(found[1])
