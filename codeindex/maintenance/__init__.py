"""Verify, repair and delete stored data: `verify`, `repair`, `clear`, `gc` and `cache`.

In: an index, or the data folder. Out: verdicts, reports and freed bytes.
It never ranks or searches; checks of the machine are in `codeindex.doctor`.
"""
