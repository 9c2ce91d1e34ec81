"""Install git hooks that sync an index in the background after git moved HEAD.

In: the hooks folder of a repository. Out: marked lines in its hooks, and syncs.
Other lines of a hook are never changed: a hook that cannot take our lines is refused.
"""
