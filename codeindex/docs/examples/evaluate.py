"""Measure how well a repository's own questions are answered: `python evaluate.py REPOSITORY`.

Questions are messages of commits (which files did they change?) and documentation of functions,
hidden from the index (which function is it of?).
"""

import sys

from codeindex import Index


def main(root: str) -> None:
    with Index.open(root) as index:
        index.sync(structure_only=True)
        print(*index.evaluation.evaluate(limit=20).text(), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
