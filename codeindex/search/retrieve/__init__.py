"""Retrieve candidates: words, token vectors, model vectors, messages, frames.

In: a plan and the corpus. Out: raw scores by chunk or file.
It does not order chunks, and does not decide about absence.
"""
