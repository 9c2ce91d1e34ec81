"""Zero stale answers: `python -m tests.soak.stale REPO... [--edits 1000] [--home DIR]`.

Copies the repositories into one tree, and the first of them into a second tree of the same data
folder, edits both in every way (`edits.py`), and asks after each edit by library, command line and
a running server of each. Every citation is compared with the disk; what was just written must be
found, what is gone must not; what a server says to have shown before, it must have sent with the
very text that is on the disk now. First measures what the look at the tree adds.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Self

from codeindex import Index
from codeindex.errors import LockedError
from tests.conftest import own_data
from tests.soak.edits import Tree, edit

QUESTIONS = (
    "where are retries limited",
    "parse the configuration file",
    "close the connection when the client goes away",
    "quokka smile",
    "what calls close",
    "how is the cache cleared",
    "write the response headers",
)
EVERY = {"library": 1, "server": 3, "command line": 40}
"""After how many edits a surface is asked: a command takes half a second to start."""
COSTS = 200
"""Questions of each kind that costs are measured by."""


class Citation(NamedTuple):
    """Lines of a file as an answer shows them."""

    path: str
    start_line: int
    lines: Sequence[str]


@dataclass(slots=True)
class Shown:
    """The numbered lines that one conversation was sent, by file; empty ones do not count."""

    sent: set[tuple[str, int, str]] = field(default_factory=set)
    withheld: int = 0

    def wrong(self, root: Path, answer: Mapping[str, Any]) -> Iterator[str]:
        """Note what an answer shows; yield the results that are wrongly said to be shown before."""
        hits = [*answer.get("results", ()), *answer.get("navigation", ())]
        for hit in hits:
            if hit.get("shown") == "seen" and not hit.get("has_secrets"):
                self.withheld += 1
                if not set(_lines_on_disk(root, hit)) <= self.sent:
                    yield f"{hit['file_path']}:{hit['start_line']}-{hit['end_line']}"
        for hit in hits:
            for number, line in enumerate(hit.get("content", "").split("\n"), hit["start_line"]):
                self.sent.add((hit["file_path"], number, line.rstrip("\r")))


def _lines_on_disk(root: Path, hit: Mapping[str, Any]) -> Iterator[tuple[str, int, str]]:
    try:
        lines = (root / hit["file_path"]).read_text("utf-8").rstrip("\n").split("\n")
    except UnicodeDecodeError:
        return  # shown in another encoding
    for number in range(hit["start_line"], min(hit["end_line"], len(lines)) + 1):
        if line := lines[number - 1].rstrip("\r"):  # empty ones at the end are not sent
            yield hit["file_path"], number, line


@dataclass(slots=True)
class Tally:
    """What came of all questions."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def judge(self, tree: Tree, surface: str, asked: str, answer: Mapping[str, Any]) -> bool:
        """Compare an answer with the disk; True if it said that something was left out."""
        citations = list(_citations(answer))
        unread = answer.get("meta", {}).get("unread") or {}
        self.counts[f"questions by {surface}"] += 1
        self.counts["citations"] += len(citations)
        self.counts["files refreshed"] += answer.get("coverage", {}).get("refreshed", 0)
        for one in citations:
            if not _is_true(tree.root, one):
                self._note("stale citations", f"{surface}: {asked!r} gave {one}")
        said = {name for one in citations for line in one.lines for name in _marks_in(line)}
        places = {one["file_path"] for one in answer.get("results", ())}  # some show no text
        if asked in tree.marks and asked not in said:
            where = tree.marks[asked].relative_to(tree.root).as_posix()
            if where in places:
                pass
            elif unread:
                self.counts["left out, and said"] += 1
            else:
                self._note("missed new files", f"{surface}: {asked!r} in {where}")
        if asked in tree.gone and asked in said:
            self._note("stale citations", f"{surface}: {asked!r} is gone")
        return bool(unread)

    def judge_shown(self, root: Path, shown: Shown, answer: Mapping[str, Any]) -> None:
        """Note each result that a server marks as shown before though it has not sent that text."""
        before = shown.withheld
        for place in shown.wrong(root, answer):
            self._note("withheld and not shown", f"server: {place}")
        self.counts["results withheld as shown"] += shown.withheld - before

    def _note(self, what: str, sentence: str) -> None:
        self.counts[what] += 1
        self.wrong.append(sentence)


def _marks_in(line: str) -> Iterator[str]:
    for word in line.replace("(", " ").split():
        if word.startswith("quokka"):
            yield word


def _citations(answer: Mapping[str, Any]) -> Iterator[Citation]:
    for one in (*answer.get("results", ()), *answer.get("navigation", ())):
        if not one.get("has_secrets") and one.get("content"):
            text = one["content"].split("\n")[: one["end_line"] - one["start_line"] + 1]
            yield Citation(one["file_path"], one["start_line"], text)
    for one in answer.get("symbols", ()):
        yield Citation(one["file"], one["line"], [one["name"].rpartition(".")[2]])


def _is_true(root: Path, cited: Citation) -> bool:
    """Tell whether the disk has these lines; of a symbol, whether its line holds the name."""
    path = root / cited.path
    if not path.is_file():
        return False
    try:
        there = path.read_text("utf-8").split("\n")
    except UnicodeDecodeError:
        return True  # shown in another encoding
    first = cited.start_line - 1
    pairs = zip(cited.lines, there[first : first + len(cited.lines)], strict=False)
    is_name = len(cited.lines) == 1 and cited.lines[0].isidentifier()
    return first < len(there) and all(
        shown in real if is_name else shown.rstrip("\r") == real.rstrip("\r")
        for shown, real in pairs
    )


class Server:
    """`codeindex serve` in a process of its own, spoken to over pipes."""

    def __init__(self, root: Path) -> None:
        command = [sys.executable, "-P", "-m", "codeindex", "serve", "--structured"]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, cwd=root, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
        )
        self._number = 0
        client = {"name": "soak", "version": "1"}
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        self._request("initialize", hello)
        self._write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def call(self, tool: str, **given: Any) -> Mapping[str, Any]:
        result = self._request("tools/call", {"name": tool, "arguments": given})
        found: Mapping[str, Any] = result.get("structuredContent") or {"error": result}
        return found

    def _write(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def _request(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        self._number += 1
        self._write({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        assert self._process.stdout
        while True:
            answer = json.loads(self._process.stdout.readline())
            if answer.get("id") == self._number:
                return answer["result"]  # type: ignore[no-any-return]


def by_command(root: Path, asked: str) -> Mapping[str, Any]:
    words = ["search", "--json", asked, str(root)]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "codeindex", *words], capture_output=True, check=False
    )
    return json.loads(done.stdout)  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Site:
    """A tree under edit, and two who answer questions about it."""

    tree: Tree
    index: Index
    server: Server
    shown: Shown


@contextmanager
def opened(root: Path, *, seed: int, first_mark: int = 0) -> Iterator[Site]:
    """Open an index that is there, and start a server."""
    with Index.open(root) as index, Server(root) as server:
        tree = Tree(root, random.Random(seed), made=first_mark)
        yield Site(tree, index, server, Shown())


def storm(sites: Sequence[Site], edits: int, tally: Tally) -> None:
    """Edit the trees in turn, and ask about them."""
    for number in range(1, edits + 1):
        site = sites[number % len(sites)]
        tally.counts[f"edits: {edit(site.tree)}"] += 1
        tally.counts["edits"] += 1
        if site.tree.chance.random() >= 0.3:  # else several edits before the next question
            _ask(site, number // len(sites), tally)
        if number % 10 == 0:  # a user's rule in one tree may change what another holds
            _ask(sites[(number + 1) % len(sites)], number // len(sites), tally)


def _ask(site: Site, number: int, tally: Tally) -> None:
    """Ask about a tree; what an answer says to be left out is synced, as it advises."""
    tree, index, server = site.tree, site.index, site.server
    for asked in _asked(tree):
        left = tally.judge(tree, "library", asked, index.search(asked).as_dict())
        found = index.symbols.lookup(asked.rpartition(" ")[2]).as_dict()
        tally.judge(tree, "library", asked if asked in tree.gone else "", found)
        if number % EVERY["server"] == 0:
            answer = server.call("search_code", query=asked, budget=0)
            tally.judge(tree, "server", asked, answer)
            tally.judge_shown(tree.root, site.shown, answer)
            answer = server.call("find", query=asked.rpartition(" ")[2], mode="symbol")
            tally.judge(tree, "server", "", answer)
        if number % EVERY["command line"] == 0:
            tally.judge(tree, "command line", asked, by_command(tree.root, asked))
        if left:
            tally.counts["syncs that were advised"] += 1
            patiently(lambda: index.sync(structure_only=True))


def _asked(tree: Tree) -> Iterator[str]:
    if tree.marks:
        yield tree.chance.choice([max(tree.marks), *sorted(tree.marks)])
    if tree.gone:
        yield tree.chance.choice([tree.gone[-1], *tree.gone])
    yield tree.chance.choice(QUESTIONS)


def patiently(sync: Callable[[], object]) -> None:
    """Sync once the server has had its turn."""
    while True:
        try:
            sync()
        except LockedError:
            time.sleep(0.1)
        else:
            return


def costs(root: Path) -> Iterator[tuple[str, str]]:
    """Yield what freshness adds to a warm question, in processor time."""
    with Index.open(root) as index:
        yield from _cost(index, "question, nothing touched since the last")
    with Index.open(root) as index:
        index._session.resources.tree_scan(root).close()  # drops the inotify watches
        yield from _cost(index, "question, with a look")


def _cost(index: Index, what: str) -> Iterator[tuple[str, str]]:
    whole, fresh = [], []
    for number in range(COSTS):
        started = time.process_time()
        index._runner.freshness.refresh()
        fresh.append(time.process_time() - started)
        index.search(QUESTIONS[number % len(QUESTIONS)])
        whole.append(time.process_time() - started)
    for name, seconds in ((what, whole), ("  of it freshness", fresh)):
        ordered = sorted(seconds)
        p50, p95 = ordered[COSTS // 2], ordered[int(COSTS * 0.95)]
        yield name, f"min {ordered[0] * 1000:.1f}, p50 {p50 * 1000:.1f}, p95 {p95 * 1000:.1f} ms"


@contextmanager
def copied(repositories: Sequence[Path], root: Path) -> Iterator[Path]:
    """Copy repositories into a new git repository, index it, and yield its root."""
    for one in repositories:
        shutil.copytree(one, root / one.name, ignore=shutil.ignore_patterns(".git"), symlinks=True)
    for words in (("init", "-q"), ("add", "-A")):
        subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)
    with Index.open(root) as index:
        files = index.sync(structure_only=True).added
    print(f"{f'files of {root.name}':34} {files:,}")
    yield root
    shutil.rmtree(root)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repositories", type=Path, nargs="+")
    parser.add_argument("--edits", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--home", type=Path)
    given = parser.parse_args()
    home = given.home or Path(tempfile.mkdtemp())
    home.mkdir(exist_ok=True)
    tally = Tally()
    with (
        own_data(home),
        copied(given.repositories, home / "tree") as tree,
        copied(given.repositories[:1], home / "other") as other,
    ):
        for what, figure in costs(tree):
            print(f"{what:42} {figure}")
        with (
            opened(tree, seed=given.seed) as one,
            opened(other, seed=given.seed + 1, first_mark=50_000) as two,
        ):
            storm((one, two), given.edits, tally)
    for what in ("stale citations", "missed new files", "withheld and not shown"):
        tally.counts.setdefault(what, 0)
    for what, count in sorted(tally.counts.items()):
        print(f"{what:34} {count:,}")
    print(*tally.wrong[-20:], sep="\n")
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
