"""Fit an answer into a budget of tokens: `python pack_for_a_model.py REPOSITORY QUESTION`.

A token counts as four characters. Each result shows its text, an outline, or only its location. The
cursor returns the results that did not fit.
"""

import sys

from codeindex import Index

BUDGET = 300
MAX_PAGES = 3


def main(root: str, question: str) -> None:
    with Index.open(root) as index:
        cursor = ""
        for page in range(1, MAX_PAGES + 1):
            answer = index.search(question, budget=BUDGET, cursor=cursor)
            print(f"page {page}")
            for hit in answer.hits:
                print(f"  {hit.path}:{hit.start_line}  {hit.shown}, {len(hit.text)} characters")
            cursor = answer.cursor or ""
            if not cursor:
                break


if __name__ == "__main__":
    main(*sys.argv[1:])
