"""Measuring an index on its own repository, and fitting the ranker's weights to it."""
