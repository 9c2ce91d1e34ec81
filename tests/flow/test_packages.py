"""Names of packages that files declare: whoever sees them is resolved again, and nobody else."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import cast

import pytest

from codeindex import Index
from codeindex.graph.resolver_pool import ResolverPool
from codeindex.query.relation import parse_relation
from codeindex.search.routes.subject import resolve_subject
from codeindex.search.routes.usages import find_usages
from codeindex.store.catalog.connection import Catalog
from tests.conftest import made_repository, own_data
from tests.flow.test_resolvers import update_edges

_GOODS = "lib/Goods.kt"
_FILES = {
    _GOODS: "package shop.goods\nclass Item { fun show() {} }\nfun wrap(item: Item) = item\n",
    "lib/More.kt": "package shop.more\nfun other() {}\n",
    "app/Web.kt": (
        "package shop.web\nimport shop.goods.*\nimport shop.more.*\n"
        "fun run(item: Item) {\n  wrap(item).show()\n  send(item)\n  item.weigh()\n}\n"
    ),
    "app/Quiet.kt": "package shop.web\nimport shop.goods.*\nfun quiet() {}\n",
    "app/Java.java": (
        "package shop.web;\nimport shop.goods.*;\nclass Java {\n  Item item;\n  Late late;\n}\n"
    ),
}
_EDGES = (
    "SELECT f.path, s.qualified, e.kind, e.certainty, g.path, t.qualified, e.target_name, e.lines"
    " FROM edges e JOIN files f ON f.id = e.source_file LEFT JOIN symbols s ON"
    " s.id = e.source_symbol LEFT JOIN files g ON g.id = e.target_file"
    " LEFT JOIN symbols t ON t.id = e.target_symbol ORDER BY 1, 2, 3, 4, 5, 6, 7, 8"
)
Edges = list[tuple[str, ...]]


class Site:
    """A repository and its index, which knows how many files a sync has resolved."""

    def __init__(self, root: Path, index: Index) -> None:
        self.root = root
        self.index = index

    def resolved(self, changes: Mapping[str, str | None]) -> int:
        """Write or remove files, sync, and return how many files were resolved."""
        for path, text in changes.items():
            if text is None:
                (self.root / path).unlink()
            else:
                (self.root / path).parent.mkdir(parents=True, exist_ok=True)
                (self.root / path).write_text(text)
        counts = [0]
        self.index.sync(progress=lambda phase, _, total: counts.append(total * (phase == "graph")))
        return max(counts)

    def edges(self) -> Edges:
        with self.index.reader().catalog() as (catalog, _):
            return catalog.connection.execute(_EDGES).fetchall()

    def edges_from_scratch(self, scratch: Path) -> Edges:
        shutil.copytree(self.index.repository.folder, scratch)
        with Catalog.create(scratch / "catalog.sqlite") as catalog:
            with catalog.writing():
                catalog.connection.execute("DELETE FROM edge_rows")
                catalog.connection.execute(
                    "UPDATE relations SET resolved = 0, asked = '[]', consulted = x''"
                )
            update_edges(catalog, cast("ResolverPool", None))
            return catalog.connection.execute(_EDGES).fetchall()

    def of_web(self, kind: str) -> set[tuple[str, str]]:
        """Return files or symbols, with the lines, that `app/Web.kt` is linked with."""
        return {
            (path and (f"{path}::{name}" if name else path), lines)
            for source, _, one, certainty, path, name, _, lines in self.edges()
            if source == "app/Web.kt" and one == kind and certainty == "resolved" and path
        }


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Site]]:
    folder = tmp_path_factory.mktemp("packages")
    opened: list[Index] = []

    def make(name: str) -> Site:
        root = made_repository(folder / name, _FILES)
        opened.append(Index.open(root))
        opened[-1].sync()
        return Site(root, opened[-1])

    with own_data(folder):
        yield make
        for one in opened:
            one.close()


_LATE = {"elsewhere/deep/Late.kt": "package shop.goods\nclass Late\nfun send(item: Item) {}\n"}
_STEPS: list[Mapping[str, str | None]] = [
    _LATE,
    {"lib/More.kt": "package shop.more\nfun other() {}\nfun send(a: Int) {}\n"},
    {_GOODS: _FILES[_GOODS] + "fun Item.weigh() = 1\n"},
    {_GOODS: _FILES[_GOODS].replace("shop.goods", "shop.moved")},
    {_GOODS: None},
    {**_LATE, _GOODS: _FILES[_GOODS].replace("fun wrap", "private fun wrap")},
    {"elsewhere/deep/Late.kt": None, "lib/More.kt": None},
]


def test_a_sync_is_as_good_as_resolving_everything(
    made: Callable[[str], Site], tmp_path: Path
) -> None:
    site = made("steps")
    for number, step in enumerate(_STEPS):
        site.resolved(step)
        assert site.edges() == site.edges_from_scratch(tmp_path / str(number)), step


_PARTIAL = {
    "gone/Cart.cs": "namespace Gone;\npublic partial class Cart { public void Add() {} }\n",
    "gone/Cart.Sums.cs": "namespace Gone;\npublic partial class Cart { public int Sum() => 0; }\n",
    "app/Shop.cs": "using Gone;\nclass Shop { void Open(Cart cart) { cart.Sum(); } }\n",
}


def test_a_folder_may_vanish_with_the_files_of_a_partial_type(
    made: Callable[[str], Site], tmp_path: Path
) -> None:
    site = made("partial")
    site.resolved(_PARTIAL)
    site.resolved({path: None for path in _PARTIAL if path.startswith("gone/")})
    assert site.edges() == site.edges_from_scratch(tmp_path / "removed")


_NAMESPACE = {
    "cs/A.csproj": "<Project />\n",
    "cs/Cart.cs": "namespace Shop;\npublic partial class Cart { void Go() { Up(); Add(); } }\n",
    "cs/Base.cs": "namespace Shop;\npublic class Base { public void Up() {} }\n",
    "cs/Rest.cs": "namespace Lib;\npublic static class Rest { }\n",
    "cs/Use.cs": 'class Use { void Run(Cart cart) { "a".Shout(); cart.Go(); } }\n',
}
_IN_NAMESPACES: list[Mapping[str, str | None]] = [
    _NAMESPACE,
    {
        "cs/Base.cs": _NAMESPACE["cs/Base.cs"]
        + "public partial class Cart : Base { public void Add() {} }\n"
    },
    {
        "cs/Rest.cs": "namespace Lib;\npublic static class Rest {\n"
        "  public static void Shout(this string text) {}\n}\n"
    },
    {"cs/A.csproj": '<Project><Using Include="Lib;Shop" /></Project>\n'},
    {"cs/Rest.cs": "global using Shop;\nnamespace Lib2;\n"},
    {"cs/Base.cs": None},
]


def test_a_sync_of_namespaces_and_projects_is_as_good_as_resolving_everything(
    made: Callable[[str], Site], tmp_path: Path
) -> None:
    site = made("namespaces")
    found: list[set[str]] = []
    for number, step in enumerate(_IN_NAMESPACES):
        site.resolved(step)
        edges = site.edges()
        assert edges == site.edges_from_scratch(tmp_path / str(number)), step
        found.append({row[5] for row in edges if row[0].startswith("cs/") and row[2] == "calls"})
    parts = {"Shop.Base.Up", "Shop.Cart.Add"}
    assert not found[0] & parts
    assert parts <= found[1] & found[4]
    assert "Lib.Rest.Shout" not in found[2]
    assert {"Lib.Rest.Shout", "Shop.Cart.Go"} <= found[3]
    assert "Shop.Cart.Go" in found[4]
    assert not found[5] & parts


def test_who_sees_a_package_learns_of_a_file_that_joins_it(made: Callable[[str], Site]) -> None:
    site = made("joined")
    before = site.of_web("imports")
    assert site.resolved(_LATE) == 3  # itself, Web.kt for `send` and Java.java for `Late`
    late = "elsewhere/deep/Late.kt"
    assert site.of_web("imports") - before == {(late, "2"), (f"{late}::send", "2")}
    assert (f"{late}::send", "6") in site.of_web("calls")


def test_a_new_name_makes_only_its_importers_resolve_again(made: Callable[[str], Site]) -> None:
    site = made("told")
    assert site.resolved({"lib/More.kt": "package shop.more\nfun other() {}\nfun more() {}\n"}) == 1
    more = "package shop.more\nfun other() {}\nfun more() {}\nfun send(a: Int) {}\n"
    assert site.resolved({"lib/More.kt": more}) == 2
    assert ("lib/More.kt::send", "6") in site.of_web("calls")


def test_who_imports_names_files_that_see_a_package_and_use_it(made: Callable[[str], Site]) -> None:
    site = made("asked")
    found = site.index.search("who imports shop.goods.Item")
    assert {(one.path, one.start_line) for one in found.hits} == {
        ("app/Web.kt", 2),
        ("app/Java.java", 2),
    }
    whole = site.index.search("who imports shop.goods")
    quiet = ("app/Quiet.kt", 2)
    assert quiet in {(one.path, one.start_line) for one in whole.hits}


_QUESTIONS = (
    "what calls wrap",
    "who imports shop.goods.Item",
    "who uses Thread",
    "subclasses of X",
)


@pytest.mark.parametrize("question", _QUESTIONS)
def test_a_relationship_question_looks_through_no_table(
    made: Callable[[str], Site], question: str
) -> None:
    site = made(f"asked {_QUESTIONS.index(question)}")
    said: list[str] = []
    with site.index.reader().corpus() as (catalog, corpus):
        catalog.connection.set_trace_callback(said.append)
        asked = parse_relation(question)
        assert asked
        meant = resolve_subject(catalog.connection, asked.object)
        if meant:
            find_usages(catalog.connection, corpus, asked, meant)
        catalog.connection.set_trace_callback(None)
        plans = [
            detail
            for sql in said
            for *_, detail in catalog.connection.execute(f"EXPLAIN QUERY PLAN {sql}")
        ]
    assert 0 < len(said) < 20
    tables = r"SCAN (?:e|edges|s|symbols|f|files|relations)\b"
    few = "COVERING INDEX|files_with_reason"  # of narrow rows, or of those that say why they failed
    assert [one for one in plans if re.match(tables, one) and not re.search(few, one)] == []
