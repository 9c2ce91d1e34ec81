"""Run a benchmark with another token table: `with_table.py TABLE WEIGHTS SCRIPT ARGUMENT...`.

The table stands in for the one that is derived from the model, for indexing and for questions.
Token vectors of an index that were made with another table are made again by its next sync. WEIGHTS
is what `fit.py --write` wrote for it. Give `-` for what the product has.
"""

from __future__ import annotations

import hashlib
import importlib
import runpy
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from codeindex.embed.encoder import Encoder
from codeindex.ingest.sync import context, refresh, run
from codeindex.maintenance.checks import reparse

weights = importlib.import_module("codeindex.search.rank.weights")  # a function has its name


def use(file: Path) -> None:
    """Put a table in the place of every encoder's."""
    table = np.load(file).astype(np.float32)
    digest = hashlib.sha256(table.tobytes()).hexdigest()[:16]
    made = context.make_structure_job

    def job(of: context.SyncContext) -> context.StructureJob:
        one = made(of)
        return replace(one, token_model=f"{one.token_model}/{digest}") if one.token_model else one

    for module in (context, run, refresh, reparse):
        module.make_structure_job = job
    Encoder.table = lambda _: table  # type: ignore[method-assign]


def main() -> None:
    table, rows, script, *arguments = sys.argv[1:]
    if table != "-":
        use(Path(table))
    if rows != "-":
        weights._TABLE = Path(rows)
    sys.argv = [script, *arguments]
    sys.path[0] = str(Path(script).parent)
    runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    main()
