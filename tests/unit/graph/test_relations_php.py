"""What names in PHP refer to."""

from __future__ import annotations

from tests.unit.graph.related import calls, edges

_SOURCES = {
    "src/Model/Item.php": """<?php
namespace Shop\\Model;
class Item extends Base {
  private ?Item $next;
  public function next(): ?Item { return $this->next; }
  public static function free(): self { return new self(); }
}
""",
    "src/Model/Base.php": "<?php\nnamespace Shop\\Model;\nclass Base { function show() {} }\n",
    "src/App.php": """<?php
namespace Shop;
use Shop\\Model\\{Item, Base as B};
class App {
  public function __construct(private Item $item) {}
  public function run(Item $a, $b) {
    $this->item->next()->show();
    Item::free()->show();
    $c = new Item; $c->show();
    $b->show();
    $this->run($a, $b);
  }
}
""",
}
_SHOW = "src/Model/Base.php::Shop.Model.Base.show"


def test_members_of_typed_values() -> None:
    all_calls = calls(_SOURCES, "src/App.php")
    assert {(line, _SHOW) for line in (7, 8, 9)} <= all_calls
    assert (10, "?show") in all_calls
    assert (11, "src/App.php::Shop.App.run") in all_calls


def test_imports_in_groups() -> None:
    all_edges = edges(_SOURCES)
    assert ("src/App.php:3", "imports", "src/Model/Item.php::Shop.Model.Item") in all_edges
    assert ("src/App.php:3", "imports", "src/Model/Base.php::Shop.Model.Base") in all_edges
