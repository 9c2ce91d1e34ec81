"""Search parts of a repository: `python filters.py REPOSITORY QUESTION`.

Globs work as in ripgrep's `-g`: those with `!` exclude files, the others include them.
"""

import sys

from codeindex import Filters, Index

VIEWS = {
    "Python functions": Filters(languages=("python",), kinds=("function", "method")),
    "without tests": Filters(tests="exclude"),
    "below web/": Filters(paths=("web",)),
    "documents": Filters(globs=("*.md",)),
}


def main(root: str, question: str) -> None:
    with Index.open(root) as index:
        for name, filters in VIEWS.items():
            answer = index.search(question, filters=filters, limit=2)
            places = ", ".join(f"{hit.path}:{hit.start_line}" for hit in answer.hits)
            print(f"{name}: {places or 'nothing'}")


if __name__ == "__main__":
    main(*sys.argv[1:])
