"""List who calls a function, and what depends on it: `python callers.py REPOSITORY NAME`.

Each caller is `resolved`, or `ambiguous` if the type of the call's receiver is unknown.
"""

import sys

from codeindex import CodeIndexError, Index


def main(root: str, name: str) -> None:
    with Index.open(root) as index:
        try:
            found = index.graph.callers(name)
        except CodeIndexError as error:  # an unknown name: the message offers the nearest ones
            raise SystemExit(str(error)) from error
        print(*found.text(), sep="\n")
        print(*index.graph.impact(name).text(), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
