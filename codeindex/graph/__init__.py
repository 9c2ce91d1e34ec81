"""Resolve uses and imports in files to definitions; the results are the edges of the graph.

In: the relations of each file, as the parser extracted them. Out: resolved and ambiguous edges. It
never parses source text; `analysis.relations` answers questions about edges.
"""
