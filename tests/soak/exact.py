"""Every line that `Index.exact.grep` finds and that `grep -rn` finds, and why they differ.

    python -m tests.soak.exact REPO...

Each repository is a work tree; what has no index is indexed into CODEINDEX_HOME. Literals are drawn
from the files by a fixed seed: names, pieces of lines, punctuation, single letters, some in either
case (`-i`) and some as whole words (`-w`). Regular expressions are the list below; `grep -P` is
told to know Unicode, as Python's `re` does, and `grep -E` is asked where both dialects say the
same. A line that only one of them has is explained by the file (not indexed, and why; not UTF-8),
by a secret that was taken out of it, or by a CR that grep takes for a character; what is left is
printed, and fails the run.
"""

from __future__ import annotations

import codecs
import os
import random
import re
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from codeindex import Index

LITERALS = 48
SHARED = (
    r"TODO|FIXME|XXX",
    r"^(class|def|function|func|public|static) ",
    r"[A-Z]{3,}_[A-Z]+",
    r"==|!=|<=|>=",
    r"[0-9]+\.[0-9]+\.[0-9]+",
    r"\(\)$",
    r"^$",
)
"""Regular expressions that mean the same to `grep -E`, `grep -P` and Python."""
OWN = (
    r"\breturn\s+(true|false|null|nil|None)\b",
    r"\bif\b.*\breturn\b",
    r"https?://[^\s\"'<>)]+",
    r"(\w+)\.\1\b",
    r"\w+(?=\(\))",
    r"(?<!\w)_\w+",
    r"(?i)error",
    r"^.{120,}$",
    r"[^\x00-\x7F]",
    r"\d{4,}",
    r"\s+$",
    r"\"[^\"]*\"\s*,",
    r"0x[0-9a-fA-F]+",
    r"^\s*(#|//|/\*|\*)",
    r"(foo|bar|baz)+",
    r"\bnew\s+\w+(\.\w+)*\(",
    r"x{2}|y{2,3}",
    r"[\w.]+@[\w.]+",
)
"""Regular expressions of `grep -P` and Python."""
Kind = Literal["literal", "regex"]


class Asked(NamedTuple):
    """A question for both."""

    kind: Kind
    text: str
    flags: tuple[str, ...]
    """Those of grep that say what kind of pattern it is, and how it is meant."""


class At(NamedTuple):
    """A line of a file."""

    path: str
    line: int


@dataclass(slots=True)
class Tally:
    """What was compared, in lines."""

    ours: int = 0
    theirs: int = 0
    same: int = 0
    differences: Counter[str] = field(default_factory=Counter)
    unexplained: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    greps: list[float] = field(default_factory=list)


def literals(texts: Mapping[str, str], chance: random.Random) -> Iterator[Asked]:
    """Draw literals of all sorts from texts."""
    lines = [one.strip() for text in texts.values() for one in text.split("\n")]
    lines = [one for one in lines if len(one) > 8 and one.isascii()]
    for number in range(LITERALS):
        line = chance.choice(lines)
        names = re.findall(r"\w{3,}", line) or [line]
        start = chance.randrange(max(1, len(line) - 6))
        match number % 8:
            case 0 | 1:
                yield Asked("literal", chance.choice(names), ("-F",))
            case 2:
                yield Asked("literal", chance.choice(names)[1:-1], ("-F",))
            case 3:
                yield Asked("literal", line[start : start + chance.randrange(4, 30)], ("-F",))
            case 4:
                yield Asked("literal", line, ("-F",))
            case 5:
                yield Asked("literal", line[start : start + chance.randrange(1, 3)], ("-F",))
            case 6:
                yield Asked("literal", chance.choice(names).swapcase(), ("-F", "-i"))
            case _:
                yield Asked("literal", chance.choice(names), ("-F", "-w"))


def questions(texts: Mapping[str, str], chance: random.Random) -> Iterator[Asked]:
    yield from (one for one in literals(texts, chance) if one.text.strip())
    yield from (Asked("regex", one, ("-E",)) for one in SHARED)
    yield from (Asked("regex", one, ("-P",)) for one in (*SHARED, *OWN))


def of_grep(root: Path, asked: Asked) -> dict[At, bytes]:
    """Ask grep, of all files but git's own; bytes that are no text are searched too."""
    pattern = f"(*UCP){asked.text}" if "-P" in asked.flags else asked.text
    command = ("grep", "-rnaHZ", "--exclude-dir=.git", *asked.flags, "-e", pattern, ".")
    done = subprocess.run(
        command, cwd=root, capture_output=True, env={**os.environ, "LC_ALL": "C.UTF-8"}, check=False
    )
    if done.returncode > 1 and not done.stdout:
        raise SystemExit(f"{command}: {done.stderr.decode(errors='replace')}")
    found = {}
    for line in done.stdout.split(b"\n"):
        path, nul, rest = line.partition(b"\0")
        number, _, text = rest.partition(b":")
        if nul and number.isdigit():
            found[At(os.fsdecode(path.removeprefix(b"./")), int(number))] = text
    return found


def of_index(index: Index, asked: Asked) -> dict[At, str]:
    found = index.exact.grep(
        asked.text,
        mode="exact" if asked.kind == "literal" else "regex",
        case="ignore" if "-i" in asked.flags else "exact",
        whole_words="-w" in asked.flags,
    )
    assert found.total_count == len(found.lines)
    return {At(one.path, one.line): one.text for one in found.lines}


class Explained:
    """Says why a line is not the same for both."""

    def __init__(self, index: Index) -> None:
        self._root = index.root
        self._left_out = {one.path: one.reason for one in index.skipped()}
        self._redacted = {(one.file, one.line) for one in index.overview.secrets().secrets}
        self._bytes: dict[str, bytes] = {}

    def why(self, at: At) -> str:
        """Return the reason, nothing if there is none."""
        data = self._data(at.path)
        if reason := self._skipped(at.path):
            return reason
        if at.line == 1 and data.startswith(codecs.BOM_UTF8):
            return "a byte order mark stands before the line"
        if encoding := _encoding(data):
            return f"the file is {encoding}"
        if self._near_secret(at):
            return "a secret was taken out"
        return _by_ends(data, at.line)

    def _near_secret(self, at: At) -> bool:
        """Tell whether a secret is here, or one of several lines, such as a key, may reach it."""
        return any(path == at.path and abs(line - at.line) < 40 for path, line in self._redacted)

    def _skipped(self, path: str) -> str:
        if path in self._left_out:
            reason = self._left_out[path]
            return "" if reason == "minified" else f"not indexed: {reason}"
        folders = [f"{folder.as_posix()}/" for folder in Path(path).parents]
        found = next((self._left_out[one] for one in folders if one in self._left_out), "")
        return f"not indexed: {found}" if found else ""

    def _data(self, path: str) -> bytes:
        if path not in self._bytes:
            try:
                self._bytes[path] = (self._root / path).read_bytes()
            except OSError:
                self._bytes[path] = b""
        return self._bytes[path]


def _by_ends(data: bytes, number: int) -> str:
    """Say what the ends of lines are, where grep takes them for something else."""
    lines = data.split(b"\n")
    if number <= len(lines) and lines[number - 1].endswith(b"\r"):
        return "the line ends with CR LF"
    return "the file has line ends of CR alone" if b"\r" in data.replace(b"\r\n", b"") else ""


def _encoding(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16"
    if b"\0" in data:
        return "text with NUL bytes"
    try:
        data.decode()
    except UnicodeDecodeError:
        return "not UTF-8"
    return ""


def compared(index: Index, asked: Asked, tally: Tally, explained: Explained) -> None:
    began = time.perf_counter()
    ours = of_index(index, asked)
    tally.seconds.append(time.perf_counter() - began)
    began = time.perf_counter()
    theirs = of_grep(index.root, asked)
    tally.greps.append(time.perf_counter() - began)
    tally.ours += len(ours)
    tally.theirs += len(theirs)
    for at in sorted(ours.keys() | theirs.keys()):
        if at in ours and at in theirs:
            said = theirs[at].decode(errors="replace").removesuffix("\r")
            if ours[at] == said:
                tally.same += 1
                continue
        if why := explained.why(at):
            tally.differences[why] += 1
        else:
            side = "ours" if at in ours else "grep's"
            tally.unexplained.append(f"{asked}: {at.path}:{at.line} is {side} alone or differs")


def texts_of(index: Index, paths: Iterable[str]) -> dict[str, str]:
    return {path: (index.root / path).read_text(errors="replace") for path in paths}


def main(roots: list[str]) -> int:
    failed = 0
    for root in roots:
        with Index.open(root) as index:
            index.sync(structure_only=True)
            chance, tally, explained = random.Random(7), Tally(), Explained(index)
            paths = index.files()
            asked = list(questions(texts_of(index, paths), chance))
            for one in asked:
                compared(index, one, tally, explained)
            kinds = Counter(one.kind for one in asked)
            ours, theirs = map(statistics.median, (tally.seconds, tally.greps))
            print(
                f"{index.repository.name}: {len(paths):,} files, {kinds['literal']} literals,"
                f" {kinds['regex']} regexes; lines: ours {tally.ours:,}, grep {tally.theirs:,},"
                f" same {tally.same:,}; p50 {ours * 1e3:.0f} ms, grep {theirs * 1e3:.0f} ms"
            )
            for why, count in tally.differences.most_common():
                print(f"    {count:>8,}  {why}")
            for sentence in tally.unexplained[:20]:
                print(f"    unexplained: {sentence}")
            failed += len(tally.unexplained)
    return bool(failed)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
