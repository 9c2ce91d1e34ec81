"""Read edges in SQL: which symbols and files use which.

In: a catalog connection and ids of symbols and files. Out: edges, links, adjacency.
It never resolves a name; `codeindex.graph` writes the edges.
"""
