"""What names in C refer to."""

from __future__ import annotations

from tests.unit.graph.related import calls, edges

_SOURCES = {
    "include/shop.h": """#ifndef SHOP_H
#define SHOP_H
#include "shop/item.h"
typedef struct cart_s cart_t;
enum color { RED, GREEN };
cart_t* cart_new(void);
int cart_size(cart_t* cart);
int cart_port(void);
#define SHOP_MAX 3
#endif
""",
    "include/shop/item.h": """struct item { int price; struct item* next; };
static inline int item_price(struct item* item) { return item->price; }
""",
    "src/cart.c": """#include "shop.h"
struct cart_s { struct item* first; int size; };
static int helper(cart_t* cart);
cart_t* cart_new(void) { return 0; }
int cart_size(cart_t* cart) { return helper(cart) + cart->first->price; }
static int helper(cart_t* cart) { return cart->size; }
""",
    "src/unix.c": '#include "shop.h"\nint cart_port(void) { return 1; }\n',
    "src/win.c": '#include "shop.h"\nint cart_port(void) { return 2; }\n',
    "src/other.c": "static int helper(int x) { return x; }\nint hide(void) { return helper(1); }\n",
}


def _main(body: str, include: str = '#include "shop.h"') -> set[str]:
    text = f"{include}\nint main(int argc) {{\n{body}\n}}\n"
    all_edges = edges({**_SOURCES, "src/main.c": text})
    return {
        target
        for at, kind, target in all_edges
        if at.startswith("src/main.c") and kind != "imports"
    }


def test_includes_lead_to_headers() -> None:
    all_edges = edges(_SOURCES)
    assert ("src/cart.c:1", "imports", "include/shop.h") in all_edges
    assert ("include/shop.h:3", "imports", "include/shop/item.h") in all_edges


def test_a_prototype_leads_to_its_one_definition() -> None:
    assert _main("cart_new();") == {"src/cart.c::cart_new"}


def test_a_prototype_with_several_definitions_stands_for_itself() -> None:
    assert _main("cart_port();") == {"include/shop.h::cart_port"}


def test_headers_of_headers_are_seen() -> None:
    assert _main("item_price(0);") == {"include/shop/item.h::item_price"}


def test_enumerators_and_macros_are_names_of_the_file() -> None:
    assert _main("return RED + SHOP_MAX;") == {
        "include/shop.h::color.RED",
        "include/shop.h::SHOP_MAX",
    }


def test_members_of_declared_types() -> None:
    assert _main("struct item* one; one->next->price;") == {
        "include/shop/item.h::item",
        "include/shop/item.h::item.next",
        "include/shop/item.h::item.price",
    }


def test_a_type_that_sources_keep_to_themselves() -> None:
    assert "src/cart.c::cart_s.size" in _main("cart_t* c = cart_new(); c->size;")


def test_locals_hide_what_is_outside_from_their_declaration_on() -> None:
    assert _main("int cart_new = 1; return cart_new;") == set()
    assert _main("{ int RED; } return RED;") == {"include/shop.h::color.RED"}


def test_the_same_name_in_another_file_is_not_meant() -> None:
    assert calls(_SOURCES, "src/other.c") == {(2, "src/other.c::helper")}
    assert calls(_SOURCES, "src/cart.c") == {(5, "src/cart.c::helper")}
    assert _main("helper(1);") == set()


def test_a_member_of_something_unknown() -> None:
    assert _main("thing.run();") == {"?run"}
