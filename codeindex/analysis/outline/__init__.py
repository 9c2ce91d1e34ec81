"""Show what code declares: outlines, signatures, source, summaries, token estimates.

In: paths or symbol names. Out: declarations and redacted source lines. The package reads the
catalog, never the work tree.
"""
