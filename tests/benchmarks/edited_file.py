"""The edits, questions and clock that `codeindex_steps.py` and `semble_steps.py` share.

It uses the standard library alone, since both environments import it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from string import ascii_lowercase

EDITS, QUERIES = 8, 40
_COMMENT = dict.fromkeys((".c", ".cpp", ".rs", ".java", ".go", ".ts", ".js"), "//") | dict.fromkeys(
    (".py", ".rb"), "#"
)
"""The mark before a comment, by the suffix of a source file."""
_SHAPES = ("{}", "how does {} work", "what calls {}", "where is {} handled")


def changed_files() -> Iterator[str]:
    """Yield the word that each edit adds; the first edit only starts what the others need."""
    yield from (f"quaggazebra{letter}okapi" for letter in ascii_lowercase[: EDITS + 1])


@contextmanager
def edited(root: Path, word: str) -> Iterator[str]:
    """Add a line with a word to a source file of middling size, and restore the file afterwards.

    Yield the path of the file.
    """
    files = source_files(root)
    file = files[len(files) // 2]
    original = file.read_bytes()
    file.write_bytes(original + f"\n{_COMMENT[file.suffix]} {word}\n".encode())
    try:
        yield file.relative_to(root).as_posix()
    finally:
        file.write_bytes(original)


def queries(root: Path) -> list[str]:
    """Make questions of four kinds out of words of the file names."""
    files = sorted(source_files(root), key=str)
    names = [files[at * len(files) // QUERIES].stem for at in range(QUERIES)]
    words = [" ".join(re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", name)) or name for name in names]
    return [_SHAPES[at % len(_SHAPES)].format(word) for at, word in enumerate(words)]


def seconds_of(action: Callable[[], object]) -> float:
    """Return the elapsed seconds of a call."""
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun


def source_files(root: Path) -> list[Path]:
    """Return the source files, smallest first."""
    tracked = (path for path in root.rglob("*") if path.suffix in _COMMENT and path.is_file())
    return sorted(tracked, key=lambda path: (path.stat().st_size, str(path)))
