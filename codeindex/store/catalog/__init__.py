"""Open `catalog.sqlite`; read and write the tables that a sync fills.

In: prepared files, commits, edges. Out: rows in one transaction; `sql_values` builds `IN` lists. It
neither ranks results nor resolves names.
"""
