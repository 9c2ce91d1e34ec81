"""Search the index: turn a query into ranked chunks.

In: a `SearchInput` and one published state. Out: an `Answer` with hits, confidence and notes. The
package never writes to the index. `routes` answer questions about relations; `rank` answers all
others.
"""
