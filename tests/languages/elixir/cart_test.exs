defmodule Shop.CartTest do
  use ExUnit.Case, async: true

  alias Shop.Cart

  @owner "ada"

  setup do
    {:ok, cart: %Cart{owner: @owner}}
  end

  describe "add/3" do
    test "puts an item into the cart", %{cart: cart} do
      assert Cart.add(cart, :item).items == [:item]
    end

    @tag :slow
    test "refuses negative counts" do
      assert_raise FunctionClauseError, fn -> Cart.add(:cart, :item, -1) end
    end
  end

  property "totals never shrink" do
    check all(items <- list_of(item())), do: assert(total(items) >= 0)
  end

  test "not written yet"

  defp total(items), do: items |> Enum.count()
end
