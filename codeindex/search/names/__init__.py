"""Find what a query names: symbols, aliases, files, paths.

In: a name as people and code write it. Out: the chunks or files that define it.
It does not rank across names.
"""
