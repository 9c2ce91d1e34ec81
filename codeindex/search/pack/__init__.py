"""Fit answers into a token budget, as JSON or text.

In: an `Answer`. Out: an `Answer` whose hits are full, skeletons or pointers; merged answers.
It never searches again.
"""
