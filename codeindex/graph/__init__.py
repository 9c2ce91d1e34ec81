"""Resolve uses and imports of files to definitions: the edges of the graph.

In: relations of each file, as the parser wrote them. Out: resolved and ambiguous edges.
It never parses source text; questions about edges are in `analysis.relations`.
"""
