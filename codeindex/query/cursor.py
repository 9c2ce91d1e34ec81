"""An offset into the answer to one query at one index version, as an opaque string."""

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
    """Return the cursor that goes on after these hits of an answer, or with it if there are none.

    Files that changed while the answer was made leave holes: the places count, not the hits.
    """
    ranks = [hit.rank + 1 for hit in hits] or [hit.rank for hit in answer.hits]
    offset = max(ranks) if hits else min(ranks, default=0)
    return encode_cursor(offset=offset, version=answer.index_version)


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
