"""What names in Kotlin refer to."""

from __future__ import annotations

from tests.unit.related import calls, edges

_SOURCES = {
    "src/shop/Item.kt": """package shop
open class Base { fun show() {} }
class Item(val next: Item?) : Base() {
  companion object { fun free(): Item = Item(null) }
}
fun wrap(item: Item): Item = item
""",
    "src/shop/web/App.kt": """package shop.web
import shop.Item
import shop.wrap as pack
class App(private val item: Item) {
  fun run(other: Item?) {
    item.show()
    other?.next?.show()
    pack(item).show()
    Item.free().show()
    this.run(null)
    listOf(item).forEach { it.show() }
    for (one in listOf<Item>()) { one.show() }
  }
  fun hidden(item: String) { item.show() }
}
""",
}
_SHOW = "src/shop/Item.kt::Base.show"


def test_members_of_typed_values() -> None:
    found = calls(_SOURCES, "src/shop/web/App.kt")
    assert {(line, _SHOW) for line in (6, 7, 8, 9)} <= found
    assert (8, "src/shop/Item.kt::wrap") in found
    assert (10, "src/shop/web/App.kt::App.run") in found


def test_what_is_not_known_stays_so() -> None:
    found = calls(_SOURCES, "src/shop/web/App.kt")
    assert (11, "?show") in found
    assert (14, "?show") in found


def test_imports_and_bases() -> None:
    found = edges(_SOURCES)
    assert ("src/shop/web/App.kt:2", "imports", "src/shop/Item.kt::Item") in found
    assert ("src/shop/Item.kt:3", "extends", "src/shop/Item.kt::Base") in found


def test_a_base_within_another_type_is_that_one() -> None:
    source = (
        "open class A(val x: Int) {\n  open class B\n  interface C {\n    interface D\n  }\n}\n"
        "class E : A.B()\nclass F : A.C\nclass G : A(1)\nclass H : A.C.D\n"
    )
    found = {(at, target) for at, kind, target in edges({"A.kt": source}) if kind == "extends"}
    assert found == {
        ("A.kt:7", "A.kt::A.B"),
        ("A.kt:8", "A.kt::A.C"),
        ("A.kt:9", "A.kt::A"),
        ("A.kt:10", "A.kt::A.C.D"),
    }
