"""Find the files worth indexing by name and stat.

In: a root and its ignore rules. Out: `Discovery`: files, and skipped ones with the reason.
It never reads the content of a source file.
"""
