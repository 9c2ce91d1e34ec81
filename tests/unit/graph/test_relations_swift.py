"""What names in Swift refer to."""

from __future__ import annotations

import pytest

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


_LISTED = """
		0123456789ABCDEF01234567 /* Sources */ = {
			isa = PBXSourcesBuildPhase;
			files = (
				0123456789ABCDEF01230001 /* Cart.swift in Sources */,
				0123456789ABCDEF01230002 /* Desk.swift in Sources */,
			);
		};
"""
_FOLDERS = """
		0123456789ABCDEF0123AAAA /* Shop */ = {isa = PBXFileSystemSynchronizedRootGroup; \
exceptions = (); explicitFileTypes = {}; explicitFolders = (); path = Shop; };
"""
_TARGET = """
		0123456789ABCDEF01237777 /* Shop */ = {
			isa = PBXNativeTarget;
			buildPhases = (
				0123456789ABCDEF01234567 /* Sources */,
			);
			fileSystemSynchronizedGroups = (
				0123456789ABCDEF0123AAAA /* Shop */,
			);
			name = Shop;
		};
"""
_APP = {
    "Shop/Model/Cart.swift": (
        "class Cart {\n  func add(_ n: Int) {}\n  func last() -> Cart? { nil }\n}\n"
    ),
    "Shop/Desk.swift": "func open(cart: Cart) {\n  cart.add(1)\n}\nfunc log() {}\n",
    "tools/check.swift": "func log() {}\nfunc run(cart: Cart) {\n  cart.add(2)\n  log()\n}\n",
    "ShopTests/CartTests.swift": (
        "@testable import Shop\nfunc testAdd() {\n  let cart = Cart()\n  cart.add(3)\n}\n"
    ),
}
_ADD = "Shop/Model/Cart.swift::Cart.add"


@pytest.mark.parametrize("members", [_LISTED, _FOLDERS], ids=["files", "folders"])
def test_files_of_a_target_of_an_xcode_project_see_each_other(members: str) -> None:
    sources = {**_APP, "Shop.xcodeproj/project.pbxproj": members + _TARGET}
    assert (2, _ADD) in calls(sources, "Shop/Desk.swift")
    assert (4, _ADD) in calls(sources, "ShopTests/CartTests.swift")
    assert calls(sources, "tools/check.swift") == {(3, "?add"), (4, "tools/check.swift::log")}


def test_without_a_project_files_of_a_top_folder_see_each_other() -> None:
    assert (2, _ADD) in calls(_APP, "Shop/Desk.swift")
    assert calls(_APP, "tools/check.swift") == {(3, "?add"), (4, "tools/check.swift::log")}


def test_of_several_definitions_in_a_target_the_nearest_counts() -> None:
    sources = {
        "App/Mac/Colors.swift": "enum Colors { static func make() {} }\n",
        "App/Phone/Colors.swift": "enum Colors { static func make() {} }\n",
        "App/Watch/Colors.swift": "private enum Colors { static func make() {} }\n",
        "App/Mac/View.swift": "func show() {\n  Colors.make()\n}\n",
        "App/View.swift": "func show() {\n  Colors.make()\n}\n",
    }
    assert calls(sources, "App/Mac/View.swift") == {(2, "App/Mac/Colors.swift::Colors.make")}
    assert calls(sources, "App/View.swift") == {
        (2, "?App/Mac/Colors.swift::Colors.make"),
        (2, "?App/Phone/Colors.swift::Colors.make"),
    }


def test_extensions_of_external_types_have_members() -> None:
    sources = {
        "App/Path.swift": (
            "extension Path {\n  func fits(_ n: Int) -> Bool { true }\n"
            "  func open(_ n: Int, at: Int = 0) {}\n  init(n: Int) {}\n}\n"
        ),
        "App/Use.swift": (
            'func use(p: Path) {\n  p.fits(1)\n  Path("x").fits(2)\n  p.open(3)\n  p.exists()\n}\n'
        ),
    }
    every = calls(sources, "App/Use.swift")
    assert {(2, "App/Path.swift::Path.fits"), (3, "App/Path.swift::Path.fits")} <= every
    assert (4, "?App/Path.swift::Path.open") in every  # it may be an overload of the type itself
    assert (5, "?exists") in every
    assert not any(
        "references" in kind and at.startswith("App/Use") for at, kind, _ in edges(sources)
    )


def test_bindings_in_conditions_and_patterns_have_types() -> None:
    use = """func use(cart: Cart, all: [Cart], any: Any) throws {
  if let last = cart.last() { last.add(1) }
  guard let next = try? cart.last() else { return }
  next.add(2)
  do { try run() } catch let error as Failure { error.tell() }
  switch any {
  case let other as Cart: other.add(3)
  default: break
  }
  all.forEach { one in one.add(4) }
  while let more = cart.last() { more.add(5) }
}
"""
    sources = {
        **_APP,
        "Shop/Use.swift": use,
        "Shop/Failure.swift": "struct Failure: Error { func tell() {} }\n",
    }
    every = calls(sources, "Shop/Use.swift")
    assert {line for line, target in every if target == _ADD} == {2, 4, 7, 10, 11}
    assert (5, "Shop/Failure.swift::Failure.tell") in every


def test_a_folder_with_the_name_of_a_target_does_not_see_it() -> None:
    note = "func note(cart: Cart) {\n  cart.add(5)\n}\n"
    project = {"Shop.xcodeproj/project.pbxproj": _LISTED + _TARGET}
    sources = {**_APP, **project, "Shop/Extra/Note.swift": note}
    assert (2, "?add") in calls(sources, "Shop/Extra/Note.swift")


def test_an_extension_sees_the_type_parameters_of_the_extended_type() -> None:
    sources = {
        "Sources/A/Model.swift": (
            "protocol Model {}\nprotocol Eager { associatedtype To }\n"
            "final class Builder<Model, To>: Eager {\n  func one() -> Model? { nil }\n}\n"
        ),
        "Sources/A/Ext.swift": (
            "extension Builder {\n  func find(_ key: Model) -> To? { nil }\n"
            "  func create(on count: Int) -> Int { 1 }\n}\nstruct Cart: Model {}\n"
        ),
        "Sources/A/Async.swift": (
            "extension Builder {\n  func create(on count: Int) async throws {}\n}\n"
            "func use(built: Builder<Cart, Int>) {\n  built.create(on: 1)\n  built.one()\n}\n"
        ),
    }
    found = edges(sources)
    assert {kind for at, kind, target in found if target.endswith("::Model")} == {"extends"}
    assert not any(target.endswith("Eager.To") for _, _, target in found)
    assert calls(sources, "Sources/A/Async.swift") == {
        (5, "?Sources/A/Ext.swift::Builder.create"),
        (5, "?Sources/A/Async.swift::Builder.create"),
        (6, "Sources/A/Model.swift::Builder.one"),
    }
