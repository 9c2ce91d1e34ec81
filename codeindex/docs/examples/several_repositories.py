"""Search several repositories as one: `python several_repositories.py QUESTION REPOSITORY...`."""

import sys

from codeindex import Workspace


def main(question: str, *roots: str) -> None:
    with Workspace(*roots) as workspace:
        for root in roots:
            workspace.index(root).sync(structure_only=True)
        for hit in workspace.search(question, limit=4).hits:
            print(f"{hit.repo}  {hit.path}:{hit.start_line}  {hit.symbol}")


if __name__ == "__main__":
    main(*sys.argv[1:])
