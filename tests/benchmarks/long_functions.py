"""What `about` shows of long functions: `long_functions.py TREES`.

TREES holds work trees as for `first_answer.py`. Each place that an answer to one of its tasks names
in a function of more than 40 lines is looked for in the lines that `read_code` shows of the
function, with `about` set to the question, and to the words that an agent sent. Printed are the
share of the places that are shown (half of their lines, or eight) and the share of the text.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from first_answer import Shown, is_shown, parts_of, tasks_by_tree

from codeindex import Index
from codeindex.search.excerpt import telling_lines
from codeindex.search.pack.text_lines import compact_lines
from codeindex.types import CALLABLE_KINDS

_LONG = 40


@dataclass(frozen=True)
class Excerpt:
    """Whether each place in a long function is shown, and the characters of excerpt and whole."""

    shown: tuple[bool, ...]
    size: int
    whole: int


def excerpt_of(
    path: str, lines: Sequence[tuple[int, str]], places: Sequence[str], about: str
) -> Excerpt:
    numbers = telling_lines(lines, about)
    shown = Shown()
    shown.code[path].update(numbers)
    kept = [line for line in lines if line[0] in numbers]
    return Excerpt(tuple(is_shown(place, shown) for place in places), _size(kept), _size(lines))


def _size(lines: Sequence[tuple[int, str]]) -> int:
    return sum(len(text) + 1 for _, text in compact_lines(lines))


def long_functions(
    index: Index, root: Path, places: Sequence[str]
) -> Iterator[tuple[str, list[tuple[int, str]], list[str]]]:
    """Yield (path, lines, places in it) for each long function that has places."""
    found: dict[tuple[str, int, int], list[str]] = {}
    for place in places:
        path, span = parts_of(place)
        around = [
            (one.end_line - one.line, one.line, one.end_line)
            for one in index.source.declarations(path).declarations
            if one.kind in CALLABLE_KINDS and one.line <= span[0] and span[-1] <= one.end_line
        ]
        if around and min(around)[0] >= _LONG:
            found.setdefault((path, *min(around)[1:]), []).append(place)
    for (path, first, last), inside in found.items():
        text = (root / path).read_text("utf-8", "replace").split("\n")
        yield path, list(enumerate(text[first - 1 : last], first)), inside


def words_of(task: Mapping[str, Any]) -> str:
    return " ".join([*task["call"].get("query", ()), *task["call"].get("names", ())])


def main() -> None:
    excerpts: dict[str, list[Excerpt]] = {"question": [], "words": []}
    for root, tasks in tasks_by_tree(Path(sys.argv[1]), ""):
        with Index.open(root) as index:
            for task in tasks:
                for path, lines, places in long_functions(index, root, task["places"]):
                    for way, about in (("question", task["question"]), ("words", words_of(task))):
                        excerpts[way].append(excerpt_of(path, lines, places, about))
    for way, of in excerpts.items():
        shown = [one for part in of for one in part.shown]
        share = sum(part.size for part in of) / sum(part.whole for part in of)
        print(f"{way:9} {len(of)} functions, {len(shown)} places: {mean(shown):.3f}, {share:.3f}")


if __name__ == "__main__":
    main()
