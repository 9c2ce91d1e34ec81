"""Choose, download, verify and run embedding models; make token vectors without running a model.

In: texts, and a model from models.lock. Out: unit vectors, or scores of a cross-encoder.
It knows neither files nor the catalog.
"""
