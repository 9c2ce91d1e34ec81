"""What git calls after it has moved HEAD: hooks that have an index synced beside it.

A hook of git's is often somebody else's already. Ours is a few marked lines in it, put in and taken
out without touching another byte; where that cannot be sound, it is refused with the reason.
"""
