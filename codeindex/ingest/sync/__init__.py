"""Run a sync: plan, prepare in workers, write the catalog, embed, export; repair and replace.

In: a `SyncContext`. Out: published generations of the catalog and a `SyncReport`.
It holds the writer lock and does not know how an index is searched.
"""
