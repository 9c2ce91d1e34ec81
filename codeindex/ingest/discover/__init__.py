"""Find the files worth indexing by name and stat.

In: a root and its ignore rules. Out: `Discovery`: the files to index, and the skipped files with
the reason for each. It never reads the content of a source file.
"""
