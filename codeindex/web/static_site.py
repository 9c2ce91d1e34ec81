"""Write the search page, the report and the wiki of one repository as a static site.

Every text comes from the index, in which secrets are redacted. The page is the one that the server
sends, but `site/server.js` instead of `static/server.js` answers its requests, from files. Scripts
are classic scripts, and data files are scripts too, so that the site can be opened without a
server.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from codeindex.config import WIKI_FOLDER
from codeindex.errors import QueryError, WikiError
from codeindex.store.catalog.chunks import ExportedFile, exported_files
from codeindex.store.symbols.declarations import declarations_in
from codeindex.text.sanitize import escape_data, escape_line
from codeindex.types import SymbolKind
from codeindex.web.markdown_page import render_markdown
from codeindex.web.script_bundle import bundle_modules
from codeindex.web.search_data import SearchData
from codeindex.web.static_files import static_files
from codeindex.wiki.page import WikiPage, parse_page

if TYPE_CHECKING:
    from codeindex.api.index import Index

_MARKER = ".codeindex-site"
"""A file that marks a folder as written by an earlier export, so that it may be replaced."""
_FOLDERS = ("data", "static", "wiki")
_FILES = (".codeindexignore", ".nojekyll", "index.html", "report.html")
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
    " connect-src 'self'; base-uri 'none'; form-action 'none'"
)
"""The content security policy of the server's pages, without directives that only a header can
set."""
_POLICY_TAG = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
_LOCAL = {
    '<script type="module" src="static/main.js">': '<script defer src="static/site.js">',
    '<a href="./" id="home">': '<a href="index.html" id="home">',
}
"""{text in the server's page: replacement in the site}, because a site may be opened without a
server."""
_CHARSET = '<meta charset="utf-8">'


@dataclass(frozen=True, slots=True)
class StaticSite:
    """The result of an export of a site: numbers of files, wiki pages and bytes.

    `notes` say what is missing from the site.
    """

    folder: Path
    files: int
    pages: int
    size_bytes: int
    notes: tuple[str, ...] = ()


def write_site(index: Index, folder: Path) -> StaticSite:
    """Write the site of an index into `folder`, which is created, or must hold an earlier site.

    Raise QueryError for another folder that is not empty, OSError if it cannot be written.
    """
    _clear_folder(folder)
    report = index.overview.report()
    data, pages, notes = SearchData(), list[WikiPage](), list[str]()
    with index.reader().catalog() as (catalog, _generation):
        for number, file in enumerate(exported_files(catalog.connection)):
            data.add(file)
            _write_data_file(folder, f"files/{number}", _file_data(catalog.connection, file))
            _add_page(file, pages, notes)
    _write_data(folder, data, index.repository.name, has_wiki=bool(pages))
    _write_static(folder)
    (folder / "report.html").write_text(report.html(), encoding="utf-8")
    _write_wiki(folder / "wiki", pages, {row[0] for row in data.files})
    if not pages:
        notes.append("there is no wiki: run `codeindex wiki generate` to plan one")
    sizes = (path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return StaticSite(folder, len(data.files), len(pages), sum(sizes), tuple(notes))


def _clear_folder(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise QueryError(f"'{folder}' is a file: name a folder for the site.")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / _MARKER).is_file():
        raise QueryError(f"'{folder}' is not empty and not a site of codeindex: name a new folder.")
    folder.mkdir(parents=True, exist_ok=True)
    # also links, which could come with a repository: what is written next would follow them; the
    # marker is there meanwhile, so that an export that was interrupted can be made again
    _remove(folder / _MARKER)
    (folder / _MARKER).write_text("", encoding="utf-8")
    for entry in (*_FOLDERS, *_FILES):
        _remove(folder / entry)
    for name in ("data/files", "data/words", "static", "wiki"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    # if the site is inside a repository, it must not be indexed as code
    (folder / ".codeindexignore").write_text("*\n", encoding="utf-8")
    (folder / ".nojekyll").write_text("", encoding="utf-8")  # makes GitHub Pages serve all files


def _remove(path: Path) -> None:
    """Delete a file, a link or a folder with all that it holds, if it is there."""
    if path.is_symlink() or not path.is_dir():
        path.unlink(missing_ok=True)
    else:
        shutil.rmtree(path)


def _add_page(file: ExportedFile, pages: list[WikiPage], notes: list[str]) -> None:
    """Add a file to `pages` if it is a wiki page; add a note if it cannot be parsed."""
    folder, _, name = file.path.rpartition("/")
    if folder != WIKI_FOLDER or not name.endswith(".md"):
        return
    try:
        pages.append(parse_page(name.removesuffix(".md"), file.text().encode()))
    except WikiError as error:
        notes.append(f"not in the site: {error}")


def _file_data(connection: sqlite3.Connection, file: ExportedFile) -> dict[str, Any]:
    text = file.text()
    return {
        "path": file.path,
        "language": file.language,
        "total_lines": max(file.lines, text.count("\n") + 1),
        "content": text,
        "declarations": [
            {
                "name": node.qualified,
                "kind": node.kind,
                "line": node.line,
                "end_line": node.end_line,
            }
            for node in declarations_in(connection, [file.id])
        ],
    }


def _write_data(folder: Path, data: SearchData, repo: str, *, has_wiki: bool) -> None:
    pages = [["Report", "report.html"], *([["Wiki", "wiki/index.html"]] if has_wiki else [])]
    kinds = [str(kind) for kind in SymbolKind]
    keys = []
    for key, words in data.word_files():
        keys.append(key)
        _write_data_file(folder, f"words/{key}", words)
    more = {"pages": pages, "kinds": kinds, "words": keys}
    _write_data_file(folder, "index", {**data.index(repo), **more})


def _write_static(folder: Path) -> None:
    modules = {}
    for path, (content, _) in static_files().items():
        name = path.removeprefix("/static/")
        if path == "/":
            page = content.decode().replace(_CHARSET, f"{_CHARSET}\n{_POLICY_TAG}", 1)
            for served, local in _LOCAL.items():
                page = page.replace(served, local)
            (folder / "index.html").write_text(page, encoding="utf-8")
        elif name.endswith(".js"):
            modules[name.removesuffix(".js")] = content.decode()
        else:
            (folder / "static" / name).write_bytes(content)
    for entry in (files("codeindex.web") / "site").iterdir():
        if entry.name.endswith(".js"):
            modules[entry.name.removesuffix(".js")] = entry.read_text(encoding="utf-8")
        elif entry.name.endswith(".css"):
            (folder / "static" / entry.name).write_bytes(entry.read_bytes())
    script = bundle_modules(modules, "main")
    (folder / "static/site.js").write_text(script, encoding="utf-8")


def _write_data_file(folder: Path, name: str, data: Mapping[str, Any]) -> None:
    """Write data as a script that passes the data to the page.

    The data is ASCII JSON with hidden characters escaped.
    """
    text = json.dumps(escape_data(data), separators=(",", ":"))
    script = f'codeindexData("data/{name}",{text});\n'
    (folder / f"data/{name}.js").write_text(script, encoding="ascii")


def _write_wiki(folder: Path, pages: list[WikiPage], paths: set[str]) -> None:
    def place(path: str, line: int) -> str:
        known = path in paths
        return f"../index.html?{urlencode({'file': path, 'line': line})}" if known else ""

    for page in pages:
        (folder / f"{page.id}.html").write_text(_wiki_page(page, place), encoding="utf-8")


def _wiki_page(page: WikiPage, place: Callable[[str, int], str]) -> str:
    title = escape(escape_line(page.title))
    heading = "" if page.body.lstrip().startswith("# ") else f"<h1>{title}</h1>\n"
    return f"""<!doctype html>
<html lang="en">
<head>
{_CHARSET}
{_POLICY_TAG}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<link rel="icon" href="../static/icon.svg">
<link rel="stylesheet" href="../static/page.css">
<link rel="stylesheet" href="../static/wiki.css">
</head>
<body>
<nav class="wiki-nav" aria-label="Site">
<a href="../index.html">Search</a> <a href="../report.html">Report</a> <a href="index.html">Wiki</a>
</nav>
<main class="wiki">
{heading}{render_markdown(page.body, place)}
</main>
</body>
</html>
"""
