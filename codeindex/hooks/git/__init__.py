"""Install git hooks that sync an index in the background after git moved HEAD.

In: the hooks folder of a repository. Out: a marked block of lines in its hooks, and syncs. Other
lines of a hook are never changed. A hook into which the block cannot be written is refused.
"""
