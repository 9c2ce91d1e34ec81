"""What names in Dart refer to."""

from __future__ import annotations

from tests.unit.graph.related import calls, edges

_SOURCES = {
    "pkg/pubspec.yaml": "name: shop\n",
    "pkg/lib/shop.dart": "export 'src/item.dart';\n",
    "pkg/lib/src/item.dart": """class Base { void show() {} }
class Item extends Base {
  Item next() => this;
}
""",
    "pkg/test/app.dart": """import 'package:shop/shop.dart';
import '../lib/src/item.dart' as named;
class App {
  final Item item;
  App(this.item);
  void run(Item other, x) {
    item.show();
    other.next().show();
    var made = named.Item(); made.show();
    x.show();
    this.run(other, x);
  }
}
""",
}
_SHOW = "pkg/lib/src/item.dart::Base.show"


def test_members_of_typed_values() -> None:
    all_calls = calls(_SOURCES, "pkg/test/app.dart")
    assert {(line, _SHOW) for line in (7, 8, 9)} <= all_calls
    assert (10, "?show") in all_calls
    assert (11, "pkg/test/app.dart::App.run") in all_calls


_MIXINS = """\
class Game { void run() {} }
class Part { int x() => 1; int z() => 1; }
class Mid extends Part { int z() => 2; }
mixin First<T extends Game> on Part {
  T get game => find();
  int y() => x() + super.z();
}
mixin Second { int y() => 2; }
class Whole extends Mid with First<Game>, Second {
  int all() => y() + z() + super.y();
}
class Named = Part with First<Game>;
void main(Whole whole, Named named) {
  whole.game.run();
  named.y();
  named.x();
}
mixin Loop on Other { void turn() { missing(); } }
mixin Other on Loop {}
"""


def test_the_last_mixin_precedes_others_and_those_the_superclass() -> None:
    found = {
        (line, target.rpartition("::")[2]) for line, target in calls({"a.dart": _MIXINS}, "a.dart")
    }
    assert found >= {
        *((6, "Part.x"), (6, "Part.z")),
        *((10, "Second.y"), (10, "Mid.z")),
        (14, "Game.run"),
        *((15, "First.y"), (16, "Part.x")),
    }
    assert not {(10, "First.y"), (10, "Part.z")} & found


_SHORTHANDS = """\
class Box {
  Box red() => this;
  Box all(int width) => this;
  void paint(Box box, Object name) {
    box.paint(.red(), #all);
    box.paint(.all(8), box?.red());
    red();
  }
}
"""


def test_a_member_of_the_expected_type_is_no_member_of_the_type_around_it() -> None:
    found = calls({"a.dart": _SHORTHANDS}, "a.dart")
    assert {target for line, target in found if line in {5, 6}} == {
        *("?red", "?all", "a.dart::Box.paint", "a.dart::Box.red"),
    }
    assert (5, "a.dart::Box.red") not in found
    assert (7, "a.dart::Box.red") in found


def test_names_bound_by_loops_and_patterns_are_no_members() -> None:
    source = """class Boxes {
  static int box(String name) => 1;
  static int pair(int size) => 1;
  void run() {
    for (final box in boxes) { box.close(); }
    for (final (box, pair) in listed) { pair.close(); }
    final (pair, box) = make();
    pair.close();
  }
}
"""
    assert not {each for each in edges({"a.dart": source}) if "Boxes" in each[2]}


def test_all_sections_of_a_cascade_have_the_receiver_before_it() -> None:
    source = """class Cart {
  Cart add(int x) => this;
  void pay() {}
  Box box = Box();
  int count = 0;
}
class Box { Box open() => this; void close() {} }
void run(Cart cart) {
  cart..add(1)..pay();
  final made = Cart()
    ..add(2)
    ..box.open().close()
    ..count = 3
    ..pay();
  made.pay();
  cart.box..open()..close();
}
"""
    found = {
        (line, target.rpartition("::")[2])
        for line, target in calls({"a.dart": source}, "a.dart")
        if line > 7
    }
    assert found == {
        *((9, "Cart.add"), (9, "Cart.pay"), (10, "Cart"), (11, "Cart.add"), (12, "Box.open")),
        *((12, "Box.close"), (14, "Cart.pay"), (15, "Cart.pay"), (16, "Box.open")),
        (16, "Box.close"),
    }


def test_a_member_of_an_element_in_a_cascade_is_no_function_of_that_name() -> None:
    source = """class Cart { List<Cart> items = []; void pay() {} }
void pay() {}
void run(Cart cart) {
  cart..items[0].pay();
  cart..[0].pay();
  cart..items?[0].pay();
  cart..items[0].pay()..pay();
}
"""
    found = {each for each in calls({"a.dart": source}, "a.dart") if each[0] > 3}
    assert found == {(4, "?pay"), (5, "?pay"), (6, "?pay"), (7, "?pay"), (7, "a.dart::Cart.pay")}
