"""Run a benchmark with another static model: `with_table.py TABLE.npz WEIGHTS SCRIPT ARGUMENT...`.

The model that `train.py` wrote takes the place of the shipped one, for indexing and for queries.
Token vectors that another model made are made again by the next sync of an index. WEIGHTS is what
`fit.py --write` wrote for it. Give `-` for what the package contains.
"""

from __future__ import annotations

import hashlib
import importlib
import runpy
import sys
from pathlib import Path

import numpy as np

from codeindex.embed import static_model
from codeindex.embed.static_model import StaticModel

weights = importlib.import_module("codeindex.search.rank.weights")  # a function has its name


def use(file: Path) -> None:
    """Make every index load this model."""
    with np.load(file) as stored:
        rows, factors = stored["rows"], stored["scale"].astype(np.float32)
    digest = hashlib.sha256(rows.tobytes()).hexdigest()[:16]
    model = StaticModel(f"trained@{digest}", rows, factors)
    vars(static_model)["load_static_model"] = lambda _home: model


def main() -> None:
    table, rows, script, *arguments = sys.argv[1:]
    if table != "-":
        use(Path(table))
    if rows != "-":
        vars(weights)["_TABLE"] = Path(rows)
    sys.argv = [script, *arguments]
    sys.path[0] = str(Path(script).parent)
    runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    main()
