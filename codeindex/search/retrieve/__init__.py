"""Retrieve candidates: words, token vectors, model vectors, messages, frames.

In: a plan and the corpus. Out: raw scores by chunk or file.
It gives no order and no verdict.
"""
