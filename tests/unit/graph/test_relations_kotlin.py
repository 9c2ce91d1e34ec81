"""What names in Kotlin refer to."""

from __future__ import annotations

from tests.unit.graph.related import calls, edges, lines_called

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
    all_calls = calls(_SOURCES, "src/shop/web/App.kt")
    assert {(line, _SHOW) for line in (6, 7, 8, 9)} <= all_calls
    assert (8, "src/shop/Item.kt::wrap") in all_calls
    assert (10, "src/shop/web/App.kt::App.run") in all_calls


def test_unknown_receivers_stay_unknown() -> None:
    all_calls = calls(_SOURCES, "src/shop/web/App.kt")
    assert (11, "?show") in all_calls
    assert (14, "?show") in all_calls


def test_imports_and_bases() -> None:
    all_edges = edges(_SOURCES)
    assert ("src/shop/web/App.kt:2", "imports", "src/shop/Item.kt::Item") in all_edges
    assert ("src/shop/Item.kt:3", "extends", "src/shop/Item.kt::Base") in all_edges


def test_a_base_within_another_type_is_that_one() -> None:
    source = (
        "open class A(val x: Int) {\n  open class B\n  interface C {\n    interface D\n  }\n}\n"
        "class E : A.B()\nclass F : A.C\nclass G : A(1)\nclass H : A.C.D\n"
    )
    targets = {(at, target) for at, kind, target in edges({"A.kt": source}) if kind == "extends"}
    assert targets == {
        ("A.kt:7", "A.kt::A.B"),
        ("A.kt:8", "A.kt::A.C"),
        ("A.kt:9", "A.kt::A"),
        ("A.kt:10", "A.kt::A.C.D"),
    }


def test_the_last_import_may_be_followed_by_a_comment() -> None:
    source = "package shop.web\nimport shop.Item\n/** An app. */\nclass App(val item: Item)\n"
    all_edges = edges({**_SOURCES, "src/shop/web/Late.kt": source})
    assert ("src/shop/web/Late.kt:2", "imports", "src/shop/Item.kt::Item") in all_edges
    aliased = source.replace("shop.Item", "shop.Item as Thing")
    kinds = edges({**_SOURCES, "src/shop/web/Late.kt": aliased})
    assert ("src/shop/web/Late.kt:2", "imports", "src/shop/Item.kt::Item") in kinds


def test_a_folder_that_is_called_like_an_outer_package_does_not_hide_it() -> None:
    main = "lib/src/main/kotlin"
    sources = {
        f"{main}/Task.kt": "class Task\n",
        f"{main}/shop/okio/Log.kt": "package shop.okio\nclass Buffer\nfun log() {}\n",
        "free/okio/Log.kt": "package free.okio\nfun log() {}\n",
        f"{main}/shop/App.kt": """package shop
import okio.Buffer
import kotlin.math.max
import shop.okio.log
class App {
  fun run(buffer: Buffer) { log() }
}
""",
    }
    some_edges = {edge for edge in edges(sources) if edge[0].startswith(f"{main}/shop/App.kt")}
    log = f"{main}/shop/okio/Log.kt"
    assert {target for at, kind, target in some_edges if kind == "imports"} == {
        *("okio.Buffer", "kotlin.math.max", log, f"{log}::log")
    }
    assert (f"{main}/shop/App.kt:6", "references", "okio.Buffer") in some_edges
    assert (f"{main}/shop/App.kt:6", "calls", f"{log}::log") in some_edges


_HOSTS = """package shop
class Host(val name: String) {
  companion object {
    fun String.toHost(): Host = Host(this)
    fun local(): Host = Host("")
  }
  fun show() {}
}
fun String.toCanonical(): Host = Host(this)
val String.plain: String get() = this
"""


def test_functions_that_extend_other_types_are_imported_and_called_by_their_names() -> None:
    app = "src/shop/web/Net.kt"
    source = """package shop.web
import shop.toCanonical
import shop.Host.Companion.toHost
import shop.Host.Companion.local
fun run(name: String) {
  name.toCanonical().show()
  name.toHost().show()
  local().show()
}
"""
    all_edges = edges({"src/shop/Host.kt": _HOSTS, app: source})
    host = "src/shop/Host.kt::"
    assert {
        (at, target) for at, kind, target in all_edges if kind == "imports" and "::" in target
    } == {
        (f"{app}:2", f"{host}String.toCanonical"),
        (f"{app}:3", f"{host}Host.String.toHost"),
        (f"{app}:4", f"{host}Host.local"),
    }
    assert calls({"src/shop/Host.kt": _HOSTS, app: source}, app) == {
        *((6, f"{host}String.toCanonical"), (7, f"{host}Host.String.toHost")),
        *((8, f"{host}Host.local"), (6, f"{host}Host.show"), (7, f"{host}Host.show")),
        (8, f"{host}Host.show"),
    }


def test_a_member_goes_before_a_function_of_its_name_that_extends() -> None:
    source = "class Box { fun open() {} }\nfun String.open() {}\nfun f(box: Box) { box.open() }\n"
    assert calls({"Box.kt": source}, "Box.kt") == {(3, "Box.kt::Box.open")}


def test_a_local_value_may_be_called_like_the_function_that_gives_it() -> None:
    source = "fun size(): Int = 1\nfun f() {\n  val size = size()\n  println(size)\n}\n"
    assert calls({"Size.kt": source}, "Size.kt") == {(3, "Size.kt::size")}


def test_a_first_constructor_on_lines_of_its_own_leaves_the_class_whole() -> None:
    source = """open class Base { fun show() {} }
class Form
  @JvmOverloads
  internal constructor(
    val size: Int = 0,
  ) : Base() {
    fun add() { show() }
    constructor(text: String) : this(1) {}
  }
"""
    all_edges = edges({"Form.kt": source})
    assert ("Form.kt:6", "extends", "Form.kt::Base") in all_edges
    assert ("Form.kt:7", "calls", "Form.kt::Base.show") in all_edges


def test_what_makes_an_object_without_a_name_extends_its_type() -> None:
    source = (
        "interface Task { fun run() }\nopen class Base(val x: Int)\n"
        "class Shop {\n  fun work(): Task = object : Task { override fun run() {} }\n"
        "  fun both() = object : Base(1), Task { override fun run() {} }\n}\n"
    )
    targets = {(at, target) for at, kind, target in edges({"A.kt": source}) if kind == "extends"}
    assert targets == {("A.kt:4", "A.kt::Task"), ("A.kt:5", "A.kt::Base"), ("A.kt:5", "A.kt::Task")}


def test_a_variable_does_not_hide_the_function_of_its_name() -> None:
    source = """fun top() {}
val top = 1
class Call(val sent: Int, val hook: () -> Unit) {
  var done = false
  fun done(): Int = 1
  fun end(done: Boolean, sent: () -> Unit) {
    if (done) done()
    sent()
    hook()
    top()
    this.done()
  }
}
fun use(call: Call) { call.done() }
"""
    assert calls({"Call.kt": source}, "Call.kt") == {
        *((line, "Call.kt::Call.done") for line in (7, 11, 14)),
        *((9, "Call.kt::Call.hook"), (10, "Call.kt::top")),
    }


def test_an_import_brings_all_functions_of_its_name_and_a_call_may_mean_each() -> None:
    host = "package shop\nfun String.toHost() {}\nfun Int.toHost() {}\n"
    app = "package shop.web\nimport shop.toHost\nfun run(name: Unknown) { name.toHost() }\n"
    all_edges = edges({"src/shop/Host.kt": host, "src/shop/web/App.kt": app})
    for name in ("String.toHost", "Int.toHost"):
        assert ("src/shop/web/App.kt:2", "imports", f"src/shop/Host.kt::{name}") in all_edges
        assert ("src/shop/web/App.kt:3", "calls", f"?src/shop/Host.kt::{name}") in all_edges


_SHOP = {
    "a/src/Item.kt": """package shop.goods
open class Goods
class Item : Goods() { fun show() {} }
fun wrap(item: Item) = item
fun Goods.weigh() = 1
private fun secret() {}
""",
    "b/web/App.kt": """package shop.web
import shop.goods.*
import java.util.*
class App(private val item: Item) {
  fun run(it: Date) {
    wrap(item).show()
    item.weigh()
    secret()
  }
}
""",
}


def test_a_star_import_resolves_names_of_a_package_in_any_folder() -> None:
    all_edges = edges(_SHOP)
    goods = "a/src/Item.kt"
    assert {(at, to) for at, kind, to in all_edges if kind == "imports"} == {
        ("b/web/App.kt:2", goods),
        ("b/web/App.kt:2", f"{goods}::Item"),
        ("b/web/App.kt:2", f"{goods}::wrap"),
        ("b/web/App.kt:2", f"{goods}::Goods.weigh"),
        ("b/web/App.kt:3", "java.util.*"),
    }
    assert {(6, f"{goods}::wrap"), (6, f"{goods}::Item.show")} <= calls(_SHOP, "b/web/App.kt")
    assert (7, f"{goods}::Goods.weigh") in calls(_SHOP, "b/web/App.kt")


def test_a_named_import_precedes_the_package_and_that_a_star_import() -> None:
    packages = {
        f"{name}.kt": f"package {name}\nfun pack() {{}}\nfun load() {{}}\n" for name in "abc"
    }
    app = "package a\nimport b.*\nimport c.load\nfun run() { pack(); load() }\n"
    assert calls({**packages, "app.kt": app}, "app.kt") == {(4, "a.kt::pack"), (4, "c.kt::load")}


def test_of_two_stars_that_have_a_name_each_may_be_meant() -> None:
    packages = {f"{name}.kt": f"package {name}\nfun pack() {{}}\n" for name in "bc"}
    app = "package a\nimport b.*\nimport c.*\nfun run() { pack() }\n"
    assert calls({**packages, "app.kt": app}, "app.kt") == {(4, "?b.kt::pack"), (4, "?c.kt::pack")}


def test_an_unused_star_imports_the_package_alone() -> None:
    sources = {"b.kt": "package b\nfun pack() {}\n", "app.kt": "package a\nimport b.*\n"}
    assert edges(sources) == {("app.kt:2", "imports", "b.*")}


def test_a_visible_function_may_be_called_on_an_unknown_receiver() -> None:
    lib = "package lib\nclass Call\nfun Call.answer() {}\nfun Other.answer() {}\n"
    app = "package app\nimport lib.*\nfun run(one: Call) {\n  one.answer()\n  it.answer()\n}\n"
    all_calls = calls({"lib.kt": lib, "app.kt": app}, "app.kt")
    both = {(5, f"?lib.kt::{name}.answer") for name in ("Call", "Other")}
    assert all_calls == {(4, "lib.kt::Call.answer"), (5, "?answer"), *both}


def test_functions_of_one_name_in_a_package_may_each_be_meant() -> None:
    lib = {
        f"lib/{name}.kt": f"package lib\nfun {name}.put() {{}}\n" for name in ("Route", "Client")
    }
    far = {"other/lib/Far.kt": "package lib\nfun Far.put() {}\n"}
    app = "package app\nimport lib.put\nfun run() { put() }\n"
    all_calls = calls({**lib, **far, "lib/app.kt": app}, "lib/app.kt")
    assert all_calls == {(3, "?lib/Route.kt::Route.put"), (3, "?lib/Client.kt::Client.put")}


def test_an_object_without_a_name_is_of_the_type_that_it_extends() -> None:
    source = (
        "package b\nopen class Base { fun base() {} }\nclass B {\n"
        "  val x = object : Base() { fun go() { help(); base() }\n    fun help() {} }\n"
        "  fun top() { x.base() }\n}\n"
        "fun make() {\n  val y = object : Base() { override val route = 1 }\n  y.base()\n}\n"
    )
    all_calls = calls({"B.kt": source, "C.kt": "package b\nfun no() { route() }\n"}, "B.kt")
    assert {(6, "B.kt::Base.base"), (10, "B.kt::Base.base")} <= all_calls
    assert {(4, "B.kt::B.x.help"), (4, "B.kt::Base.base")} <= all_calls
    user = {"B.kt": source, "C.kt": "package b\nval one = route\n"}
    assert [edge for edge in edges(user) if edge[0] == "C.kt:2"] == []  # its members are its own


def test_a_checked_value_has_the_type_that_it_was_checked_for() -> None:
    source = """package shop
class Item { fun show() {} }
fun run(any: Any) {
  if (any is Item) { any.show() }
  when (any) {
    is Item -> any.show()
    !is Item -> any.show()
  }
}
"""
    found = {(4, "a.kt::Item.show"), (6, "a.kt::Item.show"), (7, "?show")}
    assert calls({"a.kt": source}, "a.kt") == found


def test_a_name_without_parentheses_is_never_a_function() -> None:
    sources = {
        "A.kt": "class A : Outer() {\n  fun method(x: Int) = x\n}\n"
        "fun f(a: A) {\n  a.method\n  a::method\n  a.method(1)\n}\n"
    }
    found = {(at, target) for at, _, target in edges(sources) if "method" in target}
    assert found == {("A.kt:6", "A.kt::A.method"), ("A.kt:7", "A.kt::A.method")}
    sources = {
        "Cells.kt": "package a\ninterface Scope { val done: Int }\nfun Scope.done() {}\n"
        "fun Total(n: Int): Total = Sum(n)\ninterface Total\nclass Sum(n: Int) : Total\n"
        "fun Scope.show() {\n  print(done)\n  done()\n}\n"
    }
    assert {edge for edge in edges(sources) if edge[0] >= "Cells.kt:4"} == {
        ("Cells.kt:4", "references", "Cells.kt::Total"),
        ("Cells.kt:4", "calls", "Cells.kt::Sum"),
        ("Cells.kt:6", "extends", "Cells.kt::Total"),
        ("Cells.kt:7", "references", "Cells.kt::Scope"),
        ("Cells.kt:8", "references", "Cells.kt::Scope.done"),
        ("Cells.kt:9", "calls", "Cells.kt::Scope.done"),
    }


def test_a_call_of_a_local_function_leads_to_it() -> None:
    source = """package a
fun inner() = 1
fun run() {
  fun inner() = 2
  inner()
  print(::inner)
}
"""
    found = edges({"a.kt": source})
    assert ("a.kt:5", "calls", "a.kt::run.inner") in found
    assert ("a.kt:6", "references", "a.kt::run.inner") in found


def test_a_lambda_uses_members_of_the_receiver_that_a_function_declares() -> None:
    source = """package a
interface Row { fun cell(n: Int) }
interface Table { fun body(init: Row.() -> Unit); var title: String }
fun table(init: Table.() -> Unit) = 1
fun cell(n: String) = 2
class Cart { fun add() {} }
fun <T> T.tune(block: T.() -> Unit) = this
fun main() {
  table {
    title = "x"
    body {
      listOf(1).forEach { cell(it) }
    }
    cell("x")
  }
  Cart().apply { add() }
  with(Cart()) { add() }
  Cart().tune { add() }
}
"""
    found = {(at, target) for at, _, target in edges({"a.kt": source})}
    assert {
        ("a.kt:10", "a.kt::Table.title"),
        ("a.kt:11", "a.kt::Table.body"),
        ("a.kt:12", "a.kt::Row.cell"),
        ("a.kt:14", "a.kt::cell"),
        ("a.kt:16", "a.kt::Cart.add"),
        ("a.kt:17", "a.kt::Cart.add"),
    } <= found
    assert ("a.kt:18", "a.kt::Cart.add") not in found  # the type parameter may be any type


def test_a_lambda_after_a_call_has_the_receiver_of_the_last_parameter() -> None:
    source = """package a
class Head { fun one() {} }
class Body { fun two() {} }
fun one() = 1
fun page(head: Head.() -> Unit, body: Body.() -> Unit = {}) = 1
fun size(head: Head.() -> Unit, n: Int) = 1
fun main() {
  page({}) {
    one()
    two()
  }
}
"""
    assert {(9, "a.kt::one"), (10, "a.kt::Body.two")} <= calls({"a.kt": source}, "a.kt")
    assert (9, "a.kt::Head.one") not in calls({"a.kt": source}, "a.kt")


_OVERLOADS = """package n
interface Node
class Leaf(val name: String) : Node
class Cart { fun pay() {} }
fun interface Step { fun go(x: Int) }
class Store<T>(val item: T) {
  fun get(): T = item
  fun all(): List<T> = listOf()
}
open class Base { open fun load(deep: Boolean = false): Int = 1 }
class Adder : Base() {
  fun add(n: Int) {}
  fun add(s: String) {}
  fun add(n: Node, deep: Boolean = false) {}
  fun add(c: Cart) {}
  fun on(f: () -> Unit) {}
  fun on(c: Cart) {}
  fun go(s: Step) {}
  fun go(s: Cart) {}
  fun put(a: Int, deep: Boolean = false) {}
  fun put(b: Int, wide: Int = 2) {}
  fun <T> make(k: String): T = TODO()
  override fun load(deep: Boolean): Int = 2
  private fun Cart.pays() {}
  private fun String.clean() {}
  fun run(u: Unknown, leaf: Leaf, cart: Cart, text: String, store: Store<Cart>) { BODY }
}
fun String.shout() {}
fun Int.shout() {}
"""


def _called_lines(body: str) -> set[tuple[str, int]]:
    """Return the certainty of each call in a method body, with the line of what it calls."""
    source = _OVERLOADS.replace("BODY", body)
    line = source.split("\n").index(next(each for each in source.split("\n") if "fun run" in each))
    called = lines_called({"a.kt": source}, "a.kt")
    return {target for at, target in called if at == line + 1}


def test_the_types_of_the_arguments_select_an_overload() -> None:
    assert _called_lines("add(1)") == {("resolved", 12)}
    assert _called_lines('add("x"); add(text)') == {("resolved", 13)}
    assert _called_lines("add(leaf); add(leaf, true)") == {("resolved", 14)}
    assert _called_lines("add(cart)") == {("resolved", 15)}
    assert _called_lines("add(u)") == {("ambiguous", line) for line in range(12, 16)}
    assert _called_lines("on { }") == {("resolved", 16)}
    assert _called_lines("go { }") == {("resolved", 18)}
    assert _called_lines("load(); load(true)") == {("resolved", 23)}


def test_the_names_of_arguments_select_an_overload() -> None:
    assert _called_lines("put(b = 1)") == {("resolved", 21)}
    assert _called_lines("put(3, deep = true)") == {("resolved", 20)}
    assert _called_lines("put(wide = 3, b = 2)") == {("resolved", 21)}
    assert _called_lines("put(c = 3)") == {("ambiguous", 20), ("ambiguous", 21)}


def test_type_parameters_stand_for_what_the_call_or_the_receiver_states() -> None:
    assert ("resolved", 4) in _called_lines('val x = make<Cart>("x"); x.pay()')
    assert ("resolved", 4) in _called_lines("store.get().pay()")
    assert ("resolved", 4) in _called_lines("for (x in store.all()) x.pay()")


def test_an_override_may_have_other_types_than_the_function_of_a_generic_base() -> None:
    source = """package n
interface Shown<T> { fun show(value: T): String }
interface Put<T> {
  fun put(value: T): String
  fun put(count: Int): String
}
class Cart
class Carts : Shown<Cart>, Put<Cart> {
  override fun show(value: Cart) = ""
  override fun put(value: Cart) = ""
  fun run(u: Unknown) { show(u.cart) }
  fun go() { put(1) }
}
"""
    assert lines_called({"a.kt": source}, "a.kt") == {(11, ("resolved", 9)), (12, ("resolved", 5))}


def test_extension_functions_are_called_by_the_type_of_the_receiver() -> None:
    assert _called_lines('"x".shout(); text.shout()') == {("resolved", 28)}
    assert _called_lines("1.shout()") == {("resolved", 29)}
    assert _called_lines("cart.pays()") == {("resolved", 24)}
    assert _called_lines("text.clean()") == {("resolved", 25)}
    assert _called_lines("u.shout()") == {("ambiguous", 28), ("ambiguous", 29)}
