"""Split parsed files into chunks: functions, type headers, sections, windows.

In: redacted text and its symbols. Out: chunks with their words and token counts.
It knows neither files on disk nor the catalog.
"""
