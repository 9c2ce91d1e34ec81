"""Questions about symbols and files, asked of real indexes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from operator import attrgetter
from typing import Any

import pytest
from click.testing import CliRunner

from codeindex import Index
from codeindex.api.capability import answer_of
from codeindex.cli import main
from codeindex.errors import QueryError
from tests.conftest import Repository
from tests.requests import request_types

pytestmark = pytest.mark.usefixtures("home")

CART = '''"""Carts."""

import os
from shop.money import (
    Price,
    rounded,
)

__all__ = ["Cart"]


class Cart:
    """What somebody wants to buy."""

    def add(self, price: Price) -> None:
        """Put one thing in."""
        for _ in range(2):
            self.total = rounded(price)

    def _check(self) -> bool:
        return os.path.exists("x")


def spare() -> int:
    return 1
'''
MONEY = """
class Price:
    pass


def rounded(price: Price) -> Price:
    return price
"""
DESK = """
from shop.cart import Cart


def sell() -> None:
    Cart().add(None)


sell()
"""
TEST = """
from shop.cart import Cart


def test_add_puts_in():
    Cart().add(1)
"""
FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": CART,
    "shop/money.py": MONEY,
    "shop/desk.py": DESK,
    "tests/test_cart.py": TEST,
    "README.md": "# Shop\n",
}


@pytest.fixture
def index(repository: Repository) -> Iterator[Index]:
    with Index.open(repository(FILES)) as opened:
        opened.sync(structure_only=True)
        yield opened


def test_names_are_found_by_a_part_with_exact_matches_first(index: Index) -> None:
    found = index.symbols.lookup("CART")
    assert found.symbols[0].name == "Cart"
    assert found.total == len(found.symbols)
    few = index.symbols.lookup("a", limit=1)
    assert (len(few.symbols), few.truncated) == (1, True)
    assert few.total > 1


def test_wildcards_of_sql_are_only_letters(index: Index) -> None:
    assert index.symbols.lookup("%").total == 0
    assert {one.name for one in index.symbols.lookup("_").symbols} == {
        "__all__",
        "Cart._check",
        "test_add_puts_in",
    }


def test_a_name_that_is_nowhere_is_answered_with_the_nearest(index: Index) -> None:
    assert index.symbols.lookup("roundet").nearest == ("rounded",)


def test_signatures_are_searched_without_regard_to_line_breaks(index: Index) -> None:
    found = index.symbols.signatures("price: Price)  ->")
    assert {one.name for one in found.symbols} == {"Cart.add", "rounded"}


def test_limits_outside_of_the_contract_are_refused(index: Index) -> None:
    for limit in (0, 201, True):
        with pytest.raises(QueryError, match="from 1 to 200"):
            index.symbols.lookup("cart", limit=limit)


def test_declarations_are_filtered_by_kind_and_may_be_shallow(index: Index) -> None:
    assert [
        one.name for one in index.source.declarations("shop/cart.py", kind="fn").declarations
    ] == ["spare"]
    shallow = index.source.declarations("shop/cart.py", shallow=True)
    assert [one.name for one in shallow.declarations] == ["__all__", "Cart", "spare"]
    assert "doc" not in shallow.as_dict()["declarations"][1]
    with pytest.raises(QueryError, match="No kind is called 'klass'"):
        index.source.declarations("shop/cart.py", kind="klass")


def test_names_outside_all_or_with_an_underscore_are_not_public(index: Index) -> None:
    names = {one.name for one in index.source.public_api("shop").declarations}
    assert names == {"Cart", "Cart.add", "Cart.total", "Price", "rounded", "sell"}


def test_an_import_over_several_lines_is_one_statement_that_leads_to_a_file(index: Index) -> None:
    first, second = index.graph.imports("shop/cart.py").imports
    assert (first.text, first.outside) == ("import os", ("os",))
    assert second.text == "from shop.money import ( Price, rounded, )"
    assert (second.files, second.names) == (("shop/money.py",), ("Price", "rounded"))
    assert index.graph.imports("README.md").known is False


def test_a_summary_counts_and_names_the_tests(index: Index) -> None:
    summary = index.source.summary("shop/cart.py")
    assert summary.kinds["method"] == 2
    assert summary.public == 3
    assert summary.tests == ("tests/test_cart.py",)
    assert not summary.has_tests
    assert [one["name"] for one in summary.as_dict()["declarations"]] == [
        "__all__",
        "Cart",
        "spare",
    ]


def test_a_summary_names_functions_and_imports_once(repository: Repository) -> None:
    code = (
        "use std::fmt;\nstruct Cart;\n"
        "impl Default for Cart {\n    fn default() -> Cart { Cart }\n}\n"
        "impl Cart {\n    fn total(&self) -> u32 { 0 }\n}\nmod tests {\n    use std::fmt;\n}\n"
    )
    with Index.open(repository({"cart.rs": code})) as index:
        index.sync(structure_only=True)
        lines = [line.strip() for line in index.source.summary("cart.rs").text()]
    assert lines[lines.index("imports") + 1 :] == [
        "use std::fmt;",
        "2: struct Cart  struct Cart;",
        "default, total",
        "3: impl Cart  impl Default for Cart",
        "6: impl Cart  impl Cart",
        "9: module tests  mod tests",
        "tests: none found",
    ]


def test_summaries_stop_at_thirty_files_and_name_the_rest(repository: Repository) -> None:
    root = repository({f"part_{n:02}.py": f"x{n} = 1\n" for n in range(33)})
    with Index.open(root) as index:
        index.sync(structure_only=True)
        found = index.source.summaries(glob="*.py")
        assert (len(found.files), found.left_out) == (
            30,
            ("part_30.py", "part_31.py", "part_32.py"),
        )
        with pytest.raises(QueryError, match="No indexed file matches"):
            index.source.summaries(glob="*.rs")
        with pytest.raises(QueryError, match="one of the two"):
            index.source.summaries(("part_01.py",), glob="*.py")


def test_source_is_read_by_symbol_with_its_line_numbers(index: Index) -> None:
    (section,) = index.source.read("shop/cart.py", ("Cart.add",), expand=1).sections
    lines = CART.split("\n")
    assert section.start_line == lines.index("    def add(self, price: Price) -> None:")
    assert all(lines[number - 1] == text for number, text in section.lines)
    assert not section.truncated


def test_collapsed_source_keeps_heads_and_leaves_out_blocks(index: Index) -> None:
    (section,) = index.source.read("shop/cart.py", ("Cart",), collapse=True).sections
    assert [text.strip() for _, text in section.lines if text.strip()] == [
        "class Cart:",
        '"""What somebody wants to buy."""',
        "def add(self, price: Price) -> None:",
        "...",
        "def _check(self) -> bool:",
        "...",
    ]


def test_long_sources_are_cut_and_say_so(repository: Repository) -> None:
    body = "\n".join(f"    x = {n}" for n in range(2_000))
    root = repository({"long.py": "".join(f"def f{n}():\n{body}\n\n" for n in range(4))})
    with Index.open(root) as index:
        index.sync(structure_only=True)
        found = index.source.read("long.py", ("f0", "f1", "f2", "f3"))
        assert [len(one.lines) for one in found.sections] == [2_001, 999, 0, 0]
        assert [one.truncated for one in found.sections] == [False, True, True, True]
        assert found.truncated
        assert len(index.source.read("long.py").sections[0].lines) == 3_000
        assert not index.source.read("long.py", start_line=5, end_line=9).truncated


def test_of_long_overloads_the_one_with_the_work_is_read(repository: Repository) -> None:
    work = "".join(f"        total += {n};\n" for n in range(90))
    java = (
        "class Till {\n    int pay(int a) {\n        return pay(a, 0);\n    }\n\n"
        f"    int pay(int a, int total) {{\n{work}        return total;\n    }}\n}}\n"
    )
    with Index.open(repository({"Till.java": java})) as index:
        index.sync(structure_only=True)
        found = index.source.read("", ("Till.pay",))
    assert [section.start_line for section in found.sections] == [6]
    assert found.elsewhere == ("Till.java::Till.pay:2",)


REFUSED: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("shop/cart.py", {"symbols": ("Card",)}, "did you mean Cart"),
    ("shop/cart.py", {"start_line": 900}, "there is no line 900"),
    ("shop/cart.py", {"start_line": 9, "end_line": 3}, "before line 9"),
    ("shop/cart.py", {"start_line": -1}, "counted from 1"),
    ("shop/cart.py", {"symbols": ("Cart",), "start_line": 1}, "not for both"),
    ("carts.py", {}, "did you mean 'shop/cart.py'"),
    ("shop", {}, "is a folder"),
    ("../secret", {}, "No indexed file"),
)


def test_what_cannot_be_read_is_refused_with_a_sentence(index: Index) -> None:
    for path, arguments, sentence in REFUSED:
        with pytest.raises(QueryError, match=sentence):
            index.source.read(path, **arguments)


def test_a_file_in_a_folder_that_is_left_out_is_refused_with_the_reason(
    repository: Repository,
) -> None:
    files = {"parse.py": "def parse():\n    pass\n", "venv/lib/parse.py": "x = 1\n"}
    index = Index.open(repository(files))
    index.sync()
    reason = r"'venv/lib/parse.py' is not indexed: build output or other people's code \(venv/\)"
    for question in (
        lambda: index.source.read("venv/lib/parse.py"),
        lambda: index.source.read("venv/lib/parse.py:1"),
        lambda: index.source.declarations("venv/lib/parse.py"),
        lambda: index.changes.context("venv/lib/parse.py"),
        lambda: index.graph.impact("venv/lib/parse.py"),
    ):
        with pytest.raises(QueryError, match=reason):
            question()
    assert index.source.read("lib/parse.py").file == "parse.py"


def test_secrets_stay_hidden_and_edits_are_seen(index: Index) -> None:
    key = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    (index.root / "shop/money.py").write_text(f'TOKEN = "{key}"\n\n\ndef spend(): ...\n')
    text = "\n".join(index.source.read("shop/money.py").text())
    assert "spend" in text
    assert key not in text


def test_costs_are_a_quarter_of_the_characters(index: Index) -> None:
    whole = index.source.token_estimate("shop/cart.py").as_dict()
    assert whole["full_file_tokens"] == -(-len(CART.rstrip()) // 4)
    part = index.source.token_estimate("shop/cart.py", symbol="Cart.add").as_dict()
    assert part["symbol_tokens"] < whole["full_file_tokens"]
    assert index.source.token_estimate() == index.source.token_estimate(directory=".")
    many = index.source.token_estimate(directory="shop").as_dict()
    assert many["total_tokens"] == sum(one["tokens"] for one in many["files"])
    with pytest.raises(QueryError, match="Name only one of"):
        index.source.token_estimate("shop/cart.py", glob="*.py")


def test_a_symbol_is_explained_with_its_members_and_its_users(index: Index) -> None:
    (one,) = index.symbols.explain("cart").symbols
    assert one.doc == "What somebody wants to buy."
    assert {child.name for child in one.children} >= {"Cart.add", "Cart._check"}
    assert one.used["imports"] == 2
    with pytest.raises(QueryError, match="No symbol is called"):
        index.symbols.explain("nothing_like_it")
    with pytest.raises(QueryError, match=r"'shop/cart\.py' is a file: name a symbol in it"):
        index.graph.callers("./shop/cart.py")


def test_the_context_of_a_file_names_importers_tests_and_what_they_use(index: Index) -> None:
    context = index.source.file_context("shop/cart.py").as_dict()
    assert context["imported_files"] == ("shop/money.py",)
    assert {one["file"] for one in context["imported_by"]} == {"shop/desk.py", "tests/test_cart.py"}
    assert {one["name"] for one in context["shared_symbols"]} == {"Cart", "Cart.add"}
    assert context["related"]["tests"] == ("tests/test_cart.py",)
    assert "shop/money.py" in context["related"]["siblings"]


def test_tests_are_related_by_calls_and_names(index: Index) -> None:
    found = index.graph.related_tests("Cart.add")
    assert found.tests[0].name == "test_add_puts_in"
    assert "calls" in found.tests[0].reasons
    with pytest.raises(QueryError, match=r"it is in 'shop/cart\.py'"):
        index.graph.related_tests("Cart.add", path="shop/money.py")


def test_only_symbols_without_uses_are_listed_as_unused(index: Index) -> None:
    found = index.graph.unused()
    assert [(one.name, one.confidence) for one in found.symbols] == [
        ("Cart._check", "likely"),
        ("spare", "likely"),
    ]
    assert found.as_dict()["estimate"] is True


def test_overrides_hooks_and_registered_functions_are_not_unused(repository: Repository) -> None:
    source = """
import ast

class Base:
    def step(self): ...

class Sub(Base):
    def step(self): ...

class Visitor(ast.NodeVisitor):
    def visit_Name(self, node): ...

@app.route("/")
def page(): ...

def main(): ...

def maybe(): ...

class Open:
    def close_it(self): ...

Sub().step()
Base().step()
Visitor()
Open()
print("maybe")

def use(thing):
    thing.close_it()

use(None)
"""
    with Index.open(repository({"app.py": source})) as index:
        index.sync(structure_only=True)
        found = {one.name: one for one in index.graph.unused(include_possible=True).symbols}
    assert set(found) == {"maybe", "Open.close_it"}
    assert found["Open.close_it"].possible_calls == 1
    assert {one.confidence for one in found.values()} == {"possible"}


MARKED = (
    (
        "a.rs",
        "pub fn a() {}\nfn b() {}\npub(crate) fn c() {}\npub trait T { fn d(); }",
        "a T T.d",
    ),
    ("a.go", "package a\nfunc A() {}\nfunc b() {}\n", "A"),
    ("a.ts", "export function a() {}\nfunction b() {}\nfunction c() {}\nexport { c }\n", "a c"),
    ("a.js", "function a() {}\nmodule.exports = { a }\nfunction b() {}\n", "a"),
    ("b.js", "function a() { function inner() {} }\n", "a"),
    ("A.java", "public class A { public void b() {} void c() {} private int d; }", "A A.b"),
    ("a.lua", "local function a() end\nfunction b() end\n", "b"),
    ("a.ex", "defmodule A do\n  def b, do: 1\n  defp c, do: 2\nend\n", "A A.b"),
    ("A.kt", "class A(private val b: Int) { fun c() {} private fun d() {} }", "A A.c"),
    ("B.kt", "class B private constructor(val b: Int)\ninternal class C\n", "B B.b"),
    ("a.c", "static int a(void) { return 1; }\nint b(void) { return 2; }\n", "b"),
)
"""A file, its source, and what of it is public."""


def test_each_language_marks_its_public_names_in_its_own_way(repository: Repository) -> None:
    with Index.open(repository({path: source for path, source, _ in MARKED})) as index:
        index.sync(structure_only=True)
        for path, _, public in MARKED:
            found = {one.name for one in index.source.public_api(path).declarations}
            assert (path, found) == (path, set(public.split()))


def test_the_tree_counts_what_lies_deeper_than_it_shows(index: Index) -> None:
    shown = index.source.tree(depth=1).as_dict()
    assert shown["files"] == len(FILES)
    assert {one["path"]: one["files"] for one in shown["folders"]} == {"shop": 4, "tests": 1}
    assert [one["name"] for one in index.source.tree("shop/cart.py").as_dict()["entries"]] == [
        "cart.py"
    ]


def test_statistics_agree_with_the_catalog(index: Index) -> None:
    stats = index.overview.stats()
    assert stats.files == len(FILES)
    assert stats.languages["python"].files == 5
    assert stats.tests == 1
    assert stats.symbols == sum(stats.kinds.values())


def test_the_exported_graph_has_a_node_for_each_end_inside(index: Index) -> None:
    graph = index.graph.export().as_dict()
    nodes = {one["id"] for one in graph["nodes"]}
    assert all(one["source"] in nodes for one in graph["edges"])
    assert all(one["target"] in nodes for one in graph["edges"] if one["inside"])
    assert ("shop/desk.py::sell", "shop/cart.py::Cart.add") in {
        (one["source"], one["target"]) for one in graph["edges"]
    }


def test_each_request_has_a_method_of_its_name(index: Index) -> None:
    for request in request_types():
        owner, _, name = request.capability.rpartition(".")
        if owner != "workspace":
            component = attrgetter(owner)(index) if owner else index
            assert getattr(component, name).__func__.__wrapped__ is answer_of(request)


ASKED = (
    ["lookup", "cart"],
    ["signatures", "--", "-> None"],
    ["declarations", "shop/cart.py"],
    ["public-api"],
    ["tree"],
    ["stats"],
    ["imports", "shop/cart.py"],
    ["summary", "shop/cart.py"],
    ["summaries", "shop/cart.py", "shop/desk.py"],
    ["read", "shop/cart.py", "Cart"],
    ["token-estimate", "shop/cart.py"],
    ["token-estimate", "--directory", "shop"],
    ["explain-symbol", "Cart"],
    ["file-context", "shop/cart.py"],
    ["related-tests", "Cart"],
    ["unused"],
    ["export-graph"],
)
"""One command line of every tool."""


def test_every_answer_has_three_forms(index: Index) -> None:
    for name, *rest in ASKED:
        text, plain, table = (
            CliRunner().invoke(main, [name, *form, "--repo", str(index.root), *rest])
            for form in ((), ("--json",), ("--columns",))
        )
        assert (text.exit_code, plain.exit_code, table.exit_code) == (0, 0, 0), text.output
        assert text.output.strip()
        assert json.loads(plain.output)
        header, *rows = table.output.splitlines()
        assert {row.count("\t") for row in rows} == {header.count("\t")}


def test_defaults_are_not_unused(repository: Repository) -> None:
    heads = ("lonely()", "key(one)", "sort(items, key=key)")
    code = "".join(f"def {head}: ...\n\n\n" for head in heads)
    with Index.open(repository({"a.py": f"{code}sort([])\n"})) as index:
        index.sync(structure_only=True)
        found = index.graph.unused()
    assert [one.name for one in found.symbols] == ["lonely"]
    assert found.unread == 0
