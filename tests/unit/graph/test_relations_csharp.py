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


def _targets(sources: dict[str, str], path: str) -> set[tuple[int, str]]:
    """Return the line and the target of each use in a file, except imports."""
    return {
        (int(at.rpartition(":")[2]), target)
        for at, kind, target in edges(sources)
        if kind != "imports" and at.startswith(f"{path}:")
    }


def test_types_are_found_by_namespace_whatever_their_files_are_called() -> None:
    sources = {
        "src/Models.cs": "namespace Shop.Models;\npublic class Cart { public void Pay() {} }\n",
        "src/Other.cs": "namespace Lib;\npublic class Cart { public void Pay() {} }\n",
        "src/Run.cs": """using Lib;
namespace Shop.Models
{ class Run { void Go(Cart cart) { cart.Pay(); } } }
""",
        "src/Both.cs": """using Lib;
using Shop.Models;
class Both { void Go(Cart cart) { cart.Pay(); } }
""",
    }
    assert (3, "src/Models.cs::Shop.Models.Cart.Pay") in _targets(sources, "src/Run.cs")
    assert _targets(sources, "src/Both.cs") >= {
        (3, "?src/Models.cs::Shop.Models.Cart"),
        (3, "?src/Other.cs::Lib.Cart"),
    }


_NAMESAKES = {
    "lib/Cart.cs": "namespace Lib;\npublic class Cart { public void Pay() {} }\n",
    "app/Cart.cs": "namespace App;\npublic class Cart { public void Pay() {} }\n",
}


def _paid(text: str) -> set[tuple[int, str]]:
    return calls(_NAMESAKES | {"app/Use.cs": text}, "app/Use.cs")


def test_an_import_in_a_namespace_goes_before_the_namespaces_around_it() -> None:
    use = "class Use { void Run(Cart cart) { cart.Pay(); } }\n"
    lib, app = "lib/Cart.cs::Lib.Cart.Pay", "app/Cart.cs::App.Cart.Pay"
    assert _paid(f"namespace App.Web;\nusing Lib;\n{use}") == {(3, lib)}
    assert _paid(f"namespace App.Web\n{{\nusing Lib;\n{use}}}\n") == {(4, lib)}
    assert _paid(f"using Lib;\nnamespace App.Web;\n{use}") == {(3, app)}
    assert _paid(f"namespace App;\nusing Lib;\n{use}") == {(3, app)}


def test_in_a_file_with_two_namespaces_both_are_possible() -> None:
    use = "class Use { void Run(Cart cart) { cart.Pay(); } }"
    text = f"namespace App {{\n{use}\n}}\nnamespace Lib {{\n{use}\n}}\n"
    targets = {"?app/Cart.cs::App.Cart.Pay", "?lib/Cart.cs::Lib.Cart.Pay"}
    assert _paid(text) == {(line, target) for line in (2, 5) for target in targets}


def test_a_project_imports_namespaces_for_all_its_files() -> None:
    sources = {
        "lib/Cart.cs": "namespace Lib;\npublic class Cart { }\n",
        "lib/Money.cs": "namespace Lib.Pay;\npublic class Money { }\n",
        "lib/Rate.cs": "namespace Lib.Tax;\npublic class Rate { }\n",
        "Directory.Build.props": '<ItemGroup><Using Include="Lib.Tax" /></ItemGroup>\n',
        "app/App.csproj": '<ItemGroup><Using Include="Lib.Pay" /></ItemGroup>\n',
        "app/Usings.cs": "global using Lib;\n",
        "app/sub/App.cs": "namespace App;\nclass App { Cart a; Money b; Rate c; }\n",
        "web/Web.csproj": "<Project />\n",
        "web/Web.cs": "namespace Web;\nclass Web { Cart a; Money b; Rate c; }\n",
    }
    cart, money, rate = (
        (2, f"lib/{name}.cs::Lib.{space}{name}")
        for name, space in (("Cart", ""), ("Money", "Pay."), ("Rate", "Tax."))
    )
    assert {cart, money, rate} <= _targets(sources, "app/sub/App.cs")
    assert not {cart, money} & _targets(sources, "web/Web.cs")
    assert rate in _targets(sources, "web/Web.cs")


def test_the_parts_of_a_type_are_in_files_of_its_project() -> None:
    sources = {
        "a/A.csproj": "<Project />\n",
        "a/Base.cs": "namespace S;\npublic class Base { public void Up() {} }\n",
        "a/Cart.cs": "namespace S;\npartial class Cart { void Go() { Add(); Up(); Far(); } }\n",
        "a/Aaa.cs": "namespace S;\npartial class Cart { }\n",
        "a/Use.cs": "namespace S;\nclass Use { Cart cart; }\n",
        "a/More.cs": "namespace S;\npublic partial class Cart : Base { public void Add() {} }\n",
        "b/B.csproj": "<Project />\n",
        "b/Cart.cs": "namespace S;\npublic partial class Cart { public void Far() {} }\n",
    }
    assert _targets(sources, "a/Use.cs") == {(2, "a/Cart.cs::S.Cart")}
    found = calls(sources, "a/Cart.cs")
    assert {(2, "a/More.cs::S.Cart.Add"), (2, "a/Base.cs::S.Base.Up")} <= found
    assert not any("Far" in target and not target.startswith("?") for _, target in found)


_EXTENSIONS = {
    "lib/Text.cs": """namespace Lib.Text;
public static class TextMethods
{
  public static string Shout(this string text, int times = 1) => text;
  public static T Checked<T>([NotNull] this T value) => value;
  public static T Built<T>(this T value) where T : IBuilt => value;
  public static int Total<T>(this IEnumerable<T> values) => 1;
  public static IServices AddCart(this IServices services) => services;
  public static void Show(this Cart cart) {}
  public static void Pick(this string text) {}
  public static void Pick(this object value) {}
  public static void Trim(this object value) {}
  private static int Size(this string text) => 1;
}
public interface IBuilt { }
public class Cart : IBuilt { public void Pay() {} public void Show() {} }
public class Book : Outside.Thing { }
""",
}


def _called(body: str, using: str = "using Lib.Text;") -> set[str]:
    """Return the targets of the calls in a method body of a file that imports `Lib.Text`."""
    parameters = "string s, IServices v, List<int> xs, int[] ys, Cart c, Book b, Other o, Stream i"
    text = f"{using}\nclass App {{ void Run({parameters}) {{ {body} }} }}\n"
    found = calls(_EXTENSIONS | {"app/App.cs": text}, "app/App.cs")
    return {
        target.removeprefix("lib/Text.cs::Lib.Text.").replace("lib/Text.cs::Lib.Text.", "")
        for _, target in found
    }


def test_extension_methods_are_called_by_the_type_of_the_receiver() -> None:
    assert _called("s.Shout();") == {"TextMethods.Shout"}
    assert _called('"x".Shout(2);') == {"TextMethods.Shout"}
    assert _called("s?.Shout();") == {"TextMethods.Shout"}
    assert _called("TextMethods.Shout(s, 2);") == {"TextMethods.Shout"}
    assert _called("xs.Total();") == _called("ys.Total();") == {"TextMethods.Total"}
    assert _called("v.AddCart().AddCart();") == {"TextMethods.AddCart"}
    assert _called("c.Checked().Pay();") == {"TextMethods.Checked", "Cart.Pay"}
    assert _called("c.Built().Pay();") == {"TextMethods.Built", "Cart.Pay"}
    assert _called("s.Shout().Pick();") == {"TextMethods.Shout", "TextMethods.Pick"}


def test_a_member_of_the_type_goes_before_an_extension_method() -> None:
    assert _called("c.Show();") == {"Cart.Show"}
    assert _called("b.Trim();") == {"?TextMethods.Trim"}  # the base type may have it
    assert _called("c.Trim();") == {"TextMethods.Trim"}


def test_extension_methods_need_an_import_of_their_namespace() -> None:
    assert _called("s.Shout();", "using Lib.Other;") == {"?Shout"}
    assert _called("s.Shout();", "using static Lib.Text.TextMethods;") == {"TextMethods.Shout"}


def test_extension_methods_of_unknown_receivers_are_only_possible() -> None:
    assert _called("Find().Shout();") == {"?Shout", "?TextMethods.Shout"}
    assert _called("o.Total();") == {"?Total", "?TextMethods.Total"}
    assert _called("s.Size();") == {"?Size"}
    text = "using Lib.Text;\nclass App { int Run(Other o, string s) => o.Shout + s.Total; }\n"
    sources = _EXTENSIONS | {"app/App.cs": text}
    assert not any("TextMethods" in target for _, target in _targets(sources, "app/App.cs"))


_LAMBDAS = {
    "src/Cart.cs": """public class Cart {
  public void Pay() {}
  public Cart With(Action<Box> set) => this;
  public void Each(Func<Cart, int, Cart> run) {}
  public void Check(Expression<Func<Cart, bool>> test) {}
  public List<Box> Boxes { get; set; }
  public Func<int, Box> Make;
}
public class Box { public void Open() {} public int Size { get; set; } }
public static class Methods { public static void Fill(this Cart cart, Action<Box> run) {} }
""",
}


def _in_lambdas(body: str) -> set[str]:
    """Return the names of the definitions that the calls in a method body lead to for certain."""
    parameters = "Cart c, List<Cart> xs, Cart[] ys, Dictionary<int, Box> map"
    text = f"class App {{ void Run({parameters}) {{ {body} }} }}\n"
    found = calls(_LAMBDAS | {"src/App.cs": text}, "src/App.cs")
    return {name.partition("::")[2] for _, name in found if "::" in name and name[0] != "?"}


def test_parameters_of_lambdas_have_the_types_of_the_delegate() -> None:
    assert _in_lambdas("c.With(b => b.Open());") == {"Cart.With", "Box.Open"}
    assert _in_lambdas("c.With(async (b) => { b.Open(); });") == {"Cart.With", "Box.Open"}
    assert _in_lambdas("c.Fill(b => b.Open());") == {"Methods.Fill", "Box.Open"}
    assert _in_lambdas("c.Each((x, n) => x.Pay());") == {"Cart.Each", "Cart.Pay"}
    assert _in_lambdas("c.Each((x, n) => n.Pay());") == {"Cart.Each"}
    assert _in_lambdas("c.Check(x => x.Pay());") == {"Cart.Check", "Cart.Pay"}
    assert _in_lambdas("c.Make(1).Open();") == {"Cart.Make", "Box.Open"}


def test_library_methods_pass_the_elements_of_a_sequence_to_lambdas() -> None:
    assert _in_lambdas("xs.Where(x => true).OrderBy(x => 1).First().Pay();") == {"Cart.Pay"}
    assert _in_lambdas("xs.Where(x => true).Select(x => x.Boxes.Any(b => b.Open()));") == {
        "Box.Open"
    }
    assert _in_lambdas("ys.ToList().ForEach(y => y.Pay());") == {"Cart.Pay"}
    assert _in_lambdas("foreach (var x in xs.Skip(1)) x.Pay();") == {"Cart.Pay"}
    assert not _in_lambdas("xs.Select((x, n) => n.Pay());")
    assert not _in_lambdas("map.Where(pair => pair.Open());")
    assert not _in_lambdas("xs.GroupBy(x => 1, (key, all) => key.Pay());")


def test_extension_methods_of_the_nearest_namespace_are_called() -> None:
    sources = {
        f"{name}.cs": f"namespace {name};\npublic static class E\n"
        f"{{ public static void Pay(this {type_} value) {{}} }}\n"
        for name, type_ in (("App", "object"), ("Lib", "string"))
    }
    use = "class Use { void Run(string text) { text.Pay(); } }\n"
    near = calls(sources | {"use.cs": f"using Lib;\nnamespace App;\n{use}"}, "use.cs")
    assert near == {(3, "App.cs::App.E.Pay")}
    equal = calls(sources | {"use.cs": f"using Lib;\nusing App;\n{use}"}, "use.cs")
    assert equal == {(3, "Lib.cs::Lib.E.Pay")}


def test_an_extension_method_is_called_if_no_member_takes_the_arguments() -> None:
    source = """public static class E
{
  public static void Send(this Client client, Order order) {}
  public static void Put(this Client client, Order order, int count) {}
}
public class Order { }
public class Client { public void Send(string text) {} public void Put(string text) {} }
class Use
{
  void Run(Client client, Order order, string text, Other other)
  {
    client.Send(order);
    client.Send(text);
    client.Put(order, 1);
    client.Put(text);
    client.Send(other);
  }
}
"""
    assert {each for each in calls({"a.cs": source}, "a.cs") if each[0] > 10} == {
        (12, "a.cs::E.Send"),
        (13, "a.cs::Client.Send"),
        (14, "a.cs::E.Put"),
        (15, "a.cs::Client.Put"),
        (16, "a.cs::Client.Send"),
    }


def test_a_member_that_holds_a_delegate_is_called_before_an_extension_method() -> None:
    source = """public delegate void Handler(int count);
public static class E
{
  public static void Run(this Cart cart, int count) {}
  public static void Go(this Cart cart, string text) {}
  public static void Width(this Cart cart, int width) {}
}
public class Cart { public Handler Run; public Action<string> Go { get; } public int? Width; }
class Use { void Run(Cart cart) { cart.Run(1); cart.Go("x"); cart.Width(1); } }
"""
    found = {target for line, target in calls({"a.cs": source}, "a.cs") if line == 9}
    assert found == {"a.cs::Cart.Run", "a.cs::Cart.Go", "a.cs::E.Width"}


_GENERICS = """namespace N;
public class Cart { public void Pay() {} public Item Top; }
public class Item { public void Show() {} }
public interface IStore
{
  T Find<T>(int id) where T : class;
  IEnumerable<T> All<T>();
  Task<T> Load<T>(int id);
  (Cart, Item) Pair();
  bool Try(int id, out Cart cart);
}
public class Box<T>
{
  public T Open() => default;
  public T Inner { get; }
  public List<T> Every() => null;
}
public class CartBox : Box<Cart> { }
class Use
{
  async Task Run(IStore store, Box<Cart> box, CartBox own, object o, Cart c, IServiceProvider sp)
  {
    BODY
  }
}
"""


def _values_used(body: str) -> set[str]:
    """Return the names of the methods of `Cart` and `Item` that a method body calls for certain."""
    found = calls({"a.cs": _GENERICS.replace("BODY", body)}, "a.cs")
    names = {target.removeprefix("a.cs::N.") for _, target in found}
    return {name for name in names if name.startswith(("Cart.", "Item."))}


def test_a_type_parameter_is_what_the_call_or_the_receiver_states() -> None:
    assert _values_used("store.Find<Cart>(1).Pay();") == {"Cart.Pay"}
    assert _values_used("foreach (var x in store.All<Cart>()) x.Pay();") == {"Cart.Pay"}
    assert _values_used("var x = await store.Load<Cart>(1); x.Pay();") == {"Cart.Pay"}
    assert _values_used("(await store.Load<Cart>(1).ConfigureAwait(false)).Pay();") == {"Cart.Pay"}
    assert _values_used("box.Open().Pay(); box.Inner.Top.Show();") == {"Cart.Pay", "Item.Show"}
    assert _values_used("foreach (var x in box.Every()) x.Pay();") == {"Cart.Pay"}
    assert _values_used("own.Open().Pay(); own.Inner.Top.Show();") == {"Cart.Pay", "Item.Show"}
    assert _values_used("sp.GetRequiredService<Cart>().Pay();") == {"Cart.Pay"}
    assert not _values_used("store.Find<Other>(1).Pay();")


def test_variables_have_the_types_of_patterns_tuples_and_conditions() -> None:
    assert _values_used("var (x, y) = store.Pair(); x.Pay(); y.Show();") == {
        "Cart.Pay",
        "Item.Show",
    }
    assert _values_used("if (store.Try(1, out var x)) x.Pay();") == {"Cart.Pay"}
    assert _values_used("if (o is Cart { } x) x.Pay();") == {"Cart.Pay"}
    assert _values_used("var x = o == null ? c : new Cart(); x!.Pay();") == {"Cart.Pay"}
    assert _values_used("var x = new Cart[2]; x[0].Pay();") == {"Cart.Pay"}


def test_methods_in_an_extension_block_extend_the_type_of_its_parameter() -> None:
    sources = {
        "a.cs": """namespace N;
public static class E
{
  extension(Cart cart)
  {
    public int Total(int rate) => cart.Pay();
    public static Cart Make() => null;
  }
  extension<T>(List<T> items) where T : class
  {
    public int Joined() => 1;
  }
}
public class Cart { public int Pay() => 1; }
class Use { void Run(Cart cart, List<Cart> all) { cart.Total(2); all.Joined(); E.Total(cart, 1); } }
""",
    }
    assert calls(sources, "a.cs") == {
        (6, "a.cs::N.Cart.Pay"),
        (15, "a.cs::N.E.Total"),
        (15, "a.cs::N.E.Joined"),
    }


def test_a_member_that_a_generic_type_overrides_may_be_that_of_a_type_with_its_name() -> None:
    sources = {
        "a.cs": """namespace N;
public class Base { public int Get() => 1; }
public class Box : Base { }
public class Box<T> : Box { public new T Get() => default; public int Size() => 1; }
class Use { void Run(Box box) { box.Get(); } }
class More { void Run(Box<int> box) { box.Size(); } }
""",
    }
    assert calls(sources, "a.cs") == {(5, "?a.cs::N.Box.Get"), (6, "a.cs::N.Box.Size")}
