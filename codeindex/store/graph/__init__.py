"""Read edges: who uses what, one page or one whole level at a time, in SQL.

In: a catalog connection and ids of symbols and files. Out: edges, links, adjacency.
It never resolves a name; `codeindex.graph` writes the edges.
"""
