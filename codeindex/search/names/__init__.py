"""Find what a query names: symbols, aliases, files, paths.

In: a name as people or code write it. Out: the chunks or files that define it. The package does not
rank matches of different names against each other.
"""
