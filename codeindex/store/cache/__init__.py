"""Caches on disk (diskcache), never needed for a right answer; each can be deleted.

In: keys and bytes, JSON or vectors. Out: the same, or None when absent, expired or damaged.
Only this package knows diskcache.
"""
