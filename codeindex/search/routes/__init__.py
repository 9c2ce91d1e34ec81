"""Answer relationship, flow, pattern and similarity questions from the graph.

In: a classified question. Out: a page of hits, or None if the route has no answer.
`search.pipeline` ranks the answers to all other questions.
"""
