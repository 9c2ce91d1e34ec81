"""Describe a repository as a whole: map, modules, health, hotspots, INDEX.md.

In: a catalog connection. Out: a report about all files or the files of a folder. The package knows
neither the search nor any user interface.
"""
