"""What `Index.search` returns for questions, at each level of evidence that an index can have."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
import pytest

from codeindex import Index
from codeindex.types import Hit

Level = Literal["words", "token", "model"]
LEVELS: tuple[Level, ...] = get_args(Level)
_LONG = 60
"""Lines of a hit that may be longer than three times the place that it shows."""
SHOWN = 50
"""Hits that are asked for: ten different files are among them."""


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of one hit, or of one answer; both ends are included."""

    path: str
    first: int
    last: int

    def shows(self, place: Lines) -> bool:
        """Tell whether these lines of a hit show a place that answers."""
        of_hit, of_place = (self.first, self.last), (place.first, place.last)
        return self.path == place.path and bool(shows_lines(of_hit, of_place))


Numbers = int | npt.NDArray[np.integer[Any]]


def shows_lines(
    hit: tuple[Numbers, Numbers], place: tuple[int, int]
) -> np.bool_ | npt.NDArray[np.bool_]:
    """Tell which hits show a place of the same file; each is a first and a last line.

    A hit does if three quarters of its lines are the place's, or if it contains the first line of
    the place and is hardly longer: the rule of score_places.py.
    """
    (first, last), (start, end) = hit, place
    size = last - first + 1
    inside = np.minimum(last, end) - np.maximum(first, start) + 1
    begins = (first <= start) & (start <= last) & (size <= max(_LONG, 3 * (end - start + 1)))
    shown: np.bool_ | npt.NDArray[np.bool_] = (inside >= 0.75 * size) | begins
    return shown


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


@contextmanager
def words_alone(home: Path | None) -> Iterator[None]:
    """Keep indexes in `home`, else in a folder that is deleted afterwards, without any vectors."""
    with tempfile.TemporaryDirectory() as scratch, pytest.MonkeyPatch.context() as patch:
        patch.setenv("CODEINDEX_HOME", str(home or scratch))
        patch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
        yield


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
