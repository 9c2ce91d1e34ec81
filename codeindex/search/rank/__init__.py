"""Rank places by features and fitted weights, rate the confidence, and rerank.

In: scores by chunk. Out: ordered hits with the parts of their score.
It reads the corpus in memory, and no source file.
"""
