"""Read SCIP indexes, which compilers write, and let their references replace our own.

In: an untrusted `index.scip`, the files that it describes, the catalog. Out: for each file that is
unchanged since the compiler read it, the lines and names that refer to symbols of the catalog.
"""
