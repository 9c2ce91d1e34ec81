"""Define the types of the ranker's weight tables: keys and rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

EvidenceLevel = Literal["words", "token", "dense"]
"""Which scores exist: from words alone; also from token vectors; also from the model's vectors."""
QuestionKind = Literal["symbol", "how", "other"]
FileWeightRow = tuple[tuple[float, ...], float]
"""A weight for each of `FILE_FEATURES`, in order, and the bias."""
FileWeightRows = Mapping[tuple[EvidenceLevel, QuestionKind], FileWeightRow]
