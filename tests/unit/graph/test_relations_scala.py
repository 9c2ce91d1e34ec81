"""What names in Scala refer to."""

from __future__ import annotations

from tests.unit.graph.related import calls, edges

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
