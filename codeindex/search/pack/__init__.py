"""Fit answers into a token budget, as JSON or text.

In: an `Answer`. Out: its hits whole, in outline or as places; merged answers.
It never searches again.
"""
