"""Store an index on disk: catalog, segments, caches, locks, sessions.

In and out: rows and arrays. All SQL of the program is in this package. It contains no rules of
programming languages and does not interpret queries.
"""
