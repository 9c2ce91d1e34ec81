"""Derive facts that need all files: patterns, document mentions, history, statistics.

In: the files in the catalog, and git. Out: rows of the catalog and the token segment.
It reads no file of the tree and knows neither discovery nor workers.
"""
