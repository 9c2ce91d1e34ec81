"""Measure search quality on the repository's own commits and docstrings; tune rank weights.

In: an opened index. Out: NDCG, MRR and recall with confidence intervals, or new weights. It runs
searches as users do and never changes the pipeline.
"""
