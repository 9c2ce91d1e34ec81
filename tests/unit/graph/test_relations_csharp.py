"""What names in C# refer to."""

from __future__ import annotations

from tests.unit.graph.related import calls, edges

_SOURCES = {
    "Shop/Item.cs": """namespace Shop;
public class Base { public void Show() {} }
public class Item : Base { public Item Next { get; set; } public static Item Free() => null; }
""",
    "Shop/Item.Parts.cs": "namespace Shop;\npublic partial class Item { public void Part() {} }\n",
    "Shop.Web/App.cs": """using Shop;
using Thing = Shop.Item;
namespace Shop.Web
{
  class App
  {
    private readonly List<Item> _all = new();
    void Run(Item item, string name)
    {
      item.Next.Show();
      var free = Item.Free(); free.Show();
      foreach (var one in _all) one.Show();
      this.Run(item, name);
      item.Part();
      name.Show();
      if (name is Item other) other.Show();
    }
  }
}
""",
}
_SHOW = "Shop/Item.cs::Shop.Base.Show"


def test_members_of_typed_values() -> None:
    all_calls = calls(_SOURCES, "Shop.Web/App.cs")
    assert {(line, _SHOW) for line in (10, 11, 12, 16)} <= all_calls
    assert (13, "Shop.Web/App.cs::Shop.Web.App.Run") in all_calls
    assert (14, "Shop/Item.Parts.cs::Shop.Item.Part") in all_calls
    assert (15, "?Show") in all_calls


def test_bases_of_the_same_namespace() -> None:
    assert ("Shop/Item.cs:3", "extends", "Shop/Item.cs::Shop.Base") in edges(_SOURCES)


def test_a_namespace_is_imported_by_its_name() -> None:
    targets = {(at, target) for at, kind, target in edges(_SOURCES) if kind == "imports"}
    assert targets == {
        ("Shop.Web/App.cs:1", "Shop"),
        ("Shop.Web/App.cs:2", "Shop/Item.cs"),
        ("Shop.Web/App.cs:2", "Shop/Item.cs::Shop.Item"),
    }


def test_types_of_one_name_differ_in_the_number_of_type_parameters() -> None:
    sources = {
        "src/Option.cs": "namespace A;\npublic class Option { public int X; }\n",
        "src/Option{T}.cs": "namespace A;\npublic class Option<T> : Option { public T Y; }\n",
        "src/Use.cs": """namespace A;
class Use : Option<int> {
  Option plain;
  void Run(Option<List<int>> a) {
    var made = new Option<int>();
    made.Y = new Option();
  }
  void Other(Option<int, int> b) { }
}
""",
    }
    found = {(at, target) for at, _, target in edges(sources)}
    plain, generic = "src/Option.cs::A.Option", "src/Option{T}.cs::A.Option"
    assert ("src/Option{T}.cs:2", plain) in found
    for line in (2, 4, 5):
        assert {target for at, target in found if at == f"src/Use.cs:{line}"} >= {generic}
        assert (f"src/Use.cs:{line}", plain) not in found
    assert {("src/Use.cs:3", plain), ("src/Use.cs:6", plain)} <= found
    assert {target for at, target in found if at == "src/Use.cs:8"} == {f"?{plain}"}
    assert ("src/Use.cs:6", "src/Option{T}.cs::A.Option.Y") in found
