"""One writer for each index: the lock, the note that names its owner, and yielding it early.

In: the folder of an index. Out: a held lock, or `LockedError` that names the owner.
It knows nothing about what the writer writes.
"""
