"""What names in Scala refer to."""

from __future__ import annotations

from tests.unit.graph.related import calls, edges, lines_meant

_SOURCES = {
    "src/shop/Item.scala": """package shop
trait Base { def show(): Unit = () }
class Item(val next: Item) extends Base
object Item { def free(): Item = new Item(null) }
""",
    "src/shop/web/App.scala": """package shop.web
import shop.{Item => Thing, _}
class App(item: Thing) {
  def run(all: List[Item]): Unit = {
    item.show()
    Item.free().next.show()
    all.foreach(x => x.show())
    new Base { def more() = show() }
    this.run(all)
  }
}
""",
}
_SHOW = "src/shop/Item.scala::Base.show"


def test_members_of_typed_values() -> None:
    all_calls = calls(_SOURCES, "src/shop/web/App.scala")
    assert {(line, _SHOW) for line in (5, 6, 8)} <= all_calls
    assert (9, "src/shop/web/App.scala::App.run") in all_calls
    assert (7, "?show") in all_calls


def test_a_package_clause_in_parts_names_one_package() -> None:
    sources = {
        "far/Item.scala": "package shop\npackage goods\nclass Item { def show = 1 }\n",
        "Far.scala": "package goods\nclass Item\n",
        "App.scala": "package app\nimport shop.goods._\nclass App(item: Item)\n",
    }
    assert ("App.scala:3", "references", "far/Item.scala::Item") in edges(sources)


def test_all_base_types_count() -> None:
    sources = {
        "App.scala": "trait B { def b() = 1 }\ntrait C { def c() = 1 }\ntrait D\n"
        "class A extends B with C with D {\n  c()\n}\n"
        "object O extends D with B\nenum E extends D with C { case X }\n"
    }
    found = edges(sources)
    extended = {(at, target) for at, kind, target in found if kind == "extends"}
    assert extended == {
        (f"App.scala:{line}", f"App.scala::{base}")
        for line, bases in ((4, "BCD"), (7, "DB"), (8, "DC"))
        for base in bases
    }
    assert ("App.scala:5", "calls", "App.scala::C.c") in found


_METHOD_WITH_ARGUMENTS = "trait B { def method(x: Int, y: Int): B = this }\n"


def test_a_member_of_a_type_with_an_outer_base_may_be_a_value_of_that_base() -> None:
    sources = {
        "App.scala": f"package p\nimport ext.Outer\n{_METHOD_WITH_ARGUMENTS}"
        "class A extends B with Outer {\n  def g = f(method)\n}\nclass N extends B\n"
        "class U {\n  def f(a: A, n: N) = {\n"
        "    a.method\n    n.method\n    a.method(1, 2)\n  }\n}\n"
    }
    found = {(at, target) for at, _, target in edges(sources) if "method" in target}
    assert found == {
        ("App.scala:5", "?App.scala::B.method"),
        ("App.scala:10", "?App.scala::B.method"),
        ("App.scala:11", "App.scala::B.method"),
        ("App.scala:12", "App.scala::B.method"),
    }


def test_the_name_of_an_argument_is_no_use() -> None:
    sources = {"App.scala": "object A {\n  def method = 1\n  def f(r: R) = g(method = r.x)\n}\n"}
    assert not [target for _, _, target in edges(sources) if "method" in target]


def test_a_name_of_a_type_is_not_the_object_of_this_name() -> None:
    source = """package a
object Base { def make = 1 }
trait Base { def x = 2 }
class C extends Base {
  val base: Base = new Base {}
  Base.make
}
"""
    meant = lines_meant({"a.scala": source}, "a.scala")
    found = {(line, kind, at) for line, kind, _, at in meant}
    assert {(4, "extends", 3), (5, "references", 3), (5, "calls", 3)} <= found
    assert not {row for row in found if row[0] in {4, 5} and row[2] == 2}
    assert (6, "references", 2) in found


def test_of_variants_of_a_file_for_several_builds_each_is_possible() -> None:
    variants = {
        f"compat/src/main/scala-{version}/Compat.scala": "package p\nobject Compat { def of = 1 }\n"
        for version in ("2.13", "3")
    }
    sources = {**variants, "core/Use.scala": "package q\nimport p.Compat\nclass U(n: Compat.of)\n"}
    found = {target for at, kind, target in edges(sources) if at == "core/Use.scala:3"}
    assert {f"?{path}::Compat" for path in variants} <= found
    assert not any(target.startswith("compat") for target in found)
