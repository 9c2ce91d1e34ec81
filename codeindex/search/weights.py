"""The ranker's one table: a weight for each signal, by what there is to go on and what is asked.

`codeindex/data/weights.json` is made by `tests/benchmarks/fit.py --write`, which says how; do not
edit it by hand. `bias` makes the sum the log-odds that a candidate file is an answer. Rows that a
repository has of its own (`search.tuned`) come before these.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from codeindex.search.signals import SIGNALS

_TABLE = Path(__file__).parents[1] / "data" / "weights.json"
FITTED_WITH = "minilm-l6-int8"
"""The model whose cosines the weights of `dense` know: those of another may all be higher or lower,
which moves scores and hardly their order."""
Evidence = Literal["words", "token", "dense"]
"""Words alone; and token vectors; and the model's vectors."""
Asked = Literal["symbol", "how", "other"]
Row = tuple[tuple[float, ...], float]
"""A weight for each of `SIGNALS`, and the bias."""
Rows = Mapping[tuple[Evidence, Asked], Row]


def weights(evidence: Evidence, asked: Asked, own: Rows | None = None) -> Row:
    """Return a repository's own row, else the shipped one."""
    if own and (found := own.get((evidence, asked))):
        return found
    row = _table()[evidence][asked]
    return tuple(row[name] for name in SIGNALS), row["bias"]


@functools.cache
def edition() -> str:
    """Return what tells these signals and weights from those of another release."""
    import hashlib  # 3 ms, for repositories that are tuned

    text = json.dumps([SIGNALS, _table()], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@functools.cache
def _table() -> dict[str, dict[str, dict[str, float]]]:
    text = _TABLE.read_text("utf-8")
    table: dict[str, dict[str, dict[str, float]]] = json.loads(text)
    return table
