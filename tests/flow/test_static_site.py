"""The static site that `codeindex ui --export` writes."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import codeindex.web
from codeindex.cli import main
from codeindex.text.words import stemmed_words
from codeindex.web.markdown_page import render_markdown
from codeindex.web.script_bundle import bundle_modules
from tests.conftest import made_repository, own_data
from tests.flow.browser import MISSING, Browser, installed
from tests.flow.test_web_page import shows, wait

SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
MARKUP = "<img src=x onerror=alert(1)>"
WIKI_PAGE = """---
title: Payment %s
type: topic
---
A card is charged by `charge` (shop/pay.py:1-3), see [[index]] and [x](javascript:alert(1)).

| key | %s |
|---|---|
| a | `b` |
"""
FILES: dict[str, str | bytes] = {
    "shop/pay.py": 'def charge(card):\n    """Take money from a card."""\n    return bool(card)\n',
    "shop/keys.py": f'TOKEN = "{SECRET}"\n',
    "shop/\u202eodd.py": f'def odd():\n    return "{MARKUP}"\n',
    "many.py": "\n\n".join(f"def handle_{number}():\n    return {number}" for number in range(60)),
    ".codeindex/wiki/index.md": "---\ntitle: Wiki\ntype: index\n---\n- [Pay](pay.md)\n",
    ".codeindex/wiki/pay.md": WIKI_PAGE % (MARKUP, MARKUP),
    ".codeindex/wiki/broken.md": "---\ntype: nonsense\n---\nx\n",
}


def data(site: Path, name: str) -> dict[str, Any]:
    """Return what a file of the site hands over."""
    text = (site / f"data/{name}.js").read_text(encoding="ascii")
    found: dict[str, Any] = json.loads(text[text.index(",") + 1 : text.rindex(")")])
    return found


def export(root: Path, folder: Path, *more: str) -> Result:
    return CliRunner().invoke(main, ["ui", str(root), "--export", str(folder), *more])


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path, Result]]:
    """The repository, its site, and what the command printed; the tests change none of them."""
    folder = tmp_path_factory.mktemp("static")
    with own_data(folder):
        root = made_repository(folder / "shop", FILES)
        done = export(root, folder / "site")
        yield root, folder / "site", done


def test_the_site_has_every_indexed_file_and_no_secret(written: tuple[Path, Path, Result]) -> None:
    _, site, done = written
    assert done.exit_code == 0, done.stderr
    index = data(site, "index")
    assert {row[0] for row in index["files"]} >= {"shop/pay.py", "shop/keys.py", "many.py"}
    assert index["pages"] == [["Report", "report.html"], ["Wiki", "wiki/index.html"]]
    assert "2 wiki pages" in done.stdout
    assert "broken" in done.stderr
    everything = b"".join(path.read_bytes() for path in site.rglob("*") if path.is_file())
    assert SECRET.encode() not in everything
    assert "\u202e".encode() not in everything
    assert str(site.parent).encode() not in everything


def test_each_page_has_a_strict_policy_and_no_markup_of_the_repository(
    written: tuple[Path, Path, Result],
) -> None:
    _, site, _ = written
    pages = list(site.rglob("*.html"))
    assert len(pages) == 4
    for page in pages:
        text = page.read_text()
        assert "default-src 'none'" in text
        assert MARKUP not in text
    wiki = (site / "wiki/pay.html").read_text()
    assert 'href="../index.html?file=shop%2Fpay.py&amp;line=1"' in wiki
    assert 'href="index.html">index</a>' in wiki
    assert 'href="javascript' not in wiki


def test_a_site_is_written_again_but_no_other_folder_is_touched(
    written: tuple[Path, Path, Result], tmp_path: Path
) -> None:
    root, _, _ = written
    (tmp_path / "other").mkdir()
    (tmp_path / "other/mine.txt").write_text("mine")
    refused = export(root, tmp_path / "other")
    assert (refused.exit_code, "is not empty" in refused.stderr) == (2, True)
    assert [entry.name for entry in (tmp_path / "other").iterdir()] == ["mine.txt"]
    assert export(root, tmp_path / "site").exit_code == 0
    (tmp_path / "site/data/files/99.js").write_text("")
    assert export(root, tmp_path / "site").exit_code == 0
    assert not (tmp_path / "site/data/files/99.js").exists()


def test_links_in_a_former_site_are_replaced_and_not_followed(
    written: tuple[Path, Path, Result], tmp_path: Path
) -> None:
    root, _, _ = written
    site, mine = tmp_path / "site", tmp_path / "mine"
    for folder in (site, mine, mine / "files"):
        folder.mkdir()
    for name in (".codeindex-site", ".nojekyll", "index.html", "report.html"):
        (mine / name).write_text("mine")
        (site / name).symlink_to(mine / name)
    for name in ("data", "static", "wiki"):
        (site / name).symlink_to(mine)
    before = sorted(mine.rglob("*"))
    assert export(root, site).exit_code == 0
    assert sorted(mine.rglob("*")) == before
    assert {path.read_text() for path in mine.iterdir() if path.is_file()} == {"mine"}
    assert not any(path.is_symlink() for path in site.rglob("*"))


@pytest.mark.parametrize(
    ("more", "advice"), [(["--port", "1"], "leave out --port"), (["elsewhere"], "name one")]
)
def test_options_of_the_server_are_refused(
    written: tuple[Path, Path, Result], tmp_path: Path, more: list[str], advice: str
) -> None:
    done = export(written[0], tmp_path / "x", *more)
    assert (done.exit_code, advice in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (
            "# A *b*\n\ntext `c<d`\nmore",
            "<h1>A <em>b</em></h1>\n<p>text <code>c&lt;d</code> more</p>",
        ),
        ("- a\n  more\n- **b**", "<ul><li>a more</li><li><strong>b</strong></li></ul>"),
        ("```\n<x>\n# y", '<pre tabindex="0"><code>&lt;x&gt;\n# y</code></pre>'),
        ("> q\n> r", "<blockquote>q r</blockquote>"),
        ("![pic](http://x/y.png) [p](pay.md)", '<p>pic <a href="pay.html">p</a></p>'),
        ("see [x](http://[a) now", "<p>see x now</p>"),
        ("at a.py:3 and b.py:4", '<p>at <a href="a.py#3"><code>a.py:3</code></a> and b.py:4</p>'),
    ],
)
def test_markdown_becomes_html_and_html_stays_text(text: str, html: str) -> None:
    def place(path: str, line: int) -> str:
        return f"{path}#{line}" if path == "a.py" else ""

    assert render_markdown(text, place) == html


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """Serve files as any static host does."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002 (its name)

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.browser
@pytest.mark.skipif(not installed(), reason=MISSING)
def test_a_browser_searches_the_site_without_a_server_of_codeindex(
    written: tuple[Path, Path, Result],
) -> None:
    with Browser() as browser:
        for start in ("http", "file"):
            with hosted(written[1].parent) as url:
                site = f"{url}/site" if start == "http" else written[1].as_uri()
                _uses_the_site(browser, f"{site}/index.html")


def _uses_the_site(browser: Browser, page: str) -> None:
    browser.open_url(page)
    shows(browser, "Wiki")
    browser.run("document.getElementById('query').focus()")
    browser.press(*"taking mon")
    wait(browser, "document.querySelector('#list .title')?.textContent.startsWith('charge')")
    browser.open_url(f"{page}?q=handle")
    shows(browser, "20 best of 60")
    for shown in (40, 60):
        browser.run("document.getElementById('more').click()")
        wait(browser, f"document.querySelectorAll('#list li').length == {shown}")
    assert browser.run("return document.getElementById('more')") is None
    browser.open_url(f"{page}?q=odd")
    wait(browser, "document.querySelector('#list a')")
    browser.run("document.querySelector('#list a').click()")
    wait(browser, "document.querySelector('#file [aria-current]')")
    browser.open_url(f"{page}?view=map&path=shop")
    shows(browser, "keys.py")
    browser.open_url(f"{page}?view=ask&q=x")
    shows(browser, "without a server")
    browser.said()
    browser.open_url(page.replace("index.html", "wiki/pay.html"))
    shows(browser, "A card is charged")
    browser.open_url(page.replace("index.html", "report.html"))
    wait(browser, "document.querySelector('#tree [role=treeitem]')")
    assert browser.said() == []


@pytest.mark.browser
@pytest.mark.skipif(not installed(), reason=MISSING)
def test_a_browser_splits_words_as_the_index_does() -> None:
    with hosted(Path(codeindex.web.__file__).parent) as url, Browser() as browser:
        browser.open_url(f"{url}/static/icon.svg")
        for text in (
            "validateTokens HTTPServer2",
            "parsing stopped cities",
            "\u641c\u7d22\u5f15 x_y",
        ):
            words = f"m => m.stemmedWords({json.dumps(text)})"
            split = browser.run(f"return import('/site/words.js').then({words})")
            assert split == stemmed_words(text)


def test_the_help_names_the_export() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "codeindex", "ui", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "--export FOLDER" in done.stdout


def test_modules_become_one_script() -> None:
    modules = {
        "a": 'import { b, c } from "./b.js";\nconsole.log(b(), c);\n',
        "b": "export const c = 1;\nexport async function b() {}\n",
    }
    script = bundle_modules(modules, "a")
    assert script.index("modules.b = ") < script.index("const { b, c } = modules.b;")
    assert "return { c, b };" in script
    with pytest.raises(ValueError, match="a, a"):
        bundle_modules({"a": 'import { x } from "./a.js";\n'}, "a")
