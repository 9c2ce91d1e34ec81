"""Leaf helpers for text: words, sanitized output, globs, bounded regular expressions.

In and out: strings.
They import nothing of the program but `errors` and `types`.
"""
