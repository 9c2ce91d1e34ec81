"""Measure how well an index answers questions: `python evaluate.py REPOSITORY`.

There are two kinds of questions, whose texts are hidden from the index. A commit message: which
files did the commit change? The documentation of a function: which function does it describe?
"""

import sys

from codeindex import Index


def main(root: str) -> None:
    with Index.open(root) as index:
        index.sync(structure_only=True)
        print(*index.evaluation.evaluate(limit=20).text(), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
