defprotocol Shop.Countable do
  @doc "How many things are in it?"
  @spec count(t) :: non_neg_integer
  def count(container)
end

defimpl Shop.Countable, for: Shop.Cart do
  def count(%{items: items}), do: length(items)
end

defimpl Shop.Countable, for: [List, Map] do
  def count(container), do: Enum.count(container)
end

defmodule Shop.Container do
  @doc """
  Called before a container is thrown away.
  """
  @callback discard(container :: term, opts) :: :ok | {:error, term} when opts: keyword
  @callback capacity() :: pos_integer
  @macrocallback describe(name :: atom) :: Macro.t()
  @optional_callbacks capacity: 0

  defmacro __using__(_opts) do
    quote do
      @behaviour Shop.Container

      def capacity, do: 10
      defoverridable capacity: 0
    end
  end
end

defmodule Shop.Repo.Item do
  use Ecto.Schema

  schema "items" do
    field :name, :string
    belongs_to :shop, Shop.Repo.Shop
    timestamps()
  end

  defp normalise(text) when is_binary(text), do: String.trim(text)
  defp normalise(other), do: other

  def changeset(item, attrs) do
    upcase = fn text -> String.upcase(text) end
    item |> cast(attrs, [:name]) |> update_change(:name, upcase)
  end
end
