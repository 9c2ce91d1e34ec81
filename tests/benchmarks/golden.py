"""Check references that people have read: `python tests/benchmarks/golden.py GOLDEN.tsv REPO...`.

Each REPO is a work tree at the commit that the rows name, `--home` where its index is kept. A row
says which definition the name in a line is, `ambiguous` where it may be another one too. Printed
is how many of them are resolved to it, how many are among several, and those that lead elsewhere.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter, defaultdict
from pathlib import Path

from searched import words_alone

from codeindex import Index

_CLAIMS = (
    "SELECT e.certainty, e.lines FROM edges e JOIN files f ON f.id = e.source_file"
    " LEFT JOIN files g ON g.id = e.target_file LEFT JOIN symbols s ON s.id = e.target_symbol"
    " WHERE f.path = :file AND (g.path = :target_file AND s.qualified = :target"
    " OR e.certainty = 'ambiguous' AND e.target_file IS NULL AND e.target_name = :name)"
)


def found(index: Index, row: dict[str, str]) -> str:
    """Return how surely a row's line is linked with its definition, or `missing`."""
    with index.reader().catalog() as (catalog, _):
        claims = catalog.connection.execute(_CLAIMS, row).fetchall()
    at = {certainty for certainty, lines in claims if row["line"] in lines.split()}
    return "resolved" if "resolved" in at else "ambiguous" if at else "missing"


def check(root: Path, rows: list[dict[str, str]]) -> None:
    with Index.open(root) as index:
        index.sync(structure_only=True)
        said = [(row, found(index, row)) for row in rows]
    counts = Counter(answer for _, answer in said)
    print(f"{root.name:12} {len(said)} rows", *(f"{n} {one}" for one, n in counts.most_common()))
    for row, answer in said:
        if answer != row["answer"]:
            print(f"  {answer}: {row['file']}:{row['line']} {row['name']} -> {row['target']}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("golden", type=Path)
    parser.add_argument("repositories", type=Path, nargs="+")
    parser.add_argument("--home", type=Path, help="keep indexes here")
    args = parser.parse_args()
    rows: dict[str, list[dict[str, str]]] = defaultdict(list)
    with args.golden.open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            rows[row["repository"].rpartition("/")[2]].append(row)
    with words_alone(args.home):
        for root in args.repositories:
            check(root.resolve(), rows[root.resolve().name])


if __name__ == "__main__":
    main()
