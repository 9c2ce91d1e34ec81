"""Answer questions in sentences that quote the index or that the user's model command writes.

In: a question and search results. Out: sentences, each with its citation. The package never ranks
search results and never calls a service.
"""
