"""What an index keeps on disk: catalog, segments, caches, locks, sessions.

In and out: rows and arrays. All SQL of the program is here.
It knows neither languages' rules nor what a question means.
"""
