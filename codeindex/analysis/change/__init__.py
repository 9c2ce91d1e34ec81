"""Find the consequences of a change: affected code, related files, files to know before an edit.

In: files, symbols or a git diff. Out: files to read, change or test, with reasons. The package
never edits files and never syncs.
"""
