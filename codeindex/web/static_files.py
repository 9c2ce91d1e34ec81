"""Read the HTML, CSS, JavaScript and SVG files of the search page; define their HTTP headers."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

CONTENT_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
PAGE_HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
        " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""HTTP headers of each file; they let the page run and load only files from its own server."""


@cache
def static_files() -> dict[str, tuple[bytes, str]]:
    """Return {URL path: (content, content type)} of the page's files; `/` is the HTML file."""
    found = {}
    for entry in (files("codeindex.web") / "static").iterdir():
        content_type = CONTENT_TYPES.get(f".{entry.name.rpartition('.')[2]}")
        if content_type:
            path = "/" if entry.name == "index.html" else f"/static/{entry.name}"
            found[path] = (entry.read_bytes(), content_type)
    return found
