"""Find each index in the data folder, its options, and the root that a path belongs to.

In: paths that a person types. Out: registered repositories, their folders, private files.
It never opens a catalog.
"""
