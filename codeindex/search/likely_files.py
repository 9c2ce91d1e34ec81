"""Choose the files that are likeliest to answer a question before any file is indexed.

Each file is read once, as bytes. Occurrences of the words of the question in it and in its path
are counted. Nothing is parsed, and nothing is kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from codeindex.files.safe_open import open_beneath
from codeindex.languages import LANGUAGES
from codeindex.search.filters import SearchableFiles, file_mask
from codeindex.text.words import normal_form, query_words, stemmed_parts
from codeindex.types import Filters, SourceFile
from codeindex.types.array_types import Floats

MOST_FILES, _MOST_BYTES = 60, 1_000_000
"""Most files that are chosen, and their size in all. See docs/benchmarks.md, "To the first
answer of a new repository"."""
_SURE_FILES = 5
"""The likeliest files, which are chosen whatever their size."""
_MOST_WORDS = 32
"""Words of a question that are counted: each costs a pass over all files."""
_SHORTEST_INSIDE = 4
"""Least letters of a word that is counted inside of other words."""
_LENGTH_SHARE, _SATURATION, _PATH_WEIGHT, _TEST_WEIGHT = 0.5, 2.0, 2.0, 0.5
"""BM25's b and k1, the weight of a word in a path, and the factor of a test's score. Each value
within a factor of two of these chooses the file of the first hit for 98 to 100 % of questions."""


def choose_likely_files(
    root: Path, files: Sequence[SourceFile], question: str, filters: Filters
) -> tuple[SourceFile, ...]:
    """Return the files that are likeliest to answer a question, the likeliest first.

    Only files that pass the filters are read; `filters.module` must be empty, because modules are
    not known yet. The result is empty if no file has a word of the question.
    """
    words = query_words(normal_form(question))[:_MOST_WORDS]
    texts = [file for file in _filtered(files, filters) if not LANGUAGES[file.language].document]
    if not texts:
        return ()
    counts, sizes = _count_words(root, texts, words)
    scores = _score_files(texts, words, counts, sizes)
    order = np.argsort(-scores, kind="stable").tolist()
    return tuple(_within_limits([texts[at] for at in order if scores[at] > 0]))


def _filtered(files: Sequence[SourceFile], filters: Filters) -> list[SourceFile]:
    columns = SearchableFiles(
        ids=tuple(range(len(files))),
        paths=tuple(file.path for file in files),
        languages=tuple(file.language for file in files),
        modules=("",) * len(files),
        is_test=np.array([file.is_test for file in files], dtype=bool),
    )
    mask = file_mask(columns, filters)
    return [file for file, passes in zip(files, mask, strict=True) if passes]


def _count_words(
    root: Path, files: Sequence[SourceFile], words: Sequence[str]
) -> tuple[Floats, Floats]:
    """Return (counts, sizes in bytes) of files.

    `counts` has a row for each file and a column for each word: how often the file has the word.
    Both are 0 for a file that cannot be read.
    """
    counters = [_word_counter(word) for word in words]
    counts = np.zeros((len(files), len(words)), dtype=np.float32)
    sizes = np.zeros(len(files), dtype=np.float32)
    for row, file in enumerate(files):
        try:
            with open_beneath(root, file.path) as handle:
                data = handle.read()
        except OSError:
            continue  # the sync reads it again and reports it
        folded = data.lower().replace(b"_", b"")
        counts[row] = [count(data, folded) for count in counters]
        sizes[row] = len(data)
    return counts, sizes


def _word_counter(word: str) -> Callable[[bytes, bytes], int]:
    """Return a function that counts a stemmed word in the content of a file.

    Its arguments are the content, and the content in lower case without `_`. A short word counts
    only at the start of a part of a name: `log` in `logFile` and `LOG_FILE`, not in `catalog`.
    """
    start = word[:-1] if word.endswith("y") and len(word) > _SHORTEST_INSIDE else word
    if len(start) >= _SHORTEST_INSIDE or not start.isascii():
        encoded = start.encode(errors="replace")
        return lambda _, folded: folded.count(encoded)
    small, capital, great = (re.escape(form) for form in (start, start.capitalize(), start.upper()))
    pattern = re.compile(
        f"(?<![A-Za-z]){small}|{capital}(?![A-Z])|(?<![A-Z]){great}(?![A-Z])".encode()
    )
    return lambda data, _: len(pattern.findall(data))


def _score_files(
    files: Sequence[SourceFile], words: Sequence[str], counts: Floats, sizes: Floats
) -> Floats:
    """Return a score for each file: BM25 of the counts of its words, plus the words in its path.

    Tests have lower scores.
    """
    holding = (counts > 0).sum(axis=0)
    idf = np.log1p((len(files) - holding + 0.5) / (holding + 0.5))
    length = sizes / max(float(sizes.mean()), 1.0)
    room = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * length)
    scores = (counts * (1 + _SATURATION) / (counts + room[:, None])) @ idf
    for row, file in enumerate(files):
        parts = set(stemmed_parts(file.path))
        scores[row] += _PATH_WEIGHT * idf[[word in parts for word in words]].sum()
        scores[row] *= _TEST_WEIGHT if file.is_test else 1.0
    chosen: Floats = scores
    return chosen


def _within_limits(files: Sequence[SourceFile]) -> Iterator[SourceFile]:
    """Yield the first files, at most `MOST_FILES` with at most `_MOST_BYTES` together.

    Files that would exceed the size are left out, except among the first `_SURE_FILES`.
    """
    count = size = 0
    for file in files:
        if count >= MOST_FILES:
            return
        if count < _SURE_FILES or size + file.size <= _MOST_BYTES:
            count, size = count + 1, size + file.size
            yield file
