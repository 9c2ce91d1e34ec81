"""Show what code declares: outlines, signatures, sources, summaries, token estimates.

In: paths or symbol names. Out: declarations and redacted source lines. It reads the catalog, never
the work tree.
"""
