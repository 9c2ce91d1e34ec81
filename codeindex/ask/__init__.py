"""Answers in sentences, extracted from the index or written by the user's model command.

In: a question and search results. Out: sentences, each with its citation.
The package never ranks search results and never calls a service.
"""
