"""Define the requests that measure searches and fit the ranker: `Index.evaluation`."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Annotated

from codeindex.api.requests.base import NumberBounds, Request
from codeindex.api.requests.core import ProgressCallback, no_progress

_QuestionLimit = Annotated[int, "Most questions of each kind.", NumberBounds(1, 2_000)]


@dataclass(frozen=True, slots=True)
class EvaluateRequest(Request, capability="evaluation.evaluate"):
    """Measure how well searches find the code for commit messages and docstrings.

    `limit` is the most questions of each of the two kinds. The published index is searched;
    NotIndexedError without one.
    """

    _: KW_ONLY
    limit: _QuestionLimit = 200
    progress: ProgressCallback = no_progress


@dataclass(frozen=True, slots=True)
class TuneRequest(Request, capability="evaluation.tune"):
    """Fit the ranker's weights to one half of the repository; keep them if the other half agrees.

    Kept weights are used in every search of this repository until `untune`. The shipped weights
    stay if the gain may be chance. LockedError while another process writes.
    """

    _: KW_ONLY
    limit: _QuestionLimit = 400
    progress: ProgressCallback = no_progress
