"""Read edges in SQL: which symbols and files use which others.

In: a catalog connection and ids of symbols and files. Out: edges, links, adjacency. It never
resolves a name; `codeindex.graph` writes the edges.
"""
