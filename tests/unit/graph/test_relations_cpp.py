"""What names in C++ refer to."""

from __future__ import annotations

from tests.unit.graph.related import calls, edges, lines_called

_CART = "include/shop/cart.hpp"
_SOURCES = {
    _CART: """#pragma once
#include <memory>
namespace shop {
class Base { public: void show(); int size_; };
enum class Color { Red };
class Cart : public Base {
 public:
  Cart();
  static Cart* create();
  int total() const;
  Cart& self();
  void add(int n) { total(); this->show(); size_ = n; }
 private:
  std::unique_ptr<Base> inner_;
};
template <typename T> T most(T a);
using Basket = Cart;
}
""",
    "src/cart.cpp": """#include "shop/cart.hpp"
namespace shop {
int Cart::total() const {
  inner_->show();
  return size_;
}
}
int shop::Cart::create() { return total(); }
""",
    "src/other.cpp": "namespace other { class Cart { public: int total(); }; }\n",
}


def _main(body: str, before: str = "") -> set[str]:
    text = f'#include "shop/cart.hpp"\n{before}\nint main() {{\n{body}\n}}\n'
    all_edges = edges({**_SOURCES, "src/main.cpp": text})
    lines = {f"src/main.cpp:{line}" for line in range(3, 9)}
    return {target for at, _, target in all_edges if at in lines}


def test_members_through_this_and_without_it() -> None:
    all_edges = edges(_SOURCES)
    assert (f"{_CART}:12", "calls", "src/cart.cpp::shop.Cart.total") in all_edges
    assert (f"{_CART}:12", "calls", f"{_CART}::shop.Base.show") in all_edges
    assert (f"{_CART}:12", "references", f"{_CART}::shop.Base.size_") in all_edges


def test_members_in_a_body_outside_of_its_class() -> None:
    all_edges = edges(_SOURCES)
    assert ("src/cart.cpp:4", "references", f"{_CART}::shop.Cart.inner_") in all_edges
    assert ("src/cart.cpp:4", "calls", f"{_CART}::shop.Base.show") in all_edges
    assert ("src/cart.cpp:5", "references", f"{_CART}::shop.Base.size_") in all_edges
    assert ("src/cart.cpp:8", "calls", "src/cart.cpp::shop.Cart.total") in all_edges


def test_inheritance() -> None:
    assert (f"{_CART}:6", "extends", f"{_CART}::shop.Base") in edges(_SOURCES)


def test_qualified_names_and_a_declaration_with_its_definition() -> None:
    assert _main("shop::Cart::create();") == {"src/cart.cpp::shop.Cart.create"}
    assert _main("shop::most<int>(1);") == {f"{_CART}::shop.most"}


def test_receivers_of_a_known_type() -> None:
    total = "src/cart.cpp::shop.Cart.total"
    assert total in _main("shop::Cart cart; cart.total();")
    assert total in _main("auto* cart = new shop::Cart(); cart->total();")
    assert total in _main("auto cart = std::make_shared<shop::Cart>(); cart->total();")
    assert total in _main("shop::Cart c; c.self().total();")
    assert total in _main("shop::Basket c; c.total();")


def test_using_a_namespace_or_a_name() -> None:
    assert f"{_CART}::shop.Cart" in _main("Cart cart;", "using namespace shop;")
    assert f"{_CART}::shop.Cart" in _main("Cart cart;", "using shop::Cart;")
    assert _main("Cart cart;") == set()


def test_a_nested_namespace_sees_the_names_of_those_around_it() -> None:
    sources = {
        "base.h": """namespace shop::pay {
class Writer { public: virtual void write(); };
inline void flush() {}
class Csv { class Row; void run(Writer* writer); };
}
namespace other { class Reader {}; }
""",
        "use.cpp": """#include "base.h"
namespace shop::pay::csv::detail {
class Csv : public Writer {};
void use(Writer* writer) { writer->write(); }
Reader* none;
}
namespace shop {
namespace pay::json { class Json : public Writer {}; }
}
void shop::pay::Csv::run(Writer* writer) { writer->write(); flush(); }
class shop::pay::Csv::Row { Writer* writer; };
""",
    }
    found = edges(sources)
    assert ("use.cpp:3", "extends", "base.h::shop.pay.Writer") in found
    assert ("use.cpp:4", "calls", "base.h::shop.pay.Writer.write") in found
    assert ("use.cpp:8", "extends", "base.h::shop.pay.Writer") in found
    assert ("use.cpp:10", "calls", "base.h::shop.pay.Writer.write") in found
    assert ("use.cpp:10", "calls", "base.h::shop.pay.flush") in found
    assert ("use.cpp:11", "references", "base.h::shop.pay.Writer") in found
    assert not [target for line, _, target in found if line == "use.cpp:5" and "::" in target]


def test_only_the_values_of_an_enum_without_class_are_names_of_the_namespace_around_it() -> None:
    sources = {
        "use.cpp": """typedef int Id;
struct Banner { int id; };
namespace shop {
enum class Kind { Banner };
enum : Id { PRICE };
Id use(Banner* banner) { return PRICE; }
}
"""
    }
    found = {target for line, _, target in edges(sources) if line == "use.cpp:6"}
    assert found == {"use.cpp::Banner", "use.cpp::Id", "use.cpp::shop.PRICE"}


def test_a_local_hides_a_name() -> None:
    assert _main("int Cart = 1; return Cart;", "using namespace shop;") == set()


def test_a_member_of_something_unknown() -> None:
    assert _main("auto x = thing(); x.total();") == {"?total"}


def test_functions_that_return_references_and_references_made_with_parentheses_have_types() -> None:
    sources = {
        "cart.h": (
            "class Cart { public: void add(int n); };\nCart& find(int n);\nCart* make(int n);\n"
        ),
        "use.cpp": """#include "cart.h"
void use(int count) {
  auto& found = find(1);
  found.add(4);
  auto copied = find(2);
  copied.add(6);
  Cart& other(copied);
  other.add(8);
  Cart& third(find(3));
  third.add(10);
  Cart& fourth(*make(4));
  fourth.add(12);
  int both = count & find(5);
  count & find(6);
}
""",
    }
    called = calls(sources, "use.cpp")
    adding = {line for line, target in called if target == "cart.h::Cart.add"}
    assert adding == {4, 6, 8, 10, 12}
    assert {(13, "cart.h::find"), (14, "cart.h::find")} <= set(called)


def test_a_definition_may_have_four_scopes_before_its_name() -> None:
    source = """namespace a { struct B { struct C { struct D { void add(); static int sum; };
}; }; }
void a::B::C::D::add() { a::B::C::D::sum = 1; }
void run() { a::B::C::D cart; cart.add(); }
"""
    found = edges({"a.cpp": source})
    assert ("a.cpp:3", "references", "a.cpp::a.B.C.D.sum") in found
    assert ("a.cpp:4", "calls", "a.cpp::a.B.C.D.add") in found
    assert lines_called({"a.cpp": source}, "a.cpp") == {(4, ("resolved", 3))}
