"""What names in Ruby refer to."""

from __future__ import annotations

from tests.unit.graph.related import calls, edges

_SOURCES = {
    "lib/shop.rb": """require "shop/cart"
require_relative "shop/util"
module Shop
  autoload :Lazy, "shop/lazy"
  def self.open; end
end
""",
    "lib/shop/cart.rb": """module Shop
  class Cart < Base
    include Util
    attr_reader :items
    def initialize
      @items = Items.new
    end
    def add(item)
      total
      help
      show
      self.total
      @items.push(item)
      items.push(item)
    end
    def total; end
    def self.create
      new
    end
  end
  class Base
    def show; end
  end
  class Items
    def push(one); end
  end
end
""",
    "lib/shop/util.rb": "module Shop\n  module Util\n    def help; end\n  end\nend\n",
    "lib/shop/order_line.rb": "module Shop\n  class OrderLine\n    def run; end\n  end\nend\n",
    "lib/other/cart.rb": "module Other\n  class Cart\n    def total; end\n  end\nend\n",
}


def _app(body: str, before: str = 'require "shop"') -> set[str]:
    sources = {**_SOURCES, "bin/app.rb": f"{before}\ndef main(cart)\n{body}\nend\n"}
    return {target for at, _, target in edges(sources) if at.startswith("bin/app.rb:3")}


def test_required_files() -> None:
    all_edges = edges(_SOURCES)
    assert ("lib/shop.rb:1", "imports", "lib/shop/cart.rb") in all_edges
    assert ("lib/shop.rb:2", "imports", "lib/shop/util.rb") in all_edges


def test_members_own_inherited_and_included() -> None:
    cart = "lib/shop/cart.rb::Shop"
    assert calls(_SOURCES, "lib/shop/cart.rb") == {
        (6, f"{cart}.Items"),
        (9, f"{cart}.Cart.total"),
        (10, "lib/shop/util.rb::Shop.Util.help"),
        (11, f"{cart}.Base.show"),
        (12, f"{cart}.Cart.total"),
        (13, f"{cart}.Items.push"),
        (14, f"{cart}.Cart.items"),
        (14, f"{cart}.Items.push"),
    }


def test_bases_and_what_is_included() -> None:
    all_edges = edges(_SOURCES)
    assert ("lib/shop/cart.rb:2", "extends", "lib/shop/cart.rb::Shop.Base") in all_edges
    assert ("lib/shop/cart.rb:3", "extends", "lib/shop/util.rb::Shop.Util") in all_edges


def test_constants_and_their_instances() -> None:
    cart = "lib/shop/cart.rb::Shop.Cart"
    assert _app("Shop::Cart.new.total") == {cart, f"{cart}.total"}
    assert _app("one = Shop::Cart.new; one.total") == {cart, f"{cart}.total"}
    assert f"{cart}.create" in _app("Shop::Cart.create")
    assert "lib/shop.rb::Shop.open" in _app("Shop.open")


def test_a_constant_is_found_by_the_name_of_its_file() -> None:
    assert _app("Shop::OrderLine.new.run", before="") == {
        "lib/shop/order_line.rb::Shop.OrderLine",
        "lib/shop/order_line.rb::Shop.OrderLine.run",
    }


def test_a_local_hides_a_method() -> None:
    assert _app("main = 1; main") == set()


def test_a_method_of_something_unknown() -> None:
    assert _app("cart.total") == {"?total"}


def test_a_base_type_of_another_package_is_named_with_its_path() -> None:
    found = edges({"lib/a.rb": "class Lines < Dry::Logger::Text\nend\n"})
    assert ("lib/a.rb:1", "extends", "Dry.Logger.Text") in found
