"""Split URLs that users, clients and documents supply."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit, urlunsplit


def split_url(url: str) -> SplitResult:
    """Return the parts of a URL; a malformed one, such as `http://[a`, is only a path."""
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", url, "", "")


def plain_url(url: str) -> str:
    """Return a URL without credentials, query and fragment; a text without `://` is unchanged."""
    if "://" not in url:
        return url
    parts = split_url(url)
    if not parts.netloc:  # malformed: credentials may be anywhere
        return f"{url.partition('://')[0]}://…"
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
