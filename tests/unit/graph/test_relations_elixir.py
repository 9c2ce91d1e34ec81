"""What names in Elixir refer to."""

from __future__ import annotations

import pytest

from codeindex.ingest.parse.parser import parse_text
from codeindex.languages import LANGUAGES
from codeindex.types import SafeText
from tests.unit.graph.related import calls, edges, lines_called


def test_elixir_modules() -> None:
    cart = "lib/shop/cart.ex"
    sources = {
        cart: """defmodule Shop.Cart do
  def add(item), do: check(item)
  defp check(item), do: item
  def total(cart), do: __MODULE__.add(cart)
end
""",
        "lib/shop/util.ex": "defmodule Shop.Util do\n  def help(x), do: x\nend\n",
        "lib/other/cart.ex": "defmodule Other.Cart do\n  def add(x), do: x\nend\n",
        "lib/app.ex": """defmodule App do
  alias Shop.{Cart, Util}
  import Shop.Util
  alias Other.Cart, as: Basket
  def main(x) do
    Cart.add(x) |> Shop.Cart.total()
    help(x)
    Basket.add(x)
    x.add(1)
    unknown(x)
  end
end
""",
    }
    assert ("lib/app.ex:2", "imports", cart) in edges(sources)
    assert calls(sources, cart) == {
        (2, f"{cart}::Shop.Cart.check"),
        (4, f"{cart}::Shop.Cart.add"),
    }
    assert calls(sources, "lib/app.ex") == {
        (6, f"{cart}::Shop.Cart.add"),
        (6, f"{cart}::Shop.Cart.total"),
        (7, "lib/shop/util.ex::Shop.Util.help"),
        (8, "lib/other/cart.ex::Other.Cart.add"),
        (9, "?add"),
    }


def test_import_does_not_bring_private_functions() -> None:
    query = "lib/shop/query.ex"
    sources = {
        query: """defmodule Shop.Query do
  defmacro from(expr), do: field(1, expr)
  defp field(ix, field), do: {ix, field}
  def field(only), do: only
  defmacrop hidden(x), do: x
end
""",
        "lib/post.ex": """defmodule Post do
  use Other.Schema
  import Shop.Query
  field :title, :string
  from(1)
  field(2)
  hidden(3)
end
""",
    }
    assert calls(sources, query) == {(2, f"{query}::Shop.Query.field")}
    found = calls(sources, "lib/post.ex")
    assert (5, f"{query}::Shop.Query.from") in found
    assert (6, f"{query}::Shop.Query.field") in found
    assert not [target for line, target in found if line in {4, 7} and query in target]


def test_functions_that_are_called_by_name() -> None:
    log = "lib/shop/log.ex"
    sources = {
        log: "defmodule Shop.Log do\n  def save(a), do: a\n  def close(a), do: a\nend\n",
        "lib/app.ex": """defmodule App do
  alias Shop.Log
  def run(deps, module, token) do
    call(deps.log, :close, [token])
    call(deps.log, :save)
    apply(module, :save, [token])
    apply(Log, :save, [token])
    apply(__MODULE__, :run, [deps, module, token])
    Task.start(Log, :save, [token])
    {Log, :close, []}
    Keyword.get(token, :save, [])
  end
end
""",
    }
    assert calls(sources, "lib/app.ex") == {
        (4, "?close"),
        (5, "?save"),
        (6, "?save"),
        (7, f"{log}::Shop.Log.save"),
        (8, "lib/app.ex::App.run"),
        (9, "?start"),
        (11, "?get"),
    }
    named = {edge for edge in edges(sources) if edge[1] == "references"}
    assert ("lib/app.ex:9", "references", f"{log}::Shop.Log.save") in named
    assert ("lib/app.ex:10", "references", f"{log}::Shop.Log.close") in named
    assert not any(place == "lib/app.ex:11" for place, _, _ in named)


_CARD = "lib/card.ex"
_CHARGES = """defmodule Card do
  import Money
  import Bank
  def charge(card), do: charge(card, 1)
  def charge(card, count) when count > 0, do: card
  # nothing to pay
  def charge(card, _count), do: card
  def open(card, limit \\\\ 100, currency \\\\ "EUR, or (none)")
  def open(_card, 0, _currency), do: :ok
  defmacro within(limit, do: block), do: {limit, block}
  defp round(amount, digits), do: {amount, digits}
  def empty, do: nil
  @callback pay(term, term) :: term
  def pay(module), do: module
  def used(card) do
    card |> charge()
    card |> charge(2)
    card |> Card.charge()
    Enum.map([card], &charge/2)
    Enum.map([card], &Card.charge/1)
    open(card)
    card |> open(1, "USD")
    open()
    within 5 do
      round(1)
      round(1, 2)
      round(1, 2, 3)
    end
    Card.empty
    Card.charge(unquote_splicing(card))
    pay(1, 2)
    pay(1)
  end
end
"""
_IMPORTED = {
    "lib/money.ex": "defmodule Money do\n  def round(x, y, z), do: {x, y, z}\nend\n",
    "lib/bank.ex": "defmodule Bank do\n  def round(amount), do: amount\nend\n",
}


def test_a_function_is_chosen_by_its_number_of_arguments() -> None:
    sources = {_CARD: _CHARGES, **_IMPORTED}
    called_in = lines_called(sources, _CARD)
    sure = {(line, at) for line, (certainty, at) in called_in if certainty == "resolved"}
    line = {name: _line(name) for name in ("charge(card)", "charge(card, c", "open(card,", "pay(m")}
    one, two = line["charge(card)"], line["charge(card, c"]
    assert {at for called, at in sure if called == one} == {two}
    first = _line("card |> charge()")
    assert [
        next((at for called, at in sorted(sure) if called == number), 0)
        for number in range(first, first + 7)
    ] == [one, two, one, 0, one, line["open(card,"], line["open(card,"]]
    assert not [at for called, at in sure if called == _line("    open()")]
    assert (_line("    within 5"), _line("defmacro within")) in sure
    assert (_line("round(1, 2)\n"), _line("defp round")) in sure
    assert (_line("    Card.empty"), _line("def empty")) in sure
    assert {each for number, each in called_in if number == _line("unquote")} == {
        ("ambiguous", one),
        ("ambiguous", two),
    }
    assert not [at for called, at in sure if called == _line("pay(1, 2)")]
    assert (_line("    pay(1)"), line["pay(m"]) in sure


def test_clauses_with_as_many_parameters_are_one_function() -> None:
    symbols = parse_text(LANGUAGES["elixir"], SafeText(_CHARGES), _CARD).symbols
    charges = [each for each in symbols if each.qualified == "Card.charge"]
    assert [(each.line, each.end_line) for each in charges] == [(4, 4), (5, 7)]
    assert [each.qualified for each in symbols].count("Card.open") == 1


def test_imported_functions_are_chosen_by_their_number_of_arguments() -> None:
    found = calls({_CARD: _CHARGES, **_IMPORTED}, _CARD)
    assert (_line("round(1)\n"), "lib/bank.ex::Bank.round") in found
    assert (_line("round(1, 2, 3)"), "lib/money.ex::Money.round") in found


def test_a_captured_function_is_referenced_by_its_arity() -> None:
    assert (f"{_CARD}:{_line('&charge/2')}", "references", f"{_CARD}::Card.charge") in edges(
        {_CARD: _CHARGES}
    )
    unknown = {_CARD: "defmodule Card do\n  def charge(a), do: a\n  def f, do: &charge/3\nend\n"}
    assert not edges(unknown)


def test_an_alias_of_the_module_itself_and_of_one_below() -> None:
    sources = {
        "lib/shop/cart.ex": """defmodule Shop.Cart do
  alias __MODULE__
  alias __MODULE__.{Item, Price}
  alias __MODULE__, as: Basket
  defmodule Item do
    def new(name), do: name
  end
  def add(item), do: item
  def main do
    Cart.add(Item.new(1))
    Price.of(1)
    Basket.add(1)
  end
end
""",
        "lib/shop/cart/price.ex": "defmodule Shop.Cart.Price do\n  def of(item), do: item\nend\n",
    }
    cart = "lib/shop/cart.ex"
    assert calls(sources, cart) == {
        (10, f"{cart}::Shop.Cart.add"),
        (10, f"{cart}::Shop.Cart.Item.new"),
        (11, "lib/shop/cart/price.ex::Shop.Cart.Price.of"),
        (12, f"{cart}::Shop.Cart.add"),
    }


@pytest.mark.parametrize(
    ("signature", "least", "most"),
    [
        ("def f", 0, 0),
        ("def f when g", 0, 0),
        ("def f, do: 1", 0, 0),
        ("def f()", 0, 0),
        ("def f(a)", 1, 1),
        ("def f a, b", 2, 2),
        ('def f("a, (b", c)', 2, 2),
        ('def f(?(, "\\", ", any?(x))', 3, 3),
        ('def f(<<"(", rest::binary>>, [a, b], {c, d})', 3, 3),
        ('def f(%{"a" => b, c: d} = e, fn x -> x end)', 2, 2),
        (r"defp f(a, b \\ [], c \\ {1, 2}) when a > 1", 1, 3),
        ("def f(a, b", 0, 255),
        ("@callback f(a) :: b", 1, 0),
    ],
)
def test_the_numbers_of_arguments_that_a_head_accepts(
    signature: str, least: int, most: int
) -> None:
    accepted = LANGUAGES["elixir"].accepted_arguments
    assert accepted
    found = accepted(signature, "f")
    assert (found.start, found.stop - 1) == (least, most) or (least > most and not found)


def _line(text: str) -> int:
    """Return the number of the only line of the sample that has a text."""
    assert _CHARGES.count(text) == 1, text
    return _CHARGES[: _CHARGES.index(text)].count("\n") + 1 + text.startswith("\n")


def test_delegates_call_their_target_and_imports_bring_only_what_they_list() -> None:
    sources = {
        "lib/store.ex": "defmodule Store do\n  def get(s, k), do: {s, k}\n  def get(s), do: s\n"
        "  def put(s), do: s\nend\n",
        "lib/api.ex": "defmodule Api do\n  import Store, only: [get: 2]\n"
        "  defdelegate put(s), to: Store\n  defdelegate get(s), to: Store\n"
        "  defdelegate fetch(s, k), to: Store, as: :get\n"
        "  def run(x) do\n    get(x, 1)\n    put(x)\n  end\nend\n",
        "lib/web.ex": "defmodule Web do\n  import Store, only: [get: 2]\n"
        "  def run(x), do: put(x)\nend\n",
    }
    assert calls(sources, "lib/api.ex") == {
        (3, "lib/store.ex::Store.put"),
        (4, "lib/store.ex::Store.get"),
        (7, "lib/store.ex::Store.get"),
        (8, "lib/api.ex::Api.put"),
    }
    assert calls(sources, "lib/web.ex") == set()


def test_modules_are_found_in_files_that_are_not_named_like_them() -> None:
    view = "lib/shop_web/views/user_view.ex"
    sources = {
        "lib/shop_web.ex": "defmodule ShopWeb do\n  def view, do: 1\nend\n",
        "lib/shop_web/controllers/user_controller.ex": "defmodule ShopWeb.UserController do\n"
        "  alias Shop.Nest.Inner\n  def index(c), do: ShopWeb.UserView.show(c)\n"
        "  def deep(c), do: Inner.deep(c)\nend\n",
        view: "defmodule ShopWeb.UserView do\n  def show(c), do: c\nend\n",
        "lib/n.ex": "defmodule Shop.Nest do\n  defmodule Inner do\n    def deep(x), do: x\n"
        "  end\nend\n",
        "test/support/n.ex": "defmodule Other.Nest do\n  def deep(x), do: x\nend\n",
    }
    assert calls(sources, "lib/shop_web/controllers/user_controller.ex") == {
        (3, f"{view}::ShopWeb.UserView.show"),
        (4, "lib/n.ex::Shop.Nest.Inner.deep"),
    }


def test_a_file_gets_the_imports_of_the_modules_that_it_uses() -> None:
    sources = {
        "lib/case.ex": """defmodule Shop.Case do
  alias Shop.Hidden
  defmacro __using__(_opts) do
    quote do
      use Shop.Base
      alias Shop.Cart
      import Shop.Case
      import Shop.Helpers, only: [help: 1]
    end
  end
  def run(a), do: a
  defp secret(a), do: a
end
""",
        "lib/base.ex": """defmodule Shop.Base do
  use ExUnit.CaseTemplate
  using do
    quote do
      import Shop.More
    end
  end
end
""",
        "lib/web.ex": """defmodule Web do
  def controller do
    quote do
      import Shop.More
    end
  end
  def view do
    quote do
      import Shop.Helpers
    end
  end
  defmacro __using__(which), do: apply(__MODULE__, which, [])
end
""",
        "lib/shop.ex": """defmodule Shop.More do
  def more(x), do: x
end
defmodule Shop.Helpers do
  def help(x), do: x
  def other(x), do: x
end
defmodule Shop.Cart do
  def add(x), do: x
end
defmodule Shop.Hidden do
  def no(x), do: x
end
""",
        "test/a_test.exs": """defmodule ATest do
  use Shop.Case, async: true
  def f(x) do
    x |> run()
    secret(x)
    help(1)
    other(1)
    more(2)
    Cart.add(3)
    Hidden.no(4)
    run(1, 2)
  end
end
""",
        "lib/page.ex": """defmodule Page do
  use Web, :controller
  def f(x) do
    more(x)
    help(x)
  end
end
""",
    }
    assert calls(sources, "test/a_test.exs") == {
        (4, "lib/case.ex::Shop.Case.run"),
        (6, "lib/shop.ex::Shop.Helpers.help"),
        (8, "lib/shop.ex::Shop.More.more"),
        (9, "lib/shop.ex::Shop.Cart.add"),
        (10, "?no"),
    }
    assert calls(sources, "lib/page.ex") == {(4, "lib/shop.ex::Shop.More.more")}
