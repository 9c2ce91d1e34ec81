"""Measure search quality on questions made from a repository's commits and docstrings.

In: an opened index. Out: NDCG, MRR and recall with confidence intervals, or tuned rank weights.
Questions are searched as users search, and the package never changes the search pipeline.
"""
