"""From a query to ranked places.

In: a `Request` and one published state. Out: an `Answer` with hits, confidence and notes.
Stages: names, retrieve, rank, routes, explain, pack. It never writes.
"""
