"""What names in Dart refer to."""

from __future__ import annotations

from tests.unit.graph.related import calls

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
