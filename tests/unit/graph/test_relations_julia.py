"""What names in Julia refer to."""

from __future__ import annotations

from tests.unit.graph.related import calls, edges, lines_called

CART = "src/cart.jl"
SOURCES = {
    "src/Shop.jl": """module Shop
using LinearAlgebra
using .Pricing: price
include("cart.jl")
include("pricing.jl")
export add!
main(x) = add!(Cart([]), price(x))
end
""",
    CART: """abstract type Holder end
struct Cart <: Holder
    items::Vector{Int}
end
function add!(cart::Cart, item; scale=1)
    check(item)
    push!(cart.items, item)
    return cart
end
total(cart::Cart)::Int = sum(cart)
check(item) = item
item_of(cart) = map(x -> check(x), cart) |> total
""",
    "src/pricing.jl": """module Pricing
price(x) = rate(x)
rate(x) = x
end
""",
    "test/runtests.jl": """using Shop
import Shop as S
@testset "cart" begin
    add!(1, 2)
    S.total(3)
    unknown(4)
end
""",
}


def test_included_files_share_names() -> None:
    assert calls(SOURCES, "src/Shop.jl") == {
        (7, f"{CART}::add!"),
        (7, f"{CART}::Cart"),
        (7, "src/pricing.jl::price"),
    }
    assert calls(SOURCES, CART) >= {
        (6, f"{CART}::check"),
        (12, f"{CART}::check"),
        (12, f"{CART}::total"),
    }


def test_imports() -> None:
    all_edges = edges(SOURCES)
    assert ("src/Shop.jl:2", "imports", "LinearAlgebra") in all_edges
    assert ("src/Shop.jl:4", "imports", CART) in all_edges
    assert ("src/Shop.jl:3", "imports", "src/pricing.jl::price") in all_edges
    assert ("test/runtests.jl:1", "imports", "src/Shop.jl") in all_edges


def test_modules_are_used_whole_or_by_an_alias() -> None:
    assert calls(SOURCES, "test/runtests.jl") == {
        (4, f"{CART}::add!"),
        (5, f"{CART}::total"),
    }


def test_abstract_types_are_extended_and_fields_typed() -> None:
    all_edges = edges(SOURCES)
    assert (f"{CART}:2", "extends", f"{CART}::Holder") in all_edges
    assert (f"{CART}:7", "references", f"{CART}::Cart.items") in all_edges


def test_a_method_is_chosen_by_its_number_of_arguments() -> None:
    sources = {"a.jl": "area(r) = r\narea(w, h) = w * h\none() = area(1)\ntwo() = area(1, 2)\n"}
    assert lines_called(sources, "a.jl") == {(3, ("resolved", 1)), (4, ("resolved", 2))}


def test_a_call_of_a_function_of_another_module_may_run_any_method_of_it() -> None:
    sources = {
        "src/Shop.jl": 'module Shop\nimport Base: close\ninclude("cart.jl")\nend\n',
        CART: """struct Cart
    items
end
Base.String(cart::Cart) = "cart"
Base.push!(cart::Cart, item) = add(cart, item)
close(cart::Cart) = 1
add(cart, item) = cart
function fill(cart::Cart, name::String)
    push!([], name)
    close(cart)
    add(cart, name)
end
""",
    }
    assert calls(sources, CART) == {
        (5, f"{CART}::add"),
        (9, f"?{CART}::push!"),
        (10, f"?{CART}::close"),
        (11, f"{CART}::add"),
    }
    assert (f"{CART}:8", "references", f"{CART}::String") not in edges(sources)
