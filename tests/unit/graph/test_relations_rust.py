"""What names in Rust refer to."""

from __future__ import annotations

from codeindex.ingest.parse.parser import parse_text
from codeindex.languages import LANGUAGES
from codeindex.types import SafeText
from tests.unit.graph.related import calls, edges

_SOURCES = {
    "Cargo.toml": '[workspace]\nmembers = ["shop", "tax"]\n',
    "tax/Cargo.toml": '[package]\nname = "tax-rates"\n',
    "tax/src/lib.rs": "pub fn rate() -> u8 { 1 }\n",
    "shop/Cargo.toml": """[package]
name = "shop"

[dependencies]
levy = { package = "tax-rates", path = "../tax" }
""",
    "shop/src/lib.rs": """pub mod cart;
mod model;
pub use crate::model::item::Item;
pub use model::*;
""",
    "shop/src/model/mod.rs": """pub mod item;
pub trait Priced {
    fn price(&self) -> u8;
    fn show(&self) { self.price(); }
}
pub enum Kind { Book, Disc(u8) }
""",
    "shop/src/model/item.rs": """use super::Priced;
pub struct Item { pub name: String, pay: bool }
impl Item {
    pub fn new() -> Self { Self::make() }
    fn make() -> Item { Item { name: String::new(), pay: true } }
    pub fn pay(&self) -> bool { self.pay }
}
impl Priced for Item {
    fn price(&self) -> u8 { 1 }
}
""",
    "shop/src/cart.rs": """use std::sync::{Arc, Mutex};
use crate::{model::Priced, Item};
pub struct Cart { items: Vec<Item>, last: Option<Box<Item>>, shared: Arc<Mutex<Item>> }
pub fn open() -> Result<Cart, ()> { todo!() }
""",
    "shop/tests/buy.rs": "use shop::Item;\nfn main() { Item::new(); }\n",
}
_CART, _MODEL, _ITEM = "shop/src/cart.rs", "shop/src/model/mod.rs", "shop/src/model/item.rs"
_PAYS = f"{_ITEM}::Item.pay"


def _more(text: str) -> set[str]:
    sources = {**_SOURCES, _CART: _SOURCES[_CART] + text}
    return {target for line, target in calls(sources, _CART) if line > 4}


def _uses(use: str, call: str) -> set[str]:
    text = f"use {use};\nfn f() {{ {call}; }}\n"
    return {target for _, target in calls({**_SOURCES, "shop/src/cart.rs": text}, _CART)}


def test_each_form_of_use() -> None:
    made = {f"{_ITEM}::Item.new"}
    assert _uses("crate::model::item::Item", "Item::new()") == made
    assert _uses("crate::model::item::{self, Item as I}", "I::new()") == made
    assert _uses("crate::model::item::{self}", "item::Item::new()") == made
    assert _uses("super::model::{item::{Item}, Kind}", "Item::new()") == made
    assert _uses("crate::model::item::*", "Item::new()") == made
    assert _uses("std::fs", "fs::read()") == {"std.fs.read"}
    assert _uses("std::fs", "crate::model::item::Item::new()") == made


def test_what_a_crate_passes_on_is_found() -> None:
    assert _uses("crate::Item", "Item::new()") == {f"{_ITEM}::Item.new"}
    assert _uses("crate::Kind", "Kind::Disc(1)") == {f"{_MODEL}::Kind.Disc"}
    assert _uses("crate::Kind::*", "Disc(1)") == {f"{_MODEL}::Kind.Disc"}
    assert calls(_SOURCES, "shop/tests/buy.rs") == {(2, f"{_ITEM}::Item.new")}


def test_other_crates_are_found_by_name_and_by_new_name() -> None:
    assert _uses("tax_rates::rate", "rate()") == {"tax/src/lib.rs::rate"}
    assert _uses("levy", "levy::rate()") == {"tax/src/lib.rs::rate"}
    assert _uses("std::fs", "tax_rates::rate()") == {"tax/src/lib.rs::rate"}


def test_modules_are_imported_by_file() -> None:
    all_edges = edges(_SOURCES)
    assert ("shop/src/lib.rs:2", "imports", _MODEL) in all_edges
    assert (f"{_ITEM}:1", "imports", f"{_MODEL}::Priced") in all_edges


def test_a_module_that_a_macro_declares_is_found_by_its_file() -> None:
    sources = {
        "Cargo.toml": '[package]\nname = "shop"\n',
        "src/lib.rs": "mod shut;\nmacro_rules! gated { ($($i:item)*) => { $($i)* } }\n"
        "gated! { pub mod cart; }\n",
        "src/cart.rs": "pub fn pay() {}\n",
        "src/shut.rs": "use crate::{cart, missing};\nfn go() { cart::pay(); missing::pay(); }\n",
    }
    assert ("src/shut.rs:1", "imports", "src/cart.rs") in edges(sources)
    assert (2, "src/cart.rs::pay") in calls(sources, "src/shut.rs")


def test_items_in_a_macro_are_items() -> None:
    text = (
        "use crate::cart;\n"
        "cfg_rt! {\n    pub use cart::tip;\n"
        "    /// Pays.\n    #[inline]\n    pub fn settle(n: u8) -> u8 {\n"
        "        cart::pay()\n    }\n\n    pub mod tax;\n}\n"
        "lazy_static! { static ref ALL: u8 = 1; }\n"
        "fn go() {\n    cfg_io! { settle(1) }\n}\n"
    )
    parsed = parse_text(LANGUAGES["rust"], SafeText(text))
    assert [
        (symbol.qualified, symbol.start_line, symbol.end_line) for symbol in parsed.symbols
    ] == [
        ("settle", 4, 8),
        ("ALL", 12, 12),
        ("go", 13, 15),
    ]
    assert parsed.symbols[0].signature == "pub fn settle(n: u8) -> u8"
    assert not parsed.loss.lines
    sources = {
        "Cargo.toml": '[package]\nname = "shop"\n',
        "src/lib.rs": text,
        "src/cart.rs": "pub fn pay() -> u8 { 1 }\npub fn tip() {}\n",
        "src/other.rs": "fn go() { crate::tip(); }\n",
    }
    assert (7, "src/cart.rs::pay") in calls(sources, "src/lib.rs")
    assert (1, "src/cart.rs::tip") in calls(sources, "src/other.rs")


def test_methods_of_self_and_of_fields() -> None:
    all_calls = calls(_SOURCES, _ITEM)
    assert (4, f"{_ITEM}::Item.make") in all_calls
    text = """impl Cart {
    fn all(&self) {
        self.items[0].pay();
        for one in self.items.iter() { one.pay(); }
        if let Some(last) = &self.last { last.pay(); }
        self.shared.lock().unwrap().pay();
        self.items.iter().any(|one| one.pay());
    }
}
"""
    sources = {**_SOURCES, _CART: _SOURCES[_CART] + text}
    assert {line for line, target in calls(sources, _CART) if target == _PAYS} == {7, 8, 9, 10, 11}


def test_values_have_the_types_that_they_were_made_with() -> None:
    assert _PAYS in _more("fn f(x: &mut Item) { x.pay(); }")
    assert _PAYS in _more("fn f() { let x = Item::new(); x.pay(); }")
    assert _PAYS in _more("fn f() { let c = open()?; c.items[0].pay(); }")
    assert _PAYS in _more("fn f() { match open() { Ok(c) => c.items[0].pay(), _ => {} } }")
    assert _PAYS in _more("fn f(c: Cart) { let Cart { items, .. } = c; items[0].pay(); }")


def test_traits_give_what_they_define() -> None:
    assert _more("fn f(x: Item) { x.show(); }") == {f"{_MODEL}::Priced.show"}
    assert _more("fn f<T: Priced>(x: T) { x.price(); }") == {f"{_MODEL}::Priced.price"}
    assert _more("fn f(x: Box<dyn Priced>) { x.price(); }") == {f"{_MODEL}::Priced.price"}
    assert _more("fn f(x: impl Priced) { x.price(); }") == {f"{_MODEL}::Priced.price"}
    assert (f"{_ITEM}:8", "extends", f"{_MODEL}::Priced") in edges(_SOURCES)


def test_arguments_of_macros_are_expressions() -> None:
    assert _more('fn f(x: Item) { println!("{}", x.pay()); }') == {_PAYS}
    assert _more("fn f(c: Cart) { assert_eq!(c.items[0].pay(), true) }\nfn g() {}") == {_PAYS}
    assert _PAYS in _more("fn f(x: Item) { assert!(vec![x].iter().all(|y| y.pay())); }")
    assert _more('fn f(x: Item) { println!("{a}", a = x.pay()); }') == {_PAYS}
    assert _more("fn f() { for x in vec![Item::new()] { x.pay(); } }") >= {_PAYS}


def test_arguments_of_macros_that_are_no_expressions_stay_tokens() -> None:
    text = "fn f(x: Item) {\n  select! { y = x.pay() => 1 }\n  takes!(x.pay() => );\n}\n"
    all_edges = edges({**_SOURCES, _CART: _SOURCES[_CART] + text})
    assert {(f"{_CART}:{line}", "references", _PAYS) for line in (6, 7)} <= all_edges
    assert _more("fn f(x: Item) { println!(x.pay() \n") <= {_PAYS, "?pay"}
    assert _more("fn f(x: Item) { takes!(x.pay(, y) }\nfn g(x: u8) { x.pay(); }") <= {_PAYS, "?pay"}


def test_calls_with_type_arguments() -> None:
    assert _more("fn f(x: Item) { x.pay::<u8>(); }") == {_PAYS}
    assert _more("fn f() { what().pay::<u8>(); }") == {"?pay"}
    assert _more("fn f() { open::<u8>(); }") == {f"{_CART}::open"}


def test_bounds_of_type_parameters() -> None:
    text = "use crate::model::Priced;\npub trait Deal<'a, T>: Priced { type Part: Priced; }\n"
    sources = {**_SOURCES, "shop/src/deal.rs": text, _CART: ""}

    def priced(use: str) -> set[str]:
        cart = f"use crate::{{deal::Deal, model::Priced}};\n{use}\n"
        return {target for _, target in calls({**sources, _CART: cart}, _CART)}

    price = {f"{_MODEL}::Priced.price"}
    assert priced("fn f<'a, T: Deal<'a, u8>>(x: T) { x.price(); }") == price
    assert (
        priced("fn f<T: Clone + Send + Sync + Copy + Sized + Priced>(x: T) { x.price(); }") == price
    )
    assert (
        priced("fn f<T>(x: &mut T) where T: Clone + ?Sized + Deal<'static, u8> { x.price(); }")
        == price
    )
    assert (
        priced("struct A<T>(T);\nimpl<T: Priced> A<T> { fn f(x: T) where T: Clone { x.price(); } }")
        == price
    )
    assert priced("fn f<'a, T: Deal<'a, u8>>(x: T::Part) { x.price(); }") == price
    assert priced("fn f(x: impl Priced + Send) { x.price(); }") == price
    assert priced("fn f<T: Priced>() { T::price(); }") == price
    assert priced("fn f<T>(x: T) { x.price(); }") == {"?price"}


def test_fields_whose_type_is_a_parameter_have_the_bounds_of_the_extension() -> None:
    text = (
        "struct Two<'a, S, T> { first: &'a S, next: T, both: Pair<T> }\n"
        "impl<'b, U: Clone, V> Two<'b, U, V> where V: Priced {\n"
        "  fn f(&mut self) { self.next.price(); }\n"
        "  fn g(&self) { let n = &self.next; n.price(); }\n"
        "  fn h(&self) { self.first.price(); }\n"
        "  fn i(&self) { self.both.price(); }\n}\n"
        "impl Two<'static, Item, u8> { fn j(&self) { self.first.pay(); self.next.pay(); } }\n"
    )
    found = calls({**_SOURCES, _CART: _SOURCES[_CART] + text}, _CART)
    price = f"{_MODEL}::Priced.price"
    assert found == {
        (7, price),
        (8, price),
        (9, "?price"),
        (10, "?price"),
        (12, _PAYS),
        (12, "?pay"),
    }
    assert (f"{_CART}:7", "references", f"{_CART}::Two.next") in edges(
        {**_SOURCES, _CART: _SOURCES[_CART] + text}
    )


def test_fields_of_variants_have_types() -> None:
    text = "pub enum Way { Post(u8, Item), Shop { by: Item } }\npub struct Pair(Item);\n"
    assert _more(text + "fn f(w: Way) { match w { Way::Post(_, i) => i.pay() } }") == {_PAYS}
    assert _more(text + "fn f(w: Way) { match w { Way::Post(n, _) => n.pay() } }") == {"?pay"}
    assert _more(text + "fn f(w: Way) { match w { Way::Shop { by } => by.pay() } }") == {_PAYS}
    assert _more(text + "fn f(p: Pair) { p.0.pay(); let Pair(ref i) = p; i.pay(); }") == {_PAYS}
    assert _more(text + "fn f(w: Way) { match w { Way::Post(.., i) => i.pay() } }") == {"?pay"}


def test_self_can_have_a_declared_type() -> None:
    text = "impl Cart { fn a(self: Pin<&mut Self>) { self.b(); }\n fn b(&self) {} }"
    assert _more(text) == {f"{_CART}::Cart.b"}


def test_macros_are_found_by_import_and_in_textual_scope() -> None:
    sources = {
        "Cargo.toml": '[package]\nname = "shop"\n',
        "src/lib.rs": "#[macro_use]\nmod helpers;\nmod cart;\nmod more;\n"
        "macro_rules! root { () => {} }\npub fn total() {}\n",
        "src/helpers.rs": "macro_rules! total { () => {} }\n",
        "src/more.rs": "macro_rules! extra { () => {} }\npub(crate) use extra;\n"
        "#[macro_export]\nmacro_rules! public { () => {} }\nmacro_rules! hidden { () => {} }\n",
        "src/cart.rs": "use crate::more::extra;\nmod inner;\nfn f() {\n  total!();\n  root!();\n"
        "  extra!();\n  crate::public!();\n  hidden!();\n  vec![1];\n}\n",
        "src/cart/inner.rs": "fn vec() {}\nfn f() {\n  total!();\n  vec![2];\n}\n",
        "tests/use.rs": "use shop::public;\nfn f() { public!(); }\n",
    }
    assert calls(sources, "src/cart.rs") == {
        (4, "src/helpers.rs::total"),
        (5, "src/lib.rs::root"),
        (6, "src/more.rs::extra"),
        (7, "src/more.rs::public"),
    }
    assert calls(sources, "src/cart/inner.rs") == {(3, "src/helpers.rs::total")}
    assert calls(sources, "tests/use.rs") == {(2, "src/more.rs::public")}


def test_what_a_macro_defines_is_there_where_the_file_invokes_it() -> None:
    macro = (
        "macro_rules! declare {\n  ($($s:ident)*) => {\n    pub trait Fault: Sized $(+ $s)* {\n"
        "      fn custom() -> Self;\n    }\n    pub fn fail() {}\n"
        "    macro_rules! inner { () => {} }\n  };\n}\n"
    )
    use = "fn f<T: Fault>() { T::custom(); }\nfn g() { fail(); inner!(); }\n"
    found = calls({"Cargo.toml": "", "src/lib.rs": f"{macro}declare!(A);\n{use}"}, "src/lib.rs")
    assert found == {
        (10, "src/lib.rs::declare"),
        (11, "src/lib.rs::declare.Fault.custom"),
        (12, "src/lib.rs::declare.fail"),
        (12, "src/lib.rs::declare.inner"),
    }
    found = calls({"Cargo.toml": "", "src/lib.rs": f"{macro}{use}"}, "src/lib.rs")
    assert found == {(10, "?custom"), (11, "src/lib.rs::declare.inner")}


def test_types_and_functions_are_in_namespaces_of_their_own() -> None:
    text = (
        "pub enum Err { A }\npub fn f32() {}\npub struct Wrap(u8);\n"
        "fn f(x: Err) {\n  Err(1);\n  f32::from_bits(1);\n  Wrap(1);\n  f32();\n"
        "  match g() { Err(x) => 1, Err::A => 2 }\n}\n"
        "pub enum Way { Left(u8) }\nuse Way::*;\n"
        "fn g(w: Way) { let Left(x) = w; }\n"
    )
    found = edges({"Cargo.toml": "", "src/lib.rs": text})
    err = {at for at, _, target in found if target.endswith("::Err")}
    assert err == {"src/lib.rs:4", "src/lib.rs:9"}
    assert ("src/lib.rs:13", "references", "src/lib.rs::Way.Left") in found
    assert calls({"Cargo.toml": "", "src/lib.rs": text}, "src/lib.rs") >= {
        (6, "f32.from_bits"),
        (7, "src/lib.rs::Wrap"),
        (8, "src/lib.rs::f32"),
    }


def test_names_that_an_inline_module_imports_are_its_members() -> None:
    sources = {
        "Cargo.toml": '[package]\nname = "shop"\n',
        "src/lib.rs": "mod real;\npub mod sync { pub use crate::real::Lock; }\n"
        "use std::sync::Lock;\nmod cart;\nfn f() { Lock::open(); }\n",
        "src/real.rs": "pub struct Lock;\nimpl Lock { pub fn open() {} }\n",
        "src/cart.rs": "use crate::sync::Lock;\nfn f() { Lock::open(); }\n",
    }
    assert calls(sources, "src/cart.rs") == {(2, "src/real.rs::Lock.open")}
    assert calls(sources, "src/lib.rs") == {(5, "std::sync.Lock.open")}


def test_an_impl_in_another_file_is_seen_there() -> None:
    text = "use crate::Item;\nimpl Item {\nfn a(&self) { self.b(); self.pay(); }\nfn b(&self) {}\n}"
    all_calls = calls({**_SOURCES, _CART: text}, _CART)
    assert all_calls == {(3, f"{_CART}::Item.b"), (3, _PAYS)}


def test_a_local_name_hides_a_function() -> None:
    assert _more("fn g() { let open = || 1; open(); }") == set()
    assert _more("fn g() { { let open = 1; } open(); }") == {f"{_CART}::open"}


def test_inline_modules_see_their_file() -> None:
    text = "mod tests {\n  use super::*;\n  fn help() {}\n  fn t() { open(); help(); }\n}\n"
    assert _more(text) == {f"{_CART}::open", f"{_CART}::tests.help"}


def test_an_unknown_receiver_leaves_a_name_and_an_outside_type_does_not() -> None:
    assert _more("fn f() { what().pay(); }") == {"?pay"}
    assert _more("fn f() { Vec::with_capacity(1); }") == {"Vec.with_capacity"}


def test_a_function_defined_for_each_platform_is_ambiguous() -> None:
    text = "#[cfg(unix)]\nfn lock() {}\n#[cfg(windows)]\nfn lock() {}\nfn f() { lock(); }\n"
    all_calls = calls({**_SOURCES, _CART: text}, _CART)
    assert all_calls == {(5, f"?{_CART}::lock")}


def test_inline_modules_that_import_each_other_whole_are_resolved_quickly() -> None:
    names = [f"m{number}" for number in range(12)]
    modules = "".join(
        f"pub mod {name} {{ pub use crate::{{{', '.join(f'{other}::*' for other in names)}}}; }}\n"
        for name in names
    )
    text = f"{modules}fn f() {{ m0::missing(); m1::m2::gone(); }}\n"
    assert calls({"Cargo.toml": "", "src/lib.rs": text}, "src/lib.rs") <= {
        (13, "?missing"),
        (13, "?gone"),
    }


def test_a_path_from_the_root_names_a_trait() -> None:
    found = edges({"src/lib.rs": "struct A;\nimpl ::std::iter::FromIterator<A> for A {}\n"})
    assert ("src/lib.rs:2", "extends", "std.iter.FromIterator") in found


def test_functions_in_macros_of_property_tests_are_tests() -> None:
    source = """fn add(x: u32) -> u32 { x }
quickcheck! {
    fn grows(x: u32) -> bool {
        add(x) > x
    }
}
proptest! {
    #[test]
    fn small(x in 0..3u32) {
        assert!(add(x) < 5);
    }
}
other! {
    fn made(x: u32) {}
}
"""
    symbols = parse_text(LANGUAGES["rust"], SafeText(source)).symbols
    kinds = {symbol.name: (str(symbol.kind), symbol.end_line) for symbol in symbols}
    assert kinds["grows"] == ("test", 5)
    assert kinds["small"] == ("test", 11)
    assert kinds["made"][0] == "function"
