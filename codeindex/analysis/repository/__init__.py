"""Describe a repository as a whole: map, modules, health, hotspots, INDEX.md.

In: a catalog connection. Out: one report about all files or those of a folder. It knows neither
search nor any surface.
"""
