"""What the first answer holds: `first_answer.py TREES [--repository NAME] [--by-task] [--show N]`.

`first_answer.jsonl` has 140 tasks on fourteen repositories at a commit. A task is the question, the
first call that an agent made for it, and the places that a right answer names. Those of 120 tasks
were found by reading before anything was asked (those of kind `blind` by a program from the
points of right answers, so that some lines are in the wrong file); those on unbound and
openhab-core are the lines that the answers of two of three workers cite. TREES holds a work tree
for each repository, named as it is without its owner; what is not there is left out. Each call is
the first of a session: it goes to a server of its own, over standard input and output.

Printed for the agents' calls, and for the questions as they are (`explore_code`): the share of the
places whose code is in the answer, the share that the answer at least names (file and line, or a
line of it), the tokens of the answer (characters / 4), and the lines of the places that answers
show, as a share and per 1,000 tokens. A place of several lines counts as shown if the answer has
half of its lines, or eight of them.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Any

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from codeindex.analysis.outline.token_estimates import count_tokens
from codeindex.config import environment

_TASKS = Path(__file__).with_name("first_answer.jsonl")
_ENOUGH_LINES = 8
"""Lines of a place that count as the place, even if it has more than twice as many."""
_LISTED = re.compile(r"(\d+) (\S+?):\d+")
_CODE = re.compile(r" *(\d+)(?: \S.*?)?[:-] ?")
"""A line of code, which names its symbol if it is the first of one in a list of lines."""
_ONE_LINE = re.compile(r"-- (\d+)(?:-(\d+))?: ")
"""A declaration or short function in one line, with the numbers of its lines."""
_PLACE = re.compile(r"\d+ \S+:\d")
"""A place in the list of a search's results, which is no line of code."""
_SHORT = re.compile(r"^((?: *of |run |called at |tested in |extended in |also: )?)(?:(…/)|(?=:\d))")
"""The place of a path that is left out, or of its folder, and what stands before it."""
_HEAD = re.compile("^(?:== | *of |run |called at |tested in |extended in |also: )")
_BODY = re.compile(r"\[(\d+)\]$")
_NAMED = re.compile(r"([\w@+][\w./@+-]*\.?\w*):(\d+)")
_FILE = re.compile(r"(?:== )?([\w@.+-][\w./@+-]*)(?=[: ]|$)")
_LINK = re.compile("called at |calls in |tested in |extended in |also: ")
_PLACE_IN_FILE = re.compile(r"\S+:(\d+)(?=,|$)")


@dataclass
class Shown:
    """The lines of each file that an answer shows as code, and those that it names."""

    code: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    named: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))


def written_out(answer: str, files: frozenset[str]) -> Iterator[str]:
    """Yield the lines of an answer with the line numbers and paths that it leaves out.

    A line of code without a number follows the one above; `…/` is the folder of the last path, and
    `:9` is line 9 of its file.
    """
    number, above = 0, ""
    for line in answer.split("\n"):
        head = _CODE.match(line)
        if number and line.startswith(" ") and not head:
            number += 1
            yield f"{number}:{line[1:]}"
            continue
        number = int(head[1]) if head else 0
        if not head and (short := _SHORT.match(line)):
            folder = f"{above.rpartition('/')[0]}/"
            line = short[1] + (folder if short[2] else above) + line[short.end() :]  # noqa: PLW2901
        if not head:
            path = _FILE.match(_HEAD.sub("", line))
            above = path[1] if path and path[1] in files else above
        yield line


def lines_in(answer: str, files: frozenset[str]) -> Shown:
    """Return the lines of code and the places in a text answer."""
    shown, listed, path = Shown(), dict[str, str](), ""
    for line in written_out(answer, files):
        if (code := _CODE.match(line)) and not _PLACE.match(line):
            shown.code[path].update(_with_empty_lines(shown.code[path], int(code[1])))
            continue
        if short := _ONE_LINE.match(line):
            shown.code[path].update(range(int(short[1]), int(short[2] or short[1]) + 1))
            continue
        if body := _BODY.match(line):
            path = listed.get(body[1], "")
            continue
        if (entry := _LISTED.match(line)) and entry[2] in files:
            listed[entry[1]] = entry[2]
        named = [word for word in _files_of(line) if word in files]
        within = named[-1] if named else path
        path = path if _LINK.match(line) else within
        for name, number in _NAMED.findall(line):
            if name in files:
                shown.named[name].add(int(number))
                if f"{name}:{number}" in line and ": " in line.partition(f"{name}:{number}")[2][2:]:
                    shown.code[name].add(int(number))
        for number in _PLACE_IN_FILE.findall(line):
            shown.named[within].add(int(number))
    return shown


def _with_empty_lines(known: set[int], number: int) -> range:
    """Return a line with the ones before it that have no content and are left out of answers."""
    return range(
        next((at for at in range(number - 1, number - 4, -1) if at in known), number - 1) + 1,
        number + 1,
    )


def _files_of(line: str) -> Iterator[str]:
    """Yield the words of a line that may be the path whose code or symbols follow."""
    for word in line.split():
        yield word.rpartition(":")[0] or word
        yield word


def parts_of(place: str) -> tuple[str, range]:
    path, _, span = place.rpartition(":")
    first, _, last = span.partition("-")
    return path, range(int(first), int(last) + 1)


def is_shown(place: str, shown: Shown) -> bool:
    path, lines = parts_of(place)
    count = len(shown.code.get(path, set()).intersection(lines))
    return count >= min(_ENOUGH_LINES, len(lines) / 2)


def is_named(place: str, shown: Shown) -> bool:
    path, lines = parts_of(place)
    known = shown.code.get(path, set()) | shown.named.get(path, set())
    return bool(known.intersection(lines))


@dataclass(frozen=True)
class Score:
    """Shares of a task's places that are shown and named, and the tokens of the answer.

    `lines` of the `wanted` lines in these places are shown.
    """

    kind: str
    shown: float
    named: float
    tokens: int
    lines: int
    wanted: int


def score(task: Mapping[str, Any], answer: str, files: frozenset[str]) -> Score:
    shown = lines_in(answer, files)
    places: Sequence[str] = task["places"]
    wanted = {(path, line) for path, lines in map(parts_of, places) for line in lines}
    return Score(
        task["kind"],
        mean(is_shown(place, shown) for place in places),
        mean(is_named(place, shown) for place in places),
        count_tokens(answer),
        sum(line in shown.code.get(path, ()) for path, line in wanted),
        len(wanted),
    )


async def ask(root: Path, calls: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the answers to calls, each of a server of its own."""
    words = ["-P", "-m", "codeindex", "serve", str(root)]
    place = StdioServerParameters(command=sys.executable, args=words, env=dict(environment()))
    answers = []
    for call in calls:
        arguments = {key: value for key, value in call.items() if key != "tool"}
        async with Client(stdio_client(place)) as client:
            content: Any = (await client.call_tool(call["tool"], arguments)).content[0]
        answers.append(str(content.text))
    return answers


def report(title: str, scores: Iterable[Score]) -> str:
    rows = list(scores)
    shown, named = mean(row.shown for row in rows), mean(row.named for row in rows)
    tokens = mean(row.tokens for row in rows)
    lines = mean(row.lines / row.wanted for row in rows)
    dense = 1_000 * sum(row.lines for row in rows) / sum(row.tokens for row in rows)
    return (
        f"{title:16} {len(rows):>3} shown {shown:.3f} named {named:.3f} tokens {tokens:>6.0f}"
        f" lines {lines:.3f} per 1,000 tokens {dense:.1f}"
    )


def tasks_by_tree(trees: Path, repository: str) -> Iterator[tuple[Path, list[dict[str, Any]]]]:
    """Yield the work trees that are there, with their tasks."""
    by_name: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in _TASKS.read_text("utf-8").splitlines():
        task = json.loads(line)
        by_name[task["repository"].rpartition("/")[2]].append(task)
    for name, tasks in by_name.items():
        if (trees / name).is_dir() and repository in {"", name}:
            yield trees / name, tasks


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trees", type=Path)
    parser.add_argument("--repository", default="", help="only this one")
    parser.add_argument("--by-task", action="store_true", help="print each task's scores")
    parser.add_argument("--show", type=int, default=0, help="print the answers to a task")
    args = parser.parse_args()
    scores: dict[str, list[Score]] = defaultdict(list)
    for root, tasks in tasks_by_tree(args.trees, args.repository):
        calls = [task["call"] for task in tasks]
        calls += [{"tool": "explore_code", "query": [task["question"]]} for task in tasks]
        answers = anyio.run(ask, root, calls)
        files = frozenset(path.relative_to(root).as_posix() for path in root.rglob("*"))
        for number, task in enumerate(tasks, 1):
            for way, answer in (
                ("call", answers[number - 1]),
                ("question", answers[len(tasks) + number - 1]),
            ):
                scores[way].append(score(task, answer, files))
                if args.by_task:
                    print(report(f"{root.name} {number} {way}", scores[way][-1:]), task["kind"])
                if args.show == number:
                    print(answer)
    for way, rows in scores.items():
        for kind in dict.fromkeys(row.kind for row in rows):
            print(report(kind, (row for row in rows if row.kind == kind)))
        print(report(way, rows))


if __name__ == "__main__":
    main()
