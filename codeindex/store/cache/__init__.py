"""Keep caches on disk with diskcache; answers are right without them, so each can be deleted.

In: keys with bytes or vectors. Out: the stored values, without absent, expired and damaged ones.
Only this package knows diskcache.
"""
