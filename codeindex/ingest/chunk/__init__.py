"""Cut parsed files into chunks: functions, type headers, sections, windows.

In: redacted text and its symbols. Out: drafts of chunks with their headers.
It knows neither files on disk nor the catalog.
"""
