"""Answer relationship, flow, pattern and similarity questions from the graph.

In: a classified question. Out: hits that are lines of the relation.
Plain questions do not pass here.
"""
