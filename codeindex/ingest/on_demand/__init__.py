"""Read files outside a sync: the work tree, a commit, a review of the secrets.

In: a root and paths or a commit. Out: prepared files, texts, findings; nothing is stored.
It uses the stages of ingest and does not know the catalog.
"""
