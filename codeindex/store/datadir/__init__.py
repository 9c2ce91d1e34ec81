"""The data folder: where each index lives, its settings, and paths within the repository.

In: paths that a person types. Out: registered repositories, their folders, private files.
It never opens a catalog.
"""
