"""What `Index.search` returns for questions, at each level of evidence that an index can have."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import pytest

from codeindex import Index
from codeindex.types import Hit

Level = Literal["words", "token", "model"]
LEVELS: tuple[Level, ...] = get_args(Level)
SHOWN = 50
"""Hits that are asked for: ten different files are among them."""


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of one hit, or of one answer; both ends are included."""

    path: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Answered:
    """The hits of one question, best first; `milliseconds` is the time of the call."""

    hits: tuple[Lines, ...]
    milliseconds: float

    @property
    def files(self) -> tuple[str, ...]:
        """The different files of the hits, best first."""
        return tuple(dict.fromkeys(one.path for one in self.hits))


@contextmanager
def indexed(tree: Path, level: Level, home: Path) -> Iterator[Index]:
    """Open an index of a tree that has this level of evidence, and bring it up to date.

    The data folder is `structure` in `home` for words and token vectors, which differ in what a
    search uses, and `model` for the model's vectors.
    """
    folder = home / ("model" if level == "model" else "structure")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CODEINDEX_HOME", str(folder))
        patch.delenv("CODEINDEX_EMBEDDING_MODEL", raising=False)
        with Index.open(tree, root=True, flags={}) as index:
            index.sync(structure_only=level != "model")
        flags = {"embedding.model": "none"} if level == "words" else {}
        with Index.open(tree, root=True, flags=flags) as index:
            yield index


def asked(index: Index, texts: Iterable[str]) -> list[Answered]:
    """Ask questions, after one that warms the index up."""
    index.search("what is this", limit=1)
    return [_answered(index, text) for text in texts]


def _answered(index: Index, text: str) -> Answered:
    started = time.perf_counter()
    found = index.search(text, limit=SHOWN)
    milliseconds = 1000 * (time.perf_counter() - started)
    return Answered(tuple(map(_lines, found.hits)), milliseconds)


def _lines(hit: Hit) -> Lines:
    return Lines(hit.path, hit.start_line, hit.end_line)
