"""Build a published index from a work tree.

In: a root and its configuration. Out: a new generation of the catalog and its segments. Stages:
discover, read, parse, chunk, workers, sync. It answers no question.
"""
