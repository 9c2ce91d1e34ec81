"""Lock an index for one writer, name the owner of the lock, and release the lock on request.

In: the folder of an index. Out: a held lock, or `LockedError` that names the owner. It does not
depend on what the writer writes.
"""
