"""
    Shop

A shop.
"""
module Shop

using ..Base: sum, map
using LinearAlgebra
using .Models: Cart, Item as Thing
import JSON.Parser
import Foo: bar
include("models.jl")
export add!, Cart

const LIMIT = 10

"An item."
abstract type AbstractItem <: Any end
primitive type Bits 8 end

# comment
Base.@kwdef mutable struct Cart{T<:Real} <: AbstractItem
    items::Vector{T}
    total::Float64 = 0.0
    Cart{T}(x) where {T} = new{T}(x, 0.0)
end
struct Point
    x
end

"""
Add one.
"""
function add!(cart::Cart, item; scale=1)::Cart
    x, y = f(item)
    push!(cart.items, item)
    for i in 1:10
        println(i)
    end
    if x > 1 && y
        helper(x)
    elseif y
        return cart
    end
    return cart
end
Base.show(io::IO, c::Cart) = print(io, c.total)
square(x) = x^2
function Base.length(c::Cart{T}) where T
    c.items |> length
end
macro check(ex)
    esc(ex)
end
f = x -> x + 1
@check square(2)
@testset "cart" begin
    @test square(2) == 4
end
@enum Color red green
function generic end
c = Cart{Int}(3)
map(v) do e
  e + 1
end
(+)(a::Point, b::Point) = a
==(a::Point, b::Int) = false
Base.:(==)(a::Point, b::Point) = a.x == b.x
function Base.:<(a::Point, b::Point)
    a.x < b.x
end
end
