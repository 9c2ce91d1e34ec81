"""What names in Haskell and Zig refer to."""

from __future__ import annotations

from tests.unit.graph.related import calls, edges


def test_haskell_modules() -> None:
    cart = "src/Shop/Cart.hs"
    sources = {
        cart: """module Shop.Cart (add) where
data Cart = Full Int | Empty { size :: Int }
add :: Cart -> Cart
add cart = check cart
check :: Cart -> Cart
check check' = check'
""",
        "src/Other/Cart.hs": "module Other.Cart where\nadd :: Int\nadd = 1\n",
        "src/Main.hs": """module Main where
import Shop.Cart
import qualified Other.Cart as O
import Data.List (sort)
main = add (Full 1)
two = O.add
three add = add 2
four = sort (size Empty)
""",
    }
    all_edges = edges(sources)
    assert ("src/Main.hs:2", "imports", cart) in all_edges
    assert calls(sources, cart) == {(4, f"{cart}::Shop.Cart.check")}
    assert ("src/Main.hs:5", "calls", f"{cart}::Shop.Cart.add") in all_edges
    assert ("src/Main.hs:5", "calls", f"{cart}::Shop.Cart.Cart.Full") in all_edges
    assert ("src/Main.hs:6", "references", "src/Other/Cart.hs::Other.Cart.add") in all_edges
    assert not [edge for edge in all_edges if edge[0] == "src/Main.hs:7"]
    assert ("src/Main.hs:8", "calls", f"{cart}::Shop.Cart.Cart.size") in all_edges


def test_haskell_instances_and_derived_classes() -> None:
    sources = {
        "src/Shop/Shape.hs": "module Shop.Shape where\nclass Shape a where\n  area :: a -> Int\n",
        "src/Main.hs": """module Main where
import Shop.Shape
import qualified Shop.Shape as S
data Tree = Tree Int
instance Shape Tree where
  area t = 2
instance Shape a => Shape [a]
deriving instance S.Shape Bool
newtype W = W Int
  deriving stock (Show, Eq)
  deriving anyclass (Shape, Other)
data D = D deriving Shape
""",
    }
    extended = [
        place
        for place, kind, target in edges(sources)
        if kind == "extends" and "Shop.Shape.Shape" in target
    ]
    assert sorted(extended) == [f"src/Main.hs:{line}" for line in (11, 12, 5, 7, 8)]


def test_zig_files_and_containers() -> None:
    sources = {
        "src/main.zig": """const cart = @import("cart.zig");
const Cart = @import("cart.zig").Cart;
const File = @import("File.zig");
fn main(file: *File) void {
    cart.open();
    var one = Cart.init(1);
    one.add();
    one.item.run();
    file.read();
    thing.add();
}
""",
        "src/cart.zig": """pub const Item = struct { pub fn run(self: *Item) void {} };
pub const Cart = struct {
    item: Item,
    pub fn init(n: u8) Cart { return .{}; }
    pub fn add(self: *Cart) void { self.check(); }
    fn check(self: *Cart) void {}
};
pub fn open() void {}
""",
        "src/File.zig": "const File = @This();\nsize: u8,\npub fn read(self: *File) void {}\n",
    }
    cart = "src/cart.zig"
    assert ("src/main.zig:1", "imports", cart) in edges(sources)
    assert calls(sources, cart) == {(5, f"{cart}::Cart.check")}
    assert calls(sources, "src/main.zig") == {
        (5, f"{cart}::open"),
        (6, f"{cart}::Cart.init"),
        (7, f"{cart}::Cart.add"),
        (8, f"{cart}::Item.run"),
        (9, "src/File.zig::read"),
        (10, "?add"),
    }
