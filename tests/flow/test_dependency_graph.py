"""Graphs of dependencies, as text for other programs and as a page."""

from __future__ import annotations

import json
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from codeindex import Index
from codeindex.analysis.relations.dependency_graph import DependencyGraphDict
from codeindex.analysis.relations.graph_formats import DrawnEdge, draw_graph
from codeindex.cli import main
from codeindex.errors import QueryError
from codeindex.store.graph.dependencies import GraphNode
from tests.flow.browser import MISSING, Browser, installed

pytestmark = pytest.mark.usefixtures("home")
Repository = Callable[..., Path]

FILES = {
    "shop/__init__.py": "",
    "shop/base.py": "class Base:\n    pass\n",
    "shop/cart.py": "from shop.base import Base\n\n\nclass Cart(Base):\n    pass\n",
    "shop/till.py": "from shop.cart import Cart\n\n\ndef open_till():\n    return Cart()\n",
    "shop/alone.py": "ALONE = 1\n",
}
CHAIN = {("shop/cart.py", "shop/base.py"), ("shop/till.py", "shop/cart.py")}


@pytest.fixture
def root(repository: Repository) -> Path:
    made = repository(FILES)
    with Index.open(made) as index:
        index.sync(structure_only=True)
    return made


def ends(data: DependencyGraphDict) -> set[tuple[str, str]]:
    return {(one["source"], one["target"]) for one in data["edges"]}


def test_files_depend_on_what_they_import(root: Path) -> None:
    with Index.open(root) as index:
        found = index.graph.diagram(format="json").as_dict()
    assert ends(found) >= CHAIN
    assert "shop/alone.py" not in {one["id"] for one in found["nodes"]}


def test_depth_bounds_how_far_a_place_is_followed(root: Path) -> None:
    with Index.open(root) as index:
        near = index.graph.diagram("shop/till.py", format="json", depth=1).as_dict()
        far = index.graph.diagram("shop/till.py", format="json").as_dict()
    assert ("shop/cart.py", "shop/base.py") not in ends(near)
    assert ends(far) >= CHAIN


def test_symbols_depend_on_what_they_extend_and_on_what_they_call_if_asked(root: Path) -> None:
    extends = ("shop/cart.py::Cart", "shop/base.py::Base")
    calls = ("shop/till.py::open_till", "shop/cart.py::Cart")
    with Index.open(root) as index:
        types = index.graph.diagram(level="symbol", format="json").as_dict()
        both = index.graph.diagram(level="symbol", format="json", calls=True).as_dict()
    assert ends(types) == {extends}
    assert ends(both) == {extends, calls}


def test_mermaid_and_dot_name_every_end(root: Path) -> None:
    with Index.open(root) as index:
        mermaid = index.graph.diagram("shop/cart.py").drawn()
        dot = index.graph.diagram("shop/cart.py", format="dot").drawn()
    assert mermaid.startswith("graph LR\n")
    assert '["shop/base.py"]' in mermaid
    assert '  "shop/cart.py" -> "shop/base.py";' in dot


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"level": "folder"}, "use one of file, symbol"),
        ({"format": "png"}, "use one of mermaid, dot, json, html"),
        ({"depth": -1}, "whole number"),
        ({"path": "shopp"}, "did you mean 'shop'"),
    ],
)
def test_a_bad_request_says_what_to_do(root: Path, options: dict[str, Any], said: str) -> None:
    with Index.open(root) as index, pytest.raises(QueryError, match=said):
        index.graph.diagram(**options)


class _Page(HTMLParser):
    """Collects what a browser would run, read and fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.scripts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in {"src", "href"}]

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] == "script":
            self.scripts.append(data)


def page(text: str) -> _Page:
    parser = _Page()
    parser.feed(text)
    return parser


NASTY = "</script><script>alert(1)</script>&'\"@GRAPH@.py"


def test_no_name_of_a_file_gets_out_of_the_page() -> None:
    nodes = (
        GraphNode(NASTY, NASTY, "python", 1, is_test=False),
        GraphNode("b", "b", "go", 2, is_test=True),
    )
    found = page(draw_graph("html", nodes, (DrawnEdge(NASTY, "b", ("imports",), 3),)))
    assert found.tags.count("script") == 2
    data = json.loads("".join(found.scripts).partition('"use strict"')[0])
    assert data == {
        "nodes": [[NASTY, NASTY, "python", 1, False], ["b", "b", "go", 2, True]],
        "edges": [[0, 1, 3]],
    }


def test_no_name_of_a_file_gets_out_of_its_label() -> None:
    nodes = (GraphNode('a"]; evil["', "a", "c", 1, is_test=False),)
    assert draw_graph("mermaid", nodes, ()).count('"') == 2
    assert '\\"' in draw_graph("dot", nodes, ())


def test_the_page_fetches_nothing(root: Path, tmp_path: Path) -> None:
    target = tmp_path / "graph.html"
    done = CliRunner().invoke(
        main, ["dependency-graph", "--repo", str(root), "--html", str(target)]
    )
    assert done.exit_code == 0, done.output
    found = page(target.read_text(encoding="utf-8"))
    assert found.links == []
    assert "default-src 'none'" in target.read_text(encoding="utf-8")
    assert "shop/cart.py" in found.scripts[0]


def test_a_path_is_read_from_the_current_folder_as_report_does(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def drawn(*words: str) -> set[tuple[str, str]]:
        words = ("dependency-graph", *words, "--format", "json", "--json", "--depth", "1")
        done = CliRunner().invoke(main, words)
        assert done.exit_code == 0, done.stderr
        return ends(json.loads(done.stdout))

    near = {("shop/till.py", "shop/cart.py")}
    monkeypatch.chdir(root / "shop")
    assert drawn("till.py") == drawn(str(root / "shop/till.py")) == drawn("shop/till.py") == near
    assert drawn() == drawn("..") == drawn("shop") == drawn("--repo", "shop")
    monkeypatch.chdir(root.parent)
    assert drawn("shop/shop/till.py") == near
    done = CliRunner().invoke(main, ["dependency-graph", "nowhere", "--repo", str(root)])
    assert (done.exit_code, "nowhere" in done.stderr) == (2, True)


@pytest.mark.browser
@pytest.mark.skipif(not installed(), reason=MISSING)
def test_the_page_shows_forty_files_by_folder_and_opens_and_finds_the_others(
    repository: Repository, tmp_path: Path
) -> None:
    files = {
        f"pkg{part}/m{number}.py": f"from pkg{part}.m0 import f\n" * bool(number) + "def f(): ...\n"
        for part in range(3)
        for number in range(20)
    }
    checks = {f"tests/test_{number}.py": f"from pkg0.m{number} import f\n" for number in range(5)}
    with Index.open(repository(files | checks, "wide")) as index:
        index.sync(structure_only=True)
        (tmp_path / "all.html").write_text(index.graph.diagram(format="html").drawn())
        (tmp_path / "one.html").write_text(index.graph.diagram("pkg1", format="html").drawn())
    bands = "return [...document.querySelectorAll('.band text')].map(text => text.textContent)"
    boxes = "return document.querySelectorAll('.box:not(.more)').length"
    type_name = (
        "const box = document.getElementById('find'); box.value = arguments[0];"
        "box.dispatchEvent(new Event('input'));"
    )
    with Browser() as browser:
        browser.open(tmp_path / "all.html")
        assert sorted(browser.run(bands)) == ["pkg0/", "pkg1/", "pkg2/"]
        assert browser.run(boxes) == 40
        assert "40 of 60 files" in browser.run("return document.body.innerText")
        browser.run("document.querySelector('.more').dispatchEvent(new Event('click'))")
        assert browser.run(boxes) > 40
        browser.run("document.getElementById('tests').click()")
        assert "40 of 65 files" in browser.run("return document.body.innerText")
        browser.run(type_name, "pkg2/m19.py")
        assert browser.run("return document.querySelector('#side h2').textContent") == "pkg2/m19.py"
        assert "pkg2/m0.py" in browser.run("return document.getElementById('side').innerText")
        browser.run(type_name, "m1")
        assert "found" in browser.run("return document.querySelector('#side h2').textContent")
        browser.run(type_name, "zzz")
        assert "Nothing" in browser.run("return document.querySelector('#side h2').textContent")
        browser.run("document.getElementById('all').click()")
        assert browser.run(boxes) == 65
        browser.open(tmp_path / "one.html")
        assert browser.run(bands) == ["pkg1/"]
        assert browser.said() == []
