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
from codeindex.ingest.sync import refresh, run
from codeindex.ingest.sync.structure import StructureJob
from codeindex.upkeep import reread

weights = importlib.import_module("codeindex.search.rank.weights")  # a function has its name


def use(file: Path) -> None:
    """Put a table in the place of every encoder's."""
    table = np.load(file).astype(np.float32)
    digest = hashlib.sha256(table.tobytes()).hexdigest()[:16]
    made = run.structure_job

    def job(site: run.Site) -> StructureJob:
        one = made(site)
        return replace(one, table_of=f"{one.table_of}/{digest}") if one.table_of else one

    for module in (run, refresh, reread):
        module.structure_job = job
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
