"""Answers about code: one question a module, asked of the catalog and the graph.

In: a catalog connection and the subject of a question. Out: frozen reports.
It never writes, parses, ranks or reads requests of a surface.
"""
