"""Read symbols: by name, path, id, declaration and complexity.

In: a catalog connection and names or ids. Out: `Node` and small row types.
`store.graph` reads the uses of a symbol.
"""
