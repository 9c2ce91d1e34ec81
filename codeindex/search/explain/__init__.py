"""Explain why a result has its rank, and why a file or symbol is missing.

In: a question, and a result or a path. Out: the ranker's sum by feature.
It repeats the steps of a search and changes none.
"""
