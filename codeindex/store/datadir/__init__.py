"""Manage the data folder: registered repositories, options of indexes, private files.

In: paths that a user types. Out: registered repositories, their folders, private files. It never
opens a catalog.
"""
