"""Record usage on this machine only, and summarize it: searches, suggestions, reads, tool calls.

In: events, stored as one JSON line each in `<home>/metrics.jsonl`. Out: summaries. An error of
recording never makes the recorded operation fail.
"""
