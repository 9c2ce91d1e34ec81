"""Answer relationship, flow, pattern and similarity questions from the graph.

In: a classified question. Out: a page of hits, or None without an answer.
Other questions are ranked by `search.pipeline`.
"""
