"""Record usage on this machine only, and summarize it: searches, suggestions, reads, tool calls.

In: events, stored as one JSON line each in `<home>/metrics.jsonl`. Out: summaries.
Recording never makes the recorded operation fail.
"""
