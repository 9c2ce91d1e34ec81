"""Features of the ranker: numbers that count for or against a file or a place in a file.

In: one question's scores and the candidate files. Out: a matrix with a column for each feature. To
add a feature, write a decorated function in `file_features.py` or `place_features.py`; until the
weights are fitted again, its `prior` is its weight.
"""

from __future__ import annotations

from codeindex.search.rank.features.file_features import FILE_FEATURES
from codeindex.search.rank.features.place_features import PLACE_FEATURES

__all__ = ["FILE_FEATURES", "PLACE_FEATURES"]
