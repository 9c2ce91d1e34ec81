"""Features of the ranker: numbers that speak for or against a file, or a place in a file.

In: one question's scores and the candidate files. Out: a matrix with a column for each feature. A
new feature is one decorated function in `file_features.py` or `place_features.py`; until weights
are fitted again it counts with its prior.
"""

from __future__ import annotations

from codeindex.search.rank.features.feature import RankingFeature
from codeindex.search.rank.features.file_features import FILE_FEATURES
from codeindex.search.rank.features.place_features import PLACE_FEATURES

__all__ = ["FEATURES", "FILE_FEATURES", "PLACE_FEATURES", "RankingFeature"]

FEATURES: tuple[RankingFeature, ...] = (*FILE_FEATURES, *PLACE_FEATURES)
"""All features: first the features of files, then of places, in the order of their modules."""
