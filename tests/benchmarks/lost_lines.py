"""Count the lines that the parser loses, by language: `lost_lines.py TREE... [--show N]`.

A line is lost if it lies inside an error node of the syntax tree and in no definition or comment
that was recovered there, or if no parse covered it (`codeindex/ingest/parse/parse_loss.py`).
Lines are those of files with a grammar, empty lines included; files over a megabyte are left out.
A tree is any folder; with git, only tracked files count.
"""

from __future__ import annotations

import argparse
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from codeindex.ingest.parse.parser import parse_text
from codeindex.languages import language_for_path
from codeindex.types import SafeText

_MAX_BYTES = 1_000_000


def source_files(tree: Path, languages: Sequence[str]) -> Iterator[tuple[str, Path]]:
    """Yield the language and path of each file that has a grammar."""
    listed = subprocess.run(
        ["git", "-C", str(tree), "ls-files", "-z"], capture_output=True, check=False, text=True
    )
    paths = (
        [tree / path for path in listed.stdout.split("\0") if path]
        if listed.returncode == 0
        else sorted(tree.rglob("*"))
    )
    for path in paths:
        language = language_for_path(path.name)
        wanted = language and language.symbols and (not languages or language.name in languages)
        if language and wanted and path.is_file() and path.stat().st_size <= _MAX_BYTES:
            yield language.name, path


def measure(tree: Path, languages: Sequence[str], show: int) -> tuple[Counter[str], Counter[str]]:
    """Print the lost lines of one tree; return all lines and lost lines by language."""
    lines, lost = Counter[str](), Counter[str]()
    worst: defaultdict[str, list[tuple[int, int, str]]] = defaultdict(list)
    for name, path in source_files(tree, languages):
        text = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
        language = language_for_path(path.name)
        assert language
        loss = parse_text(language, SafeText(text), path.name).loss
        lines[name] += text.count("\n") + 1
        lost[name] += loss.lines
        worst[name].append((loss.lines, loss.line, str(path.relative_to(tree))))
    for name in sorted(lines):
        print(f"{tree.name:20} {name:12} {_share(lost[name], lines[name])}")
        for count, line, shown in sorted(worst[name], reverse=True)[:show]:
            print(f"    {count:6} lost, first error in {shown}:{line}")
    return lines, lost


def _share(lost: int, lines: int) -> str:
    return f"{lines:9} lines {lost:7} lost {100 * lost / max(lines, 1):7.3f} %"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trees", type=Path, nargs="+")
    parser.add_argument("--language", action="append", default=[], help="may be repeated")
    parser.add_argument("--show", type=int, default=0, help="print so many of the worst files")
    args = parser.parse_args()
    lines, lost = Counter[str](), Counter[str]()
    for tree in args.trees:
        tree_lines, tree_lost = measure(tree.resolve(), args.language, args.show)
        lines += tree_lines
        lost += tree_lost
    for name in sorted(lines):
        print(f"{'all':20} {name:12} {_share(lost[name], lines[name])}")


if __name__ == "__main__":
    main()
