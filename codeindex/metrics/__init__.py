"""What is noted of use, on this machine alone: searches, suggestions, reads, calls of tools.

`<home>/metrics.jsonl`, a line an event. Noting never fails what is noted.
"""
