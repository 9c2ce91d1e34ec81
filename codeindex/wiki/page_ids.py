"""Check and make page ids, which are valid file names on every system."""

from __future__ import annotations

import re
import unicodedata

from codeindex.errors import QueryError

MAX_ID_LENGTH = 64
"""Maximum number of characters of an id, so that links and the contents page stay readable."""
CONTENTS_ID = "index"
"""Id of the contents page, which both `wiki.contents` and people edit."""
_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?")
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul"} | {f"{name}{n}" for name in ("com", "lpt") for n in range(10)}
)
"""Device names, which Windows reserves, also with an extension."""


def is_page_id(text: str) -> bool:
    """Tell whether a text is a valid page id.

    Ids are in lower case, because some file systems ignore case.
    """
    return len(text) <= MAX_ID_LENGTH and bool(_ID.fullmatch(text)) and text not in _DEVICES


def require_page_id(text: str) -> str:
    """Return the id of a page to write.

    If it is invalid, raise a QueryError that suggests a valid one.
    """
    if text == CONTENTS_ID:
        raise QueryError("The page 'index' is the table of contents: choose another id.")
    if is_page_id(text):
        return text
    if text in _DEVICES:
        raise QueryError(f"{text!r} is a device on Windows: call the page 'topic-{text}'.")
    raise QueryError(
        f"{text!r} is no page id: use small letters, digits and hyphens, at most {MAX_ID_LENGTH},"
        f" like {make_page_id(text)!r}."
    )


def make_page_id(title: str) -> str:
    """Return a valid page id made from a title: `"payment-retries"` for "Payment retries!"."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    text = re.sub(r"[^a-z0-9]+", "-", plain)[:MAX_ID_LENGTH].strip("-")
    if not text:
        return "page"
    return f"topic-{text}" if text in _DEVICES or text == CONTENTS_ID else text
