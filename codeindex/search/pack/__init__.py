"""Fit answers into a token budget, as JSON or text; merge several answers into one.

In: an `Answer`. Out: an `Answer` whose hits are shown in full, as skeletons or as pointers. The
package never searches again.
"""
