"""Reports about code: one question per module, answered from the catalog and the graph.

In: a catalog connection and the subject of a question. Out: frozen reports.
It never writes an index, parses source or ranks search results. Its folders depend on each other
in this order: relations, then outline and change, then repository, then overview.
"""
