"""Understand the text of a query without an index.

In: the query's text. Out: its kind, terms, relation, scope, stack frames.
It imports neither the store nor the search.
"""
