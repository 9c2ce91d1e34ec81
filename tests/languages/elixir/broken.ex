defmodule Shop.Broken do
  @limit 3

  def first(list), do: hd(list)

  def second([_, value | _) do
    value
  end

  @doc "The last one."
  def last(list), do: List.last(list)
end
