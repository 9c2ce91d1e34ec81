"""Open `catalog.sqlite`; read and write the tables that a sync fills.

In: prepared files, commits, edges. Out: rows in one transaction; `sql_values` builds `IN` lists.
It knows nothing about ranking and nothing about how a name resolves.
"""
