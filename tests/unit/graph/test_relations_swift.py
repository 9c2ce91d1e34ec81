"""What names in Swift refer to."""

from __future__ import annotations

from tests.unit.graph.related import calls, edges

_SOURCES = {
    "Sources/Shop/Item.swift": """class Base { func show() {} }
class Item: Base { var next: Item? }
""",
    "Sources/Shop/Item+More.swift": "extension Item { func more() { show() } }\n",
    "Sources/Other/Item.swift": "class Item { func other() {} }\n",
    "Sources/Shop/App.swift": """struct App {
  let item: Item
  func run(_ all: [Item], x: Int) {
    item.show()
    item.next?.show()
    item.more()
    for one in all { one.show() }
    x.show()
    item.other()
    self.run(all, x: 1)
  }
}
""",
}
_SHOW = "Sources/Shop/Item.swift::Base.show"


def test_members_of_typed_values() -> None:
    all_calls = calls(_SOURCES, "Sources/Shop/App.swift")
    assert {(line, _SHOW) for line in (4, 5, 7)} <= all_calls
    assert (6, "Sources/Shop/Item+More.swift::Item.more") in all_calls
    assert {(8, "?show"), (9, "?other")} <= all_calls
    assert (10, "Sources/Shop/App.swift::App.run") in all_calls


def test_an_extension_sees_what_its_type_extends() -> None:
    assert (1, _SHOW) in calls(_SOURCES, "Sources/Shop/Item+More.swift")


def test_a_base_type_of_other_code_is_named() -> None:
    sources = {"Sources/a.swift": "final class Reader: Decoder {\n  func read() {}\n}\n"}
    assert edges(sources) == {("Sources/a.swift:1", "extends", "Decoder")}
