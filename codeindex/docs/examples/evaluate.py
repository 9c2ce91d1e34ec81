"""Measure how well an index answers questions: `python evaluate.py REPOSITORY`.

There are two kinds of questions: a commit message (which files did the commit change?), and the
documentation of a function, which is hidden from the index (which function does it describe?).
"""

import sys

from codeindex import Index


def main(root: str) -> None:
    with Index.open(root) as index:
        index.sync(structure_only=True)
        print(*index.evaluation.evaluate(limit=20).text(), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
