"""What pages are called: names that are files on every system, in one folder, and nothing else."""

from __future__ import annotations

import re
import unicodedata

from codeindex.errors import QueryError

MAX_ID_LENGTH = 64
"""Characters of an id: what a link and a table of contents can hold."""
CONTENTS_ID = "index"
"""The page of contents, which is kept by `codeindex.wiki.contents` and by people."""
_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?")
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul"} | {f"{name}{n}" for name in ("com", "lpt") for n in range(10)}
)
"""Windows takes these for devices, whatever follows the dot."""


def is_page_id(text: str) -> bool:
    """Tell whether a page can be called so; small letters only, so that case cannot collide."""
    return len(text) <= MAX_ID_LENGTH and bool(_ID.fullmatch(text)) and text not in _DEVICES


def require_page_id(text: str) -> str:
    """Return the id of a page to write; QueryError says what would be one."""
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
    """Return an id that says what a title says."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    found = re.sub(r"[^a-z0-9]+", "-", plain)[:MAX_ID_LENGTH].strip("-")
    if not found:
        return "page"
    return f"topic-{found}" if found in _DEVICES or found == CONTENTS_ID else found
