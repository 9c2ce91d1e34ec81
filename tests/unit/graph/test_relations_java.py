"""What names in Java refer to."""

from __future__ import annotations

import pytest

from codeindex.ingest.parse.parser import parse_text
from codeindex.languages import LANGUAGES
from codeindex.types import SafeText
from tests.unit.graph.related import calls, edges, lines_called

_MAIN = "core/src/main/java/shop"
_CART = f"{_MAIN}/Cart.java"
_ITEM = f"{_MAIN}/model/Item.java"
_APP = f"{_MAIN}/web/App.java"

_SOURCES = {
    _ITEM: """package shop.model;
public class Item extends Base {
  public static final Item NONE = new Item();
  private int price;
  public int price() { return price; }
  public static Item free() { return NONE; }
  public enum Kind { BOOK; boolean isPaper() { return true; } }
}
""",
    f"{_MAIN}/model/Base.java": """package shop.model;
public class Base {
  public void show() {}
  public Item self() { return null; }
}
""",
    _CART: """package shop;
import java.util.List;
import shop.model.Item;
class Cart {
  private List<Item> items;
  Item first() { return items.get(0); }
  void add(Item item) { items.add(item); }
}
""",
    "other/src/main/java/shop/Cart.java": "package shop;\nclass Cart { void add(int item) {} }\n",
    "core/src/test/java/shop/CartTest.java": """package shop;
class CartTest {
  void test() { new Cart().add(null); }
}
""",
}


def _app(body: str, *, imports: str = "import shop.model.Item;") -> set[str]:
    text = f"package shop.web;\n{imports}\nclass App extends shop.Page {{\n{body}\n}}\n"
    return {target for _, target in calls({**_SOURCES, _APP: text}, _APP)}


def test_types_of_the_same_package_are_seen_in_every_source_root() -> None:
    all_calls = calls(_SOURCES, "core/src/test/java/shop/CartTest.java")
    assert all_calls == {(3, f"{_CART}::Cart"), (3, f"{_CART}::Cart.add")}


def test_imports_name_files_and_types() -> None:
    all_edges = edges(_SOURCES)
    assert (f"{_CART}:3", "imports", _ITEM) in all_edges
    assert (f"{_CART}:3", "imports", f"{_ITEM}::Item") in all_edges
    assert (f"{_CART}:2", "imports", "java.util.List") in all_edges


def test_a_field_and_a_method_may_share_a_name() -> None:
    all_edges = edges(_SOURCES)
    assert (f"{_ITEM}:5", "references", f"{_ITEM}::Item.price") in all_edges
    assert f"{_ITEM}::Item.price" in _app("void f(Item i) { i.price(); }")


def test_elements_of_a_generic_have_the_type_of_its_argument() -> None:
    both = "import shop.model.Item;\nimport java.util.*;"
    targets = _app("void f(List<Item> all) { all.get(0).show(); }", imports=both)
    assert f"{_MAIN}/model/Base.java::Base.show" in targets
    assert f"{_MAIN}/model/Base.java::Base.show" in _app("Item[] all; void f() { all[0].show(); }")


def test_every_form_of_import() -> None:
    for imports, body in (
        ("import shop.model.*;", "Item.free()"),
        ("import static shop.model.Item.free;", "free()"),
        ("import static shop.model.Item.*;", "free()"),
    ):
        assert f"{_ITEM}::Item.free" in _app(f"void f() {{ {body}; }}", imports=imports)
    nested = _app("void f(Kind k) { k.isPaper(); }", imports="import shop.model.Item.Kind;")
    assert f"{_ITEM}::Item.Kind.isPaper" in nested


def test_members_through_inheritance_chains_and_enum_constants() -> None:
    show = f"{_MAIN}/model/Base.java::Base.show"
    assert show in _app("void f() { var i = new Item(); i.show(); }")
    assert show in _app("void f() { Item.free().self().show(); }")
    assert show in _app("void f(Object o) { if (o instanceof Item i) { i.show(); } }")
    assert show in _app("void f(Object o) { ((Item) o).show(); }")
    assert show in _app("void f() { try { } catch (RuntimeException e) { Item.NONE.show(); } }")
    assert f"{_ITEM}::Item.Kind.isPaper" in _app("void f() { Item.Kind.BOOK.isPaper(); }")


def test_this_and_super_within_classes_without_a_name() -> None:
    text = """package shop.model;
class Shelf {
  void show() {}
  Object f() {
    return new Base() {
      void g() { show(); this.show(); Shelf.this.show(); }
    };
  }
}
"""
    path = f"{_MAIN}/model/Shelf.java"
    all_calls = calls({**_SOURCES, path: text}, path)
    assert (6, f"{_MAIN}/model/Base.java::Base.show") in all_calls
    assert (6, f"{path}::Shelf.show") in all_calls


def test_members_of_a_class_without_a_name_are_seen_in_it_and_go_before_its_base() -> None:
    text = """package shop.model;
class Shelf {
  Base field = new Base() {
    void g() { own(); show(); }
    void own() {}
    public void show() {}
  };
  Object f() {
    return new Base() {
      void g() { own(); }
      void own() { show(); }
    };
  }
  void own() {}
}
"""
    path = f"{_MAIN}/model/Shelf.java"
    all_calls = calls({**_SOURCES, path: text}, path)
    assert {edge for edge in all_calls if "Base::" not in edge[1] and edge[0] not in {3, 9}} == {
        (4, f"{path}::Shelf.field.own"),
        (4, f"{path}::Shelf.field.show"),
        (10, f"{path}::Shelf.f.own"),
        (11, f"{_MAIN}/model/Base.java::Base.show"),
    }


def test_a_local_variable_hides_outer_names() -> None:
    text = """package shop;
class Till {
  Cart cart;
  void f(String cart) { cart.add(1); }
}
"""
    path = f"{_MAIN}/Till.java"
    assert calls({**_SOURCES, path: text}, path) == {(4, "?add")}


def test_the_nearest_of_two_types_with_one_name() -> None:
    path = "other/src/main/java/shop/Till.java"
    text = "package shop;\nclass Till { void f(Cart cart) { cart.add(1); } }\n"
    all_calls = calls({**_SOURCES, path: text}, path)
    assert all_calls == {(2, "other/src/main/java/shop/Cart.java::Cart.add")}


def test_nothing_is_known_of_the_parameter_of_a_lambda() -> None:
    assert "?show" in _app("void f() { run(i -> i.show()); }")


def test_type_parameters_stand_for_their_bounds() -> None:
    assert f"{_MAIN}/model/Base.java::Base.show" in _app(
        "<T extends Item> void f(T t) { t.show(); }"
    )
    path = f"{_MAIN}/model/T.java"
    text = "package shop.model;\nclass T {}\nclass Box<T> { T held; }\n"
    assert (f"{path}:3", "references", f"{path}::T") not in edges({path: text})


_BUILDERS = f"{_MAIN}/Builders.java"
_BUILDER_TYPES = """package shop;
abstract class Policy<S, R> {
  S named(String name) { return (S) this; }
}
abstract class Failing<S extends Failing<S, R>, R> extends Policy<S, R> implements Marked<S> {
  S handled(R result) { return (S) this; }
  <T> T other() { return null; }
  <S> S hidden() { return null; }
}
class Retry<R> extends Failing<Retry<R>, R> {
  Retry<R> delay() { return this; }
  void build() {}
}
class Special extends Retry<String> {
  void build() {}
  void only() {}
}
class Odd extends Policy<String, Odd> {
  void build() {}
}
"""


def test_a_fluent_method_returns_the_type_that_passes_itself() -> None:
    use = """package shop;
class Use {
  void main(Retry<String> retry, Special special, Odd odd) {
    retry.named("a").build();
    retry.handled("x").named("b").delay().build();
    special.handled("x").build();
    odd.named("c").build();
    retry.other().build();
    retry.hidden().build();
  }
}
"""
    found = calls({_BUILDERS: _BUILDER_TYPES, f"{_MAIN}/Use.java": use}, f"{_MAIN}/Use.java")
    built = {(line, target) for line, target in found if target.endswith("build")}
    retry = f"{_BUILDERS}::Retry.build"
    assert built == {(4, retry), (5, retry), (6, retry), *((at, "?build") for at in (7, 8, 9))}


def test_base_types_are_extended() -> None:
    assert (f"{_ITEM}:2", "extends", f"{_MAIN}/model/Base.java::Base") in edges(_SOURCES)


def test_a_folder_that_is_called_like_an_outer_package_does_not_hide_it() -> None:
    path = f"{_MAIN}/web/App.java"
    text = "package shop.web;\nimport model.Item;\nclass App { Item item; }\n"
    all_edges = edges({**_SOURCES, path: text})
    assert (f"{path}:2", "imports", "model.Item") in all_edges
    assert (f"{path}:3", "references", "model.Item") in all_edges


def test_what_makes_a_class_without_a_name_extends_its_type() -> None:
    path = f"{_MAIN}/model/Shelf.java"
    text = "package shop.model;\nclass Shelf {\n  Object f() { return new Base() {}; }\n}\n"
    base = f"{_MAIN}/model/Base.java::Base"
    assert (f"{path}:3", "extends", base) in edges({**_SOURCES, path: text})


_PIPE = """package net;
class Above { void write(Object a, Object b, int c) {}
  void show(int a) {} }
class Pipe extends Above { void show() {}
  void write(Object a) {}
  void write(Object a, Object b) {}
  void write(Object a, String... b) {}
  void run(Pipe other) {
    write(1);
    other.write(1, /* why */ 2);
    other.write(1, 2, 3);
    this.show(1);
  }
}
"""


def test_the_number_of_arguments_says_which_overload_is_called() -> None:
    called = dict(lines_called({"Pipe.java": _PIPE}, "Pipe.java"))
    assert called == {at: ("resolved", of) for at, of in {9: 5, 10: 6, 11: 2, 12: 3}.items()}


def test_overloads_that_take_as_many_arguments_may_each_be_meant() -> None:
    source = _PIPE.replace("String... b", "String b").replace("/* why */ 2", "unknown()")
    called = lines_called({"Pipe.java": source}, "Pipe.java")
    assert {callee for at, callee in called if at == 10} == {("ambiguous", 6), ("ambiguous", 7)}


def test_the_members_of_a_type_are_imported_whole() -> None:
    sources = {
        "x/Limits.java": "package shop;\npublic class Limits { static int most() { return 1; } }\n",
        "y/Use.java": "package web;\nimport static shop.Limits.*;\nclass Use { int a = most(); }\n",
    }
    some_edges = {edge for edge in edges(sources) if edge[0].startswith("y/")}
    assert some_edges == {
        ("y/Use.java:2", "imports", "x/Limits.java"),
        ("y/Use.java:2", "imports", "x/Limits.java::Limits"),
        ("y/Use.java:2", "imports", "x/Limits.java::Limits.most"),
        ("y/Use.java:3", "calls", "x/Limits.java::Limits.most"),
    }


def test_a_name_is_numbered_before_the_base_of_the_anonymous_class_around_it() -> None:
    """The numbers are stored, and `verify --deep` compares them with those of a new parse."""
    source = "class Shelf {\n  Object f() { return new Base() { void g() { show(); } }; }\n}\n"
    used = parse_text(LANGUAGES["java"], SafeText(source)).relations.used
    assert used[1:3] == (("name", "show()"), ("name", "Base"))


_BOX = """package net;
import java.util.*;
class Box<T> {
  static final int SIZE = 3;
  String name;
  Box() {}
  Box(int size) { this(); }
  void put(int a) {}
  void put(long a) {}
  void put(Object a) {}
  void put(String a) {}
  void put(CharSequence a) {}
  void put(int[] a) {}
  void put(Collection<?> a) {}
  void put(Runnable a) {}
  void put(Box<T> a) {}
  void put(T a, String... rest) {}
  long count() { return 1; }
  String label(int a) { return name; }
  Box<T> label(String a) { return this; }
  void run(byte small, char letter, double wide, List<String> list, SubBox sub, Integer boxed) {
    %s
  }
}
class SubBox extends Box<String> { SubBox() { super(1); } }
class Other<E extends Box> { void run(E e, Box box, Missing missing) {
  %s
} }
"""
_PUT = {
    **dict.fromkeys(("1", "SIZE", "small", "letter", "small + letter", "'c'", "list.size()"), 8),
    **dict.fromkeys(("1L", "count()", "this.count() * 2", "1 + 2L", "(long) 1"), 9),
    **dict.fromkeys(("wide", "2.0f", "boxed", "new Object()", "true", "new int[1][2]"), 10),
    **dict.fromkeys(('"a"', 'wide + "a"', "name", "this.name", "label(1)", "list.toString()"), 11),
    **dict.fromkeys(("new StringBuilder()", "(CharSequence) name"), 12),
    **dict.fromkeys(("new int[] {1}", "new int[2]"), 13),
    **dict.fromkeys(("list", "new ArrayList<>()"), 14),
    **dict.fromkeys(("() -> count()", "this::count"), 15),
    **dict.fromkeys(("sub", "this", "label(name)", "new Box<>()"), 16),
    **dict.fromkeys(('name, "a", "b"', "1, name"), 17),
}
"""Lines of the overload of `put` in `_BOX`, by the arguments of a call."""


@pytest.mark.parametrize(("arguments", "line"), _PUT.items())
def test_static_types_of_arguments_say_which_overload_is_called(arguments: str, line: int) -> None:
    source = _BOX % (f"put({arguments});", "")
    called = {callee for at, callee in lines_called({"Box.java": source}, "Box.java") if at == 22}
    assert ("resolved", line) in called
    assert {of for _, of in called if 8 <= of <= 17} == {line}


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        ("missing", {10, 11, 12, 14, 15}),
        ("missing.get()", {*range(8, 18)}),
        ("x -> x", {*range(8, 18)}),  # none accepts it: all are listed
    ],
)
def test_overloads_for_arguments_of_unknown_type_form_a_set(
    arguments: str, lines: set[int]
) -> None:
    called = lines_called({"Box.java": _BOX % ("", f"box.put({arguments});")}, "Box.java")
    assert {callee for at, callee in called if at == 27 and 8 <= callee[1] <= 17} == {
        ("ambiguous", line) for line in lines
    }


def test_the_bound_of_a_type_parameter_is_the_type_of_an_argument() -> None:
    called = lines_called({"Box.java": _BOX % ("", "box.put(e);")}, "Box.java")
    assert (27, ("resolved", 16)) in called


def test_constructors_are_called_by_new_this_and_super() -> None:
    source = _BOX % ("new Box<String>(1); new Box<>() {};", "")
    called = lines_called({"Box.java": source}, "Box.java")
    assert {callee for at, callee in called if at == 7} == {("resolved", 6)}
    assert {callee for at, callee in called if at == 25} == {("resolved", 7)}
    assert {callee for at, callee in called if at == 22} == {
        ("resolved", 3),
        ("resolved", 6),
        ("resolved", 7),
    }


def test_a_constructor_that_is_not_written_is_its_class() -> None:
    source = "class A { A(int a) {} }\nclass B {}\nclass C extends B { C() { super(); } }\n"
    assert (3, ("resolved", 2)) in lines_called({"A.java": source}, "A.java")


_MANY = """class Base { void put(Object a) {}
  void put(int a) {}
}
class Sub extends Base {
  void put(String a) {}
  void put(int a) {}
  void run(Runnable r) {
    put(1);
    put(r);
    run(this::put);
  }
}
"""


def test_overloads_of_base_types_count_unless_they_are_overridden() -> None:
    called = lines_called({"Sub.java": _MANY}, "Sub.java")
    assert {callee for at, callee in called if at == 8} == {("resolved", 6)}
    assert {callee for at, callee in called if at == 9} == {("resolved", 1)}


def test_type_parameters_of_one_name_differ_by_their_bounds() -> None:
    source = """class Check {
  static <T extends Number> T check(T number) { return check(number, 1); }
  static <T extends Number> T check(T number, int more) { return number; }
  static <T extends CharSequence> T check(T text, int more) { return text; }
  static <T> T check(T[] texts, int more) { return texts[0]; }
}
"""
    assert lines_called({"Check.java": source}, "Check.java") == {(2, ("resolved", 3))}


def test_private_overloads_are_not_called_from_other_files() -> None:
    sources = {
        "Check.java": """package a; class Check {
  static void check(Object a) { check("a"); }
  private static void check(String a) {}
}
""",
        "Use.java": 'package a; class Use { void run() { Check.check("a"); } }\n',
    }
    assert lines_called(sources, "Check.java") == {(2, ("resolved", 3))}
    assert lines_called(sources, "Use.java") == {(1, ("resolved", 2))}


def test_members_of_base_classes_go_before_those_of_interfaces() -> None:
    source = """interface Span { int end(); int end(int a); }
abstract class Top { public int end() { return 1; } }
abstract class Middle extends Top {}
class Day extends Middle implements Span {
  int run(Day day, Span span) {
    return day.end();
  }
}
"""
    assert lines_called({"Day.java": source}, "Day.java") == {(6, ("resolved", 2))}


def test_a_reference_to_an_overloaded_method_may_mean_each() -> None:
    found = edges({"Sub.java": _MANY})
    assert ("Sub.java:10", "references", "?Sub.java::Sub.put") in found
    assert ("Sub.java:10", "references", "Sub.java::Sub.put") not in found


def test_a_call_that_no_overload_accepts_is_not_certain() -> None:
    source = """class In extends java.io.FilterInputStream {
  public int read(byte[] b, int off, int len) { return read(b); }
}
"""
    assert lines_called({"In.java": source}, "In.java") == {(2, ("ambiguous", 2))}


def test_constants_of_an_enum_may_have_members_and_are_cases() -> None:
    source = """enum State {
  OPEN { void run(Door door) { own(); door.set(this); } void own() {} },
  SHUT;
  void run(Door door) { switch (door.state) { case SHUT: break; case LIMIT: break; } }
  static final int LIMIT = 1;
}
class Door { State state; void set(State state) {} void set(int state) {} }
"""
    found = edges({"State.java": source})
    assert ("State.java:2", "calls", "State.java::State.OPEN.own") in found
    assert (2, ("resolved", 7)) in lines_called({"State.java": source}, "State.java")
    assert ("State.java:4", "references", "State.java::State.SHUT") in found
    assert ("State.java:4", "references", "State.java::State.LIMIT") in found


def test_a_name_that_is_not_called_is_no_method() -> None:
    source = "class Map {\n  int size;\n  class Keys { int size() {\n return size; } }\n}\n"
    assert ("Map.java:4", "references", "Map.java::Map.size") in edges({"Map.java": source})


@pytest.mark.parametrize("end", [0.3, 0.5, 0.6, 0.75, 0.9])
def test_half_a_file_has_no_certain_call_that_the_whole_file_has_not(end: float) -> None:
    whole = _BOX % ('put(1); put("a"); put(this); new Box<String>(1);', "box.put(e); e.put(1);")
    wanted = lines_called({"Box.java": whole}, "Box.java")
    half = lines_called({"Box.java": whole[: int(len(whole) * end)]}, "Box.java")
    assert {call for call in half if call[1][0] == "resolved"} <= wanted


def test_an_overload_with_the_very_types_of_the_arguments_is_called() -> None:
    source = """import lib.Element;
class Names {
  Names get(Element element) { return this; }
  Names get(Object object, Element... more) { return this; }
  Names get(lib.Mirror mirror) { return this; }
  Names all(Names... names) { return this; }
  Names all(java.util.List<Names> names) { return this; }
  void run(Element element) {
    get(element);
    all(this);
  }
}
"""
    called = lines_called({"Names.java": source}, "Names.java")
    assert called == {(9, ("resolved", 3)), (10, ("resolved", 6))}


def test_types_of_one_name_in_two_packages_are_not_the_same() -> None:
    source = """import javax.lang.model.type.TypeVariable;
import java.util.*;
class Names {
  static void get(TypeVariable mirror, Map<A, B> map) { }
  static void get(java.lang.reflect.TypeVariable<?> type, Map<A, B> map) { }
  static void get(java.lang.reflect.TypeVariable<?> type) { get(type, new LinkedHashMap<>()); }
}
"""
    assert lines_called({"Names.java": source}, "Names.java") == {(6, ("resolved", 5))}


def test_a_member_or_an_array_of_a_type_is_not_the_type_that_passes_itself() -> None:
    sack = "class Sack<S> {\n  S value() { return null; }\n}\n"
    for passed, name in (("Outer<T>.In", "in"), ("Outer<T>[]", "array")):
        outer = (
            f"class Outer<T> extends Sack<{passed}> {{\n  class In {{\n    void tip() {{}}\n  }}\n"
            "  void tip() {}\n"
            "  static void run(Outer<String> outer) {\n    outer.value().tip();\n  }\n}\n"
        )
        sources = {"Sack.java": sack, "Outer.java": outer}
        assert (7, "Outer.java::Outer.tip") not in calls(sources, "Outer.java"), name
