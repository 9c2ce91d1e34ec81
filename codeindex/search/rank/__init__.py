"""Rank places: features, fitted weights, confidence, reranking.

In: scores by chunk. Out: ordered hits with the parts of their score.
It reads the corpus in memory, and no source file.
"""
