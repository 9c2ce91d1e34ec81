"""Rank places by features and fitted weights, rate the confidence, and rerank.

In: retriever scores for each chunk. Out: ordered hits with the parts of their scores. The package
reads the corpus in memory, never a source file.
"""
