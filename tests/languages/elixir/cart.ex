defmodule Shop.Cart do
  @moduledoc """
  A shopping cart and its totals.

  Carts are plain structs.
  """

  use GenServer
  alias Shop.{Item, Price}
  require Logger

  @behaviour Shop.Container
  @timeout 5_000
  @vat Decimal.new("0.19")

  @typedoc "Anything that can be counted."
  @type quantity :: non_neg_integer()
  @type t :: %__MODULE__{items: [Item.t()], owner: String.t() | nil}
  @opaque handle(kind) :: {kind, reference()}
  @typep line :: {Item.t(), quantity}

  @enforce_keys [:owner]
  defstruct [:owner, items: [], coupons: []]

  defmodule EmptyError do
    @moduledoc false
    defexception message: "the cart is empty"
  end

  defguard is_quantity(value) when is_integer(value) and value >= 0
  defguardp is_line(value) when is_tuple(value)

  @doc """
  Start a cart process.

  ## Options

    * `:owner` - who pays
  """
  @spec start_link(keyword()) :: GenServer.on_start()
  def start_link(opts \\ []) do
    GenServer.start_link(__MODULE__, opts, name: opts[:name])
  end

  @doc "Add `item` to the cart."
  @doc since: "1.2.0"
  @spec add(t, Item.t(), quantity) :: t
  def add(cart, item, count \\ 1)

  def add(%__MODULE__{} = cart, _item, 0), do: cart

  def add(%__MODULE__{items: items} = cart, %Item{} = item, count)
      when is_quantity(count) do
    %{cart | items: [{item, count} | items]}
  end

  # Totals are computed, never stored.
  def total(%__MODULE__{items: []}), do: Price.zero()
  def total(%__MODULE__{items: items}) do
    items |> Enum.map(&line_total/1) |> Enum.reduce(Price.zero(), &Price.add/2)
  end

  defp line_total({item, count}), do: Price.times(item.price, count)

  @impl true
  def init(opts), do: {:ok, %__MODULE__{owner: opts[:owner]}}

  @impl GenServer
  def handle_call(:total, _from, cart) do
    {:reply, total(cart), cart}
  end

  def handle_call({:add, item}, _from, cart) do
    {:reply, :ok, add(cart, item)}
  end

  @impl GenServer
  def handle_info(_message, cart), do: {:noreply, cart}

  @doc false
  def child_spec(opts), do: %{id: __MODULE__, start: {__MODULE__, :start_link, [opts]}}

  def left ~> right, do: add(left, right)
  def empty?(%{items: items}), do: items == []
  def clear!(cart), do: %{cart | items: []}
  def count, do: 0

  defdelegate price(item), to: Item
  defdelegate fetch(term, key), to: Map, as: :fetch!

  defmacro total_of(do: block) do
    quote do
      unquote(block) |> Shop.Cart.total()
    end
  end

  defmacrop log(message), do: quote(do: Logger.debug(unquote(message)))

  for {name, value} <- [small: 1, large: 10] do
    def unquote(:"#{name}_size")(), do: unquote(value)
  end

  if Mix.env() == :test do
    def __reset__, do: :ok
  end
end
