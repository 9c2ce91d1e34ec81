"""Read files outside a sync: from the work tree or a commit, or to review their secrets.

In: a root and paths or a commit. Out: prepared files, texts, findings; nothing is stored. It uses
the stages of ingest and does not know the catalog.
"""
