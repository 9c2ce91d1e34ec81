module Broken
"Sound."
function first(x)
    x + 1
end
function torn(x)
    y = (x,
end
struct Whole
    a::Int
end
last(y) = y
end
