# A queue with a capacity.
mutable struct Queue{T}
    const capacity::Int
    items::Vector{T}
    function Queue{T}(capacity::Int) where {T}
        capacity > 0 || throw(ArgumentError("capacity"))
        new{T}(capacity, T[])
    end
end

struct Full <: Exception end

const DEFAULT_CAPACITY = 16
const Names = Vector{String}

Queue(items::Vector{T}; capacity = DEFAULT_CAPACITY) where {T} = Queue{T}(capacity)

"""
    push!(queue, item)

Append an item; `Full` if there is no room.
"""
function Base.push!(queue::Queue{T}, item::T)::Queue{T} where {T}
    length(queue.items) < queue.capacity || throw(Full())
    push!(queue.items, item)
    return queue
end

Base.isempty(queue::Queue) = isempty(queue.items)
Base.:(==)(a::Queue, b::Queue) = a.items == b.items

module Metrics
    export depth
    depth(queue) = length(queue.items)
    macro timed(block)
        quote
            $(esc(block))
        end
    end
end
