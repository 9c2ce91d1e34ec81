"""Consequences of a change: diffs, related files, suggestions before an edit.

In: files, symbols or a git diff. Out: files to read, change or test, with reasons.
It never edits and never syncs.
"""
