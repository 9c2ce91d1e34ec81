"""Verify, repair and delete stored data: `verify`, `repair`, `clear`, `gc` and `cache`.

In: an index, or the data folder. Out: verdicts, reports, and the number of freed bytes. Nothing
here ranks or searches. `codeindex.doctor` checks the machine.
"""
