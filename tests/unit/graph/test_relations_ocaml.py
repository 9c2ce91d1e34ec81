"""What names in OCaml refer to."""

from __future__ import annotations

from tests.unit.graph.related import calls, edges

CART = "lib/cart.ml"
SOURCES = {
    "lib/dune": "(library\n (name shop))\n",
    CART: """type item = { price : int; name : string }
type color = Red | Green of int
let check item = item.price
let add ?(scale = 1) cart item = check item :: cart
module Totals = struct
  let sum cart = List.fold_left (+) 0 cart
end
let total cart = Totals.sum cart
""",
    "lib/cart.mli": """type item = { price : int; name : string }
val add : ?scale:int -> int list -> item -> int list
val total : int list -> int
module Totals : sig val sum : int list -> int end
""",
    "lib/base.ml": """class holder = object
  method size = 0
end
module type SIZED = sig val size : int end
""",
    "bin/main.ml": """open Shop
open Cart.Totals
module C = Shop.Cart
let first cart = Cart.add cart Red
let second cart = C.total cart |> print_int
let third cart = sum cart
let shadowed sum = sum 1
let unknown x = Elsewhere.run x
""",
    "lib/kinds.ml": """open Base
class basket = object (self)
  inherit holder
  method all = self#size
end
module Sized : SIZED = struct let size = 1 end
""",
}


def test_calls_inside_a_file() -> None:
    assert calls(SOURCES, CART) >= {(4, f"{CART}::check"), (8, f"{CART}::Totals.sum")}


def test_modules_of_a_library_are_reached_by_path_alias_and_open() -> None:
    assert calls(SOURCES, "bin/main.ml") >= {
        (4, f"{CART}::add"),
        (5, f"{CART}::total"),
        (6, f"{CART}::Totals.sum"),
    }
    assert not [line for line, _ in calls(SOURCES, "bin/main.ml") if line == 7]


def test_imports() -> None:
    all_edges = edges(SOURCES)
    assert ("lib/kinds.ml:1", "imports", "lib/base.ml") in all_edges
    assert ("bin/main.ml:2", "imports", f"{CART}::Totals") in all_edges


def test_an_open_of_another_library_is_shown_as_written() -> None:
    assert ("main.ml:1", "imports", "Core.Hashtbl") in edges({"main.ml": "open Core.Hashtbl\n"})


def test_classes_and_signatures_are_extended() -> None:
    all_edges = edges(SOURCES)
    assert ("lib/kinds.ml:3", "extends", "lib/base.ml::holder") in all_edges
    assert ("lib/kinds.ml:6", "extends", "lib/base.ml::SIZED") in all_edges
    assert calls(SOURCES, "lib/kinds.ml") == {(4, "lib/base.ml::holder.size")}


def test_constructors_and_fields_are_references() -> None:
    all_edges = edges(SOURCES)
    assert ("bin/main.ml:4", "references", f"{CART}::color.Red") not in all_edges
    sources = {"a.ml": "type color = Red | Green of int\nlet paint () = Green 1\n"}
    assert ("a.ml:2", "references", "a.ml::color.Green") in edges(sources)


def test_types_and_values_of_one_name_are_told_apart() -> None:
    sources = {
        "src/base.ml": """module Types = struct
  type state = Open
end
module Values = struct
  let state x = x
end
include Types
include Values
let f (x : state) = state x
""",
        "src/use.ml": """type push = { a : int }
let p = 1
let g (x : Base.state) = Base.state x
let h () =
  let s, push = f () in
  let (q, Some p) = g () in
  push (s + p)
let r : push = { a = p }
let t () = push 1
""",
    }
    found = {(at, target) for at, kind, target in edges(sources) if kind != "imports"}
    values = "src/base.ml::Values.state"
    assert {target for at, target in found if at == "src/base.ml:9"} == {
        "src/base.ml::Types.state",
        values,
    }
    assert ("src/use.ml:3", values) in found
    assert {at for at, target in found if target == "src/use.ml::push"} == {"src/use.ml:8"}
    assert {at for at, target in found if target == "src/use.ml::p"} == {"src/use.ml:8"}


def test_a_module_in_an_outer_folder_is_nearer_than_one_beside() -> None:
    sources = {
        "test/core/a.ml": "open Test\n",
        "test/ppx/test.ml": "let p = 1\n",
        "test/test.ml": "let q = 1\n",
    }
    assert ("test/core/a.ml:1", "imports", "test/test.ml") in edges(sources)
