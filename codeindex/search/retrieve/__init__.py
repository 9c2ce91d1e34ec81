"""Retrieve candidates by words, token vectors, model vectors, pasted messages and stack frames.

In: a query plan and the corpus. Out: raw scores by chunk or file. The package does not rank chunks
and does not decide about absence.
"""
