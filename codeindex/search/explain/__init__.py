"""Explain why a result has its rank, and why a file or symbol is missing.

In: a question, and a result or a path. Out: the contribution of each feature to the score. The
package repeats the steps of a search and changes none.
"""
