"""Analyse the text of a query: type, terms, relation, scope and stack frames.

In: the query's text. Out: a classification, a query plan, a parsed relation, stack frames.
It imports neither the store nor the search.
"""
