"""Find the files of a tree that changed since the last sync.

In: the root and the stored stats. Out: changed, added and removed paths.
It never reads the content of an unchanged file and never writes the catalog.
"""
