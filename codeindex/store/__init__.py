"""What an index keeps on disk: catalog, segments, caches, locks, sessions.

In and out: rows and arrays. All SQL of the program is in this package.
It knows neither the rules of languages nor the meaning of a question.
"""
