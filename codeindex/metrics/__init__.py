"""Usage metrics, stored on this machine only: searches, suggestions, reads, tool calls.

In: events, one JSON line each in `<home>/metrics.jsonl`. Out: summaries.
Recording never makes the recorded operation fail.
"""
