"""Answers in sentences: put together from what the index knows, or written by a model from that."""
