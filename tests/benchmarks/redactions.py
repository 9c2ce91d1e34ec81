"""What would be taken out of real repositories, how often, and how long it takes.

    python tests/benchmarks/redactions.py REPOSITORY... [--sample 5]

Prints redactions a thousand lines by kind, then a sample of each kind for review: its line, with
the secret masked so that its shape shows and nothing else (`a` small, `A` capital, `9` digit).
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from codeindex.ingest.read.decode import NotTextError, decode
from codeindex.secrets import REDACTION_MARK, is_secret_file, is_settings_file, redact

_LARGEST = 1024 * 1024
_WIDTH = 100
_CLASSES = ((re.compile(r"[a-z]"), "a"), (re.compile(r"[A-Z]"), "A"), (re.compile(r"\d"), "9"))


@dataclass(frozen=True, slots=True)
class Found:
    """One redaction: its kind, its place, and its line with the secret masked."""

    kind: str
    place: str
    line: str


@dataclass(slots=True)
class Tally:
    """What was read of one repository."""

    name: str
    lines: int = 0
    characters: int = 0
    seconds: float = 0.0
    findings: int = 0


def texts(root: Path) -> Iterator[tuple[str, str]]:
    """Yield the files of a repository that could be indexed."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True)
    for path in listed.stdout.decode("utf-8", "replace").split("\0"):
        file = root / path
        if not path or is_secret_file(path) or file.is_symlink() or not file.is_file():
            continue
        if file.stat().st_size <= _LARGEST:
            try:
                yield path, decode(file.read_bytes())
            except NotTextError:
                continue


def masked(before: str, after: str) -> str:
    """Return the line with what was taken out as a mask of its letters."""
    pattern = "(.+?)".join(re.escape(one) for one in after.split(REDACTION_MARK))
    found = re.fullmatch(pattern, before)
    if not found:
        return after
    parts = after.split(REDACTION_MARK)
    masks = [_mask(one) for one in found.groups()]
    return "".join(part + mask for part, mask in zip(parts, [*masks, ""], strict=True)).strip()


def _mask(secret: str) -> str:
    for letters, sign in _CLASSES:
        secret = letters.sub(sign, secret)
    return f"«{secret[:40]}»"


def review(root: Path, tally: Tally) -> Iterator[Found]:
    for path, text in texts(root):
        begun = time.process_time()
        found = redact(text, settings=is_settings_file(path))
        tally.seconds += time.process_time() - begun
        tally.lines += text.count("\n")
        tally.characters += len(text)
        tally.findings += len(found.findings)
        before, after = text.split("\n"), found.text.split("\n")
        for one in found.findings:
            line = masked(before[one.line - 1], after[one.line - 1])
            yield Found(one.rule, f"{root.name}/{path}:{one.line}", line[:_WIDTH])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--sample", type=int, default=5)
    given = parser.parse_args()
    tallies = [Tally(one.name) for one in given.repositories]
    by_kind: dict[str, list[Found]] = defaultdict(list)
    for root, tally in zip(given.repositories, tallies, strict=True):
        for found in review(root, tally):
            by_kind[found.kind].append(found)
    for one in tallies:
        rate = 1000 * one.findings / max(one.lines, 1)
        speed = 1e9 * one.seconds / max(one.characters, 1)
        counts = f"{one.lines:9,} lines {one.findings:5} taken out {rate:7.3f} a thousand"
        print(f"{one.name:14} {counts} {speed:6.0f} ms/MB")
    lines = sum(one.lines for one in tallies)
    for kind, ones in sorted(by_kind.items(), key=lambda item: -len(item[1])):
        print(f"\n{kind}: {len(ones)}, {1000 * len(ones) / max(lines, 1):.3f} a thousand lines")
        for example in random.Random(1).sample(ones, min(given.sample, len(ones))):
            print(f"  {example.place[-50:]:50} {example.line}")


if __name__ == "__main__":
    main()
