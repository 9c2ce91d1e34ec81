"""What names in Ruby refer to."""

from __future__ import annotations

import pytest

from codeindex.ingest.parse.parser import parse_text
from codeindex.languages import LANGUAGES
from codeindex.types import SafeText
from tests.unit.graph.related import calls, dependencies, edges, lines_called

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


def test_bases_and_included_modules() -> None:
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


_REOPENED = {
    "lib/core.rb": "module Shop\n  class Cart\n    def total = 1\n  end\nend\n",
    "lib/taxes.rb": (
        "module Shop\n  class Cart\n    include Rates\n    def taxes = 2\n  end\n"
        "  module Rates\n    def rate\n      total\n    end\n  end\nend\n"
    ),
    "lib/app.rb": (
        "cart = Shop::Cart.new\ncart.total\ncart.taxes\ncart.rate\nShop::Rates::None.go\n"
    ),
}


def test_a_class_has_the_members_of_all_files_that_define_it() -> None:
    assert calls(_REOPENED, "lib/app.rb") >= {
        (2, "lib/core.rb::Shop.Cart.total"),
        (3, "lib/taxes.rb::Shop.Cart.taxes"),
        (4, "lib/taxes.rb::Shop.Rates.rate"),
    }


def test_a_module_calls_members_of_the_classes_that_include_it() -> None:
    assert (8, "lib/core.rb::Shop.Cart.total") in calls(_REOPENED, "lib/taxes.rb")


def test_code_uses_no_definition_of_a_test() -> None:
    sources = {"test/a.rb": "class Cart\n  def add = 1\nend\n", "lib/b.rb": "Cart.new.add\n"}
    assert calls(sources, "lib/b.rb") == {(1, "?add")}


def test_methods_of_a_class_and_of_its_instances_may_have_one_name() -> None:
    text = """
    class Page
      class << self
        def parse(text)
          new(text).parse(text)
        end
      end
      def self.other = parse("")
      def parse(text)
        self
      end
      def again = parse("")
    end
    Page.parse("").parse("")
    """
    assert lines_called({"a.rb": text}, "a.rb") >= {
        (5, ("resolved", 9)),
        (8, ("resolved", 4)),
        (12, ("resolved", 9)),
        (14, ("resolved", 4)),
        (14, ("resolved", 9)),
    }


def test_a_method_with_two_definitions_in_a_class_counts_as_one() -> None:
    text = "module M\n  if X\n    def self.a = 1\n  else\n    def self.a = 2\n  end\nend\nM.a\n"
    assert lines_called({"a.rb": text}, "a.rb") == {(8, ("resolved", 3))}


def test_two_files_that_define_one_method_are_a_set() -> None:
    sources = {
        "a.rb": "class A\n  def f = 1\nend\n",
        "b.rb": "class A\n  def f = 2\nend\n",
        "c.rb": "A.new.f\n",
    }
    certainties = {certainty for _, (certainty, _) in lines_called(sources, "c.rb")}
    assert certainties == {"resolved", "ambiguous"}  # the class, and its method


def test_tests_see_functions_and_attributes_of_the_tests_around_them() -> None:
    text = """
    require "helper"

    describe Cart do
      def make = Cart.new
      before { @item = Cart.new }
      it "adds" do
        make.add
        @item.add
      end
      describe "of a shop" do
        before { @item = Shop.new }
        it("adds") { make; @item.add; helped }
      end
    end
    """
    shop = "\n\nclass Cart\n  def add = 1\nend\nclass Shop\n  def add = 2\nend\n"
    helper = "module Help\n  def helped = 1\nend\nRSpec.configure do |c|\n  c.include Help\nend\n"
    sources = {"spec/a_spec.rb": text, "spec/helper.rb": helper, "lib/shop.rb": shop}
    assert lines_called(sources, "spec/a_spec.rb") >= {
        (8, ("resolved", 5)),
        (8, ("resolved", 4)),
        (9, ("resolved", 4)),
        (13, ("resolved", 5)),
        (13, ("resolved", 7)),
        (13, ("resolved", 2)),
    }


@pytest.mark.parametrize("base", ["Minitest::Test", "ActiveSupport::TestCase"])
def test_tests_call_what_the_repository_adds_to_the_assertions_of_minitest(base: str) -> None:
    sources = {
        "test/helper.rb": "module Minitest::Assertions\n  def assert_it = 1\nend\n",
        "test/a_test.rb": f"class ATest < {base}\n  def test_a = assert_it\nend\n",
    }
    target = "test/helper.rb::Minitest.Assertions.assert_it"
    assert calls(sources, "test/a_test.rb") == {(2, target)}


def test_a_module_that_extends_its_includers_gives_them_class_methods() -> None:
    text = """
    module Countable
      def self.included(base)
        base.extend Counting
      end
      module Counting
        def counted = 1
      end
    end
    class A
      include Countable
      counted
    end
    """
    assert (12, ("resolved", 7)) in lines_called({"a.rb": text}, "a.rb")


def test_fields_of_a_struct_without_a_name_are_no_members_of_the_module_around_it() -> None:
    source = """module Shop
  def self.pay
    Struct.new(:output).new(1)
  end
  Bill = Struct.new(:total)
  def run
    output
    total
  end
end
"""
    symbols = parse_text(LANGUAGES["ruby"], SafeText(source)).symbols
    names = {symbol.qualified for symbol in symbols}
    assert "Shop.Bill.total" in names
    assert "Shop.output" not in names


def test_a_base_type_may_be_a_constant_of_an_earlier_base_type() -> None:
    found = calls(
        {
            "lib/a.rb": """class Base
  module Helpers
    def help; end
  end
  module Tools
    def work; end
  end
end
class Job < Base
  include Helpers
  include Tools
  def run
    help
    work
  end
end
"""
        },
        "lib/a.rb",
    )
    assert found >= {(13, "lib/a.rb::Base.Helpers.help"), (14, "lib/a.rb::Base.Tools.work")}


def test_edges_depend_on_files_of_base_types_that_another_file_asked_for_before() -> None:
    sources = {
        "lib/model.rb": "class Model\n  include Helpers, Mixin\nend\n",
        "lib/mixin.rb": "Mixin = Helpers\n",
        "lib/helpers.rb": "module Helpers\n  def help; end\nend\n",
        "app/cart.rb": "class Cart < Model\n  def run\n    help\n  end\nend\n",
        "app/order.rb": "class Order < Model\n  def run\n    help\n  end\nend\n",
    }
    alone = dependencies(sources, "app/order.rb")
    assert alone >= {"lib/model.rb", "lib/mixin.rb", "lib/helpers.rb"}
    assert dependencies(sources, "app/order.rb", after="app/cart.rb") == alone
    assert calls(sources, "app/order.rb") == {(3, "lib/helpers.rb::Helpers.help")}


def test_blocks_that_define_a_name_have_the_type_of_their_last_value() -> None:
    sources = {
        "lib/shop.rb": (
            "module Shop\n  class << self\n    def new(url)\n      Shop::Cart.new(url)\n    end\n"
            "  end\nend\n"
        ),
        "lib/shop/cart.rb": "module Shop\n  class Cart\n    def pay(x); end\n  end\nend\n",
        "spec/shop_spec.rb": (
            "RSpec.describe Shop do\n  let(:cart) do\n    x = 1\n    Shop.new { |b| b.y }\n  end\n"
            "  subject { Shop::Cart.new }\n  let(:unknown) { other }\n"
            "  it 'pays' do\n    cart.pay(1)\n    subject.pay(2)\n    unknown.pay(3)\n  end\nend\n"
        ),
    }
    found = {edge for edge in calls(sources, "spec/shop_spec.rb") if edge[0] in {4, 9, 10, 11}}
    assert found == {
        *((4, "lib/shop.rb::Shop.new"), (4, "?y")),
        *((9, "spec/shop_spec.rb::Shop.cart"), (9, "lib/shop/cart.rb::Shop.Cart.pay")),
        *((10, "spec/shop_spec.rb::Shop.subject"), (10, "lib/shop/cart.rb::Shop.Cart.pay")),
        *((11, "spec/shop_spec.rb::Shop.unknown"), (11, "?pay")),
    }


def test_a_described_class_is_not_its_group_of_tests() -> None:
    sources = {
        "lib/shop/cart.rb": "module Shop\n  class Cart\n    def total\n    end\n  end\nend\n",
        "spec/cart_spec.rb": "module Shop\n  describe Cart do\n    it 'sums' do\n"
        "      Cart.new.total\n    end\n  end\nend\n",
        "spec/shop_spec.rb": "describe 'all' do\n  it 'sums' do\n"
        "    Shop::Cart.new.total\n  end\nend\n",
    }
    found = edges(sources)
    assert ("spec/cart_spec.rb:2", "references", "lib/shop/cart.rb::Shop.Cart") in found
    for at in ("spec/cart_spec.rb:4", "spec/shop_spec.rb:3"):
        assert (at, "calls", "lib/shop/cart.rb::Shop.Cart") in found
        assert (at, "calls", "lib/shop/cart.rb::Shop.Cart.total") in found


_INCLUDED = """\
class Base
  def size = 1
end
module First
  def size = 2
end
module Last
  def size = 3
end
class Cart < Base
  include First
  include Last
end
Cart.new.size
"""


def test_the_module_that_is_included_last_precedes_others_and_the_superclass() -> None:
    assert (14, "cart.rb::Last.size") in calls({"cart.rb": _INCLUDED}, "cart.rb")


def test_a_type_itself_and_its_instances_have_members_of_their_own() -> None:
    text = """module Party
  def self.included(base)
    base.extend ClassMethods
  end
  module ClassMethods
    def get = 1
  end
  def self.get = 2
  def help = get
end
module Helper
  def assist = 1
end
class Rep
  include Party
  extend Helper
  def run = assist
  def self.go = assist
end
class Small < Rep
  class << self
    include Helper
    attr_reader :size
    alias magnitude size
  end
  scope :paid, -> { 1 }
end
Rep.get
Rep.help
Rep.new.help
Rep.new.get
Small.assist
Small.new.run
Small.run
Small.new.go
Small.size
Small.magnitude
Small.new.size
Small.paid
"""
    found = lines_called({"a.rb": text}, "a.rb")
    certain = {(line, at) for line, (how, at) in found if how == "resolved"}
    classes = {(30, 14), (31, 14), (33, 20), (35, 20), (38, 20)}
    members = {(28, 6), (30, 9), (32, 12), (33, 17), (36, 23), (37, 24), (39, 26)}
    assert certain - classes == {(18, 12), *members}
    extends = {(at, target) for at, kind, target in edges({"a.rb": text}) if kind == "extends"}
    assert extends == {("a.rb:15", "a.rb::Party"), ("a.rb:20", "a.rb::Rep")}


def test_a_concern_gives_its_includers_its_own_methods() -> None:
    text = """module Tagged
  extend ActiveSupport::Concern
  class_methods do
    def tagged = 1
  end
  included do
    def self.late = 2
  end
end
class Post
  include Tagged
  tagged
end
Post.late
"""
    found = lines_called({"a.rb": text}, "a.rb")
    assert {(12, ("resolved", 4)), (14, ("resolved", 7))} <= found


def test_a_path_that_begins_with_colons_is_no_constant_of_the_module_around() -> None:
    text = """class Logger
end
module Party
  class Logger
  end
  ::Logger.new
  Logger.new
end
"""
    found = lines_called({"a.rb": text}, "a.rb")
    assert found == {(6, ("resolved", 1)), (7, ("resolved", 4))}


def test_an_assignment_to_a_member_calls_its_setter() -> None:
    text = """class Mail
  attr_accessor :size
  def from(value = nil) = 1
  def from=(value)
    @from = value
  end
  def go
    self.from = 2
    self.size += 3
    from
  end
end
mail = Mail.new
mail.from = 1
mail.from
mail.size = 2
other.from = 3
Mail.all = 4
mail.from, mail.size = 5, 6
"""
    found = lines_called({"a.rb": text}, "a.rb")
    certain = {(line, at) for line, (how, at) in found if how == "resolved"}
    in_class, outside = {(8, 4), (9, 2), (10, 3)}, {(13, 1), (14, 4), (15, 3), (16, 2)}
    assert certain == in_class | outside | {(19, 4), (19, 2)}
    assert (17, "?from") in calls({"a.rb": text}, "a.rb")
    assert (18, "a.rb::Mail") not in calls({"a.rb": text}, "a.rb")
