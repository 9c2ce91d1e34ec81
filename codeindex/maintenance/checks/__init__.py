"""One module for each store that `verify` checks.

In: a `CheckContext`, one published generation. Out: verdicts.
Checks hold no lock and change nothing.
"""
