"""Encode a position in the results of one query, at one index version, as an opaque cursor."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence

from codeindex.errors import QueryError
from codeindex.types import Answer, Hit

_FORM = re.compile(rb"(\d{1,7})@(\d{1,15})")


def encode_cursor(*, offset: int, version: int) -> str:
    return base64.urlsafe_b64encode(f"{offset}@{version}".encode()).decode("ascii")


def cursor_after(hits: Sequence[Hit], answer: Answer) -> str:
    """Return the cursor of the page that begins after `hits`.

    If `hits` is empty, it begins at the first hit of `answer`. The offset in the cursor counts
    ranks instead of hits, because files that have changed leave gaps in the ranks.
    """
    ranks = [hit.rank + 1 for hit in hits] or [hit.rank for hit in answer.hits]
    offset = max(ranks) if hits else min(ranks, default=0)
    return encode_cursor(offset=offset, version=answer.index_version)


def decode_cursor(cursor: str, *, version: int) -> int:
    """Return the offset that a cursor holds.

    Raise QueryError if the text is not a cursor or is a cursor of another index version.
    """
    try:
        match = _FORM.fullmatch(base64.urlsafe_b64decode(cursor.encode("ascii")))
    except ValueError:
        match = None
    if match is None:
        raise QueryError("The cursor is invalid: leave it out to start again.")
    if int(match[2]) != version:
        raise QueryError("The index has changed since that page: leave out the cursor.")
    return int(match[1])
