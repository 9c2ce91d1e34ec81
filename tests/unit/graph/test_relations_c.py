"""What names in C refer to."""

from __future__ import annotations

from tests.unit.graph.related import calls, edges, lines_called

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


def test_a_header_is_included_by_its_path_from_a_folder_above_the_repository() -> None:
    """The file name alone is not enough: `shop.h` of another library is not ours."""
    assert _main("cart_new();", "#include <store/include/shop.h>") == {"src/cart.c::cart_new"}
    assert _main("cart_new();", "#include <other/shop.h>") == set()
    assert _main("item_price(0);", '#include "store/shop/item.h"') == {
        "include/shop/item.h::item_price"
    }


def test_a_prototype_leads_to_its_one_definition() -> None:
    assert _main("cart_new();") == {"src/cart.c::cart_new"}


def test_a_prototype_with_several_definitions_is_its_own_target() -> None:
    """The definitions are those of platforms: together they are certain."""
    assert _main("cart_port();") == {
        "include/shop.h::cart_port",
        "?src/unix.c::cart_port",
        "?src/win.c::cart_port",
    }


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


def test_locals_hide_outer_names_from_their_declaration_on() -> None:
    assert _main("int cart_new = 1; return cart_new;") == set()
    assert _main("{ int RED; } return RED;") == {"include/shop.h::color.RED"}


def test_the_same_name_in_another_file_is_not_meant() -> None:
    assert calls(_SOURCES, "src/other.c") == {(2, "src/other.c::helper")}
    assert calls(_SOURCES, "src/cart.c") == {(5, "src/cart.c::helper")}
    assert _main("helper(1);") == set()


def test_a_member_of_something_unknown() -> None:
    assert _main("thing.run();") == {"?run"}


_LOST = "int cart_port(void) { @ $ ] ) @\n"
"""A definition that no grammar can parse."""


def test_a_name_in_lost_lines_is_not_certainly_defined_elsewhere() -> None:
    """The lost lines may be the definition for the platform that is built."""
    sources = {**_SOURCES, "src/unix.c": f'#include "shop.h"\n{_LOST}'}
    sources["src/main.c"] = '#include "shop.h"\nint main(void) { return cart_port(); }\n'
    assert calls(sources, "src/main.c") == {(2, "?src/win.c::cart_port")}


def test_definitions_in_both_branches_of_a_head_are_found() -> None:
    text = """#include "shop.h"
#ifdef WIDE
int wide(cart_t *cart, int a) {
#else
int narrow(cart_t *cart) {
#endif
  return cart_size(cart);
}
int after(void) { return wide(0, 1) + narrow(0); }
"""
    sources = {**_SOURCES, "src/main.c": text}
    assert calls(sources, "src/main.c") == {
        (7, "src/cart.c::cart_size"),
        (9, "src/main.c::wide"),
        (9, "src/main.c::narrow"),
    }


def test_calls_in_bodies_of_macros_are_those_of_the_macro() -> None:
    text = """#include "shop.h"
static int local(int a) { return a; }
#define BOTH(cart, other) \\
  do { \\
    cart_size(cart); \\
    local(other); \\
  } while (0)
#define ANY(call) call(1)
#define HALF(cart) if (cart_size(cart)) {
void run(void) { BOTH(0, 1); }
"""
    sources = {**_SOURCES, "src/main.c": text}
    found = calls(sources, "src/main.c")
    assert found >= {(5, "src/cart.c::cart_size"), (6, "src/main.c::local")}
    assert {line for line, _ in found} <= {5, 6, 9, 10}


def test_a_macro_body_that_makes_a_text_of_its_parameter_is_read() -> None:
    sources = {
        "named.h": (
            "void set_name(const void *p, const char *n);\n"
            "#define set_type(p, type) \\\n  set_name(p, #type)\n"
            "#define joined(p, end) set_name##end(p)\n"
        ),
        "named.c": '#include "named.h"\nvoid set_name(const void *p, const char *n) { }\n',
    }
    assert calls(sources, "named.h") == {(3, "named.c::set_name")}


def test_a_type_that_platform_headers_define_differently_is_a_set() -> None:
    sources = {
        "shop.h": '#ifdef _WIN32\n#include "win.h"\n#else\n#include "unix.h"\n#endif\n',
        "win.h": "typedef struct { int a; } handle_t;\ntypedef long file_t;\n"
        "typedef struct s s_t;\n",
        "unix.h": "typedef PLATFORM handle_t;\ntypedef int file_t;\ntypedef struct s s_t;\n",
        "main.c": '#include "shop.h"\nhandle_t a;\nfile_t b;\ns_t* c;\n',
    }
    found = {(at, target) for at, kind, target in edges(sources) if kind != "imports"}
    assert {edge for edge in found if edge[0].startswith("main.c")} == {
        ("main.c:2", "?win.h::handle_t"),
        ("main.c:2", "?unix.h::handle_t"),
        ("main.c:3", "?win.h::file_t"),
        ("main.c:3", "?unix.h::file_t"),
        ("main.c:4", "win.h::s_t"),
    }


def test_a_prototype_in_the_same_file_leads_to_the_definition() -> None:
    text = "static int pay(int);\nint run() { return pay(1); }\nstatic int pay(int n) { return 1; }"
    assert lines_called({"pay.c": text}, "pay.c") == {(2, ("resolved", 3))}
