"""Caches on disk, implemented with diskcache; deleting one costs time, but changes no answer.

In: keys with bytes or vectors. Out: {key: value} of the keys that have a valid, unexpired value.
Only this package imports diskcache.
"""
