"""Prepare files in killable worker processes.

In: paths to prepare. Out: `PreparedFile`s, as JSON lines from the worker.
A worker knows one file at a time and never opens the catalog.
"""
