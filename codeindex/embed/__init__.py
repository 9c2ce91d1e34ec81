"""Embedding models: choose, download, verify and run them; token vectors without a model run.

In: texts, and a model of models.lock. Out: unit vectors, or scores of a cross-encoder.
It knows neither files nor the catalog.
"""
