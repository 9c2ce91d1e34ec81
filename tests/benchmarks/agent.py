"""What finding a file costs an agent: `python tests/benchmarks/agent.py EVALS TREES [--limit N]`.

EVALS and TREES are those of `retrieval.py`. Printed for the dev queries, in characters / 4:

- the tokens until the first right file is in view;
- the share of queries whose first right file is in view after 500, 1,000, 2,000 and 4,000 tokens,
  and the share of right files that are;
- the tokens of an answer of `search_code` with its defaults, and of the code in it.

What is read: answers as `search_code` sends them (text, ten results, 1,000 tokens), one page after
another; the files that `rg -il` finds for the three rarest words of the question, whole, those with
most of them first; the files of an answer whole; and one answer packed into each number of tokens.
"""

from __future__ import annotations

import argparse
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from statistics import mean, median

from devset import Query, queries

from codeindex import Index
from codeindex.mcp.requests import SEARCH_BUDGET
from codeindex.mcp.search_code import DEFAULT_LIMIT
from codeindex.search.pack.agent_json import CHARACTERS_A_TOKEN
from codeindex.search.pack.agent_text import answer_text
from codeindex.text.words import STOP_WORDS
from codeindex.types import Answer

_BUDGETS = (500, 1000, 2000, 4000)
_PAGES = 5
_RAREST = 3
_SEEN = tuple[int, str]
"""Tokens read so far, and the file that came into view then."""


def answered(index: Index, text: str) -> Iterator[_SEEN]:
    """Read answers of `search_code` line by line, page after page."""
    read, cursor = 0, ""
    for _ in range(_PAGES):
        answer = sent(index, text, budget=SEARCH_BUDGET, limit=DEFAULT_LIMIT, cursor=cursor)
        yield from ((read + tokens, path) for tokens, path in in_view(answer))
        read += tokens_of(answer)
        cursor = answer.cursor or ""
        if not cursor:
            return


def sent(index: Index, text: str, *, budget: int, limit: int, cursor: str = "") -> Answer:
    """Search as the tool does for a client that is sent text."""
    return index.search(text, limit=limit, budget=budget, cursor=cursor, sent_as="text")


def tokens_of(answer: Answer) -> int:
    """Return the tokens of an answer as text."""
    return -(-len(answer_text(answer)) // CHARACTERS_A_TOKEN)


def in_view(answer: Answer) -> Iterator[_SEEN]:
    """Yield each file of an answer with the tokens to the end of the first line that names it."""
    paths = {hit.path for hit in answer.hits}
    read = 0
    for line in answer_text(answer).split("\n"):
        read += len(line) + 1
        for path in [one for one in paths if f" {one}:" in line]:
            paths.discard(path)
            yield -(-read // CHARACTERS_A_TOKEN), path


def files_whole(paths: Iterable[str], texts: Mapping[str, str], found: int) -> Iterator[_SEEN]:
    """Read files whole, after `found` tokens that listing them took."""
    for path in paths:
        found += len(texts[path]) // CHARACTERS_A_TOKEN
        yield found, path


def grepped(text: str, texts: Mapping[str, str]) -> list[str]:
    """Return the files with any of the rarest words of a question, those with most first."""
    words = {word.lower() for word in re.findall(r"\w+", text)} - STOP_WORDS
    having = {word: {path for path, one in texts.items() if word in one} for word in words}
    rarest = sorted((len(paths), word) for word, paths in having.items() if paths)[:_RAREST]
    counts = Counter(path for _, word in rarest for path in having[word])
    return sorted(counts, key=lambda path: (-counts[path], path))


def measured(
    index: Index, query: Query, texts: Mapping[str, str], *, limit: int
) -> Iterator[tuple[str, list[_SEEN]]]:
    """Yield what each way of looking reads, by its name."""
    yield "search_code", list(answered(index, query.text))
    found = grepped(query.text, texts)
    listed = len("\n".join(found)) // CHARACTERS_A_TOKEN
    yield "rg + read", list(files_whole(found, texts, listed))
    hits = index.search(query.text, limit=limit).hits
    order = dict.fromkeys(hit.path for hit in hits)
    yield "whole files", list(files_whole(order, texts, 0))
    for budget in _BUDGETS:
        answer = sent(index, query.text, limit=limit, budget=budget)
        assert tokens_of(answer) <= budget, (query, budget)
        yield f"packed {budget}", list(in_view(answer))


def code_in(answer: Answer) -> int:
    """Return the tokens of the code in an answer."""
    return sum(len(hit.text) for hit in answer.hits) // CHARACTERS_A_TOKEN


def report(name: str, seen: list[tuple[Query, list[_SEEN]]]) -> str:
    """Return a row: the median cost of the first right file, and what is in view when."""
    first = [next((at for at, path in one if path in q.relevant), None) for q, one in seen]
    known = [float("inf") if at is None else at for at in first]
    cells = [f"{name:12} median {median(known):>6.0f}"]
    for budget in _BUDGETS:
        any_ = mean(at <= budget for at in known)
        shares = [
            len({path for at, path in one if at <= budget} & q.relevant) / len(q.relevant)
            for q, one in seen
        ]
        cells.append(f"{budget}: {any_:.3f} / {mean(shares):.3f}")
    return "  ".join(cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("evals", type=Path)
    parser.add_argument("trees", type=Path)
    parser.add_argument("--limit", type=int, default=30)
    args = parser.parse_args()
    found: dict[str, list[tuple[Query, list[_SEEN]]]] = {}
    sizes: list[tuple[int, int]] = []
    wanted = sorted(queries(args.evals), key=lambda one: one.repo)
    for repo, mine in itertools.groupby(wanted, key=lambda one: one.repo):
        with Index.open(args.trees / repo, root=True) as index:
            root = args.trees / repo
            texts = {
                path: (root / path).read_text("utf-8", "replace").lower() for path in index.files()
            }
            for query in mine:
                answer = sent(index, query.text, budget=SEARCH_BUDGET, limit=DEFAULT_LIMIT)
                sizes.append((tokens_of(answer), code_in(answer)))
                for name, seen in measured(index, query, texts, limit=args.limit):
                    found.setdefault(name, []).append((query, seen))
    print(f"{len(wanted)} queries; first right file / share of right files in view")
    for name, rows in found.items():
        print(report(name, rows))
    whole, code = (mean(column) for column in zip(*sizes, strict=True))
    print(f"an answer of search_code: {whole:.0f} tokens, {whole / code:.2f} times its code")


if __name__ == "__main__":
    main()
