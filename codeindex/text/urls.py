"""Split URLs that users, clients and documents supply."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit


def split_url(url: str) -> SplitResult:
    """Return the parts of a URL; a malformed one, such as `http://[a`, is only a path."""
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", url, "", "")
