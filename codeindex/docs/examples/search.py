"""Find code by what it does: `python search.py REPOSITORY QUESTION`."""

import sys

from codeindex import Index


def main(root: str, question: str) -> None:
    with Index.open(root) as index:
        if not index.is_indexed:
            index.sync(structure_only=True)  # words, names and the graph; no model is needed
        answer = index.search(question, limit=3)
        print(f"{answer.confidence}: {answer.total_count} places")
        for hit in answer.hits:
            print(f"{hit.score:.2f}  {hit.path}:{hit.start_line}-{hit.end_line}  {hit.symbol}")


if __name__ == "__main__":
    main(*sys.argv[1:])
