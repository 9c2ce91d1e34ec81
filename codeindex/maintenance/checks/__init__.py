"""Check each store for `verify`, with one module per store.

In: a `CheckContext` with one published generation. Out: verdicts. Checks hold no lock and change
nothing.
"""
