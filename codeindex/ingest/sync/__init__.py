"""Sync stages: plan, write the catalog, compute statistics, embed, repair, replace.

In: the root, and files that the worker pool prepared. Out: one published generation.
It holds the writer lock and never answers a question.
"""
