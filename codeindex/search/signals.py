"""What speaks for a file, as named numbers between 0 and 1, one column a signal.

What was tried and failed (comments as a field, twins, co-change, subtypes, feedback, learned
vocabulary, neighbours in the graph, means over chunks; what documents, tests and commits say of a
file; neighbours of words) is in docs/quality.md, with figures.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from codeindex.languages import LANGUAGES
from codeindex.search.corpus import Corpus, folder_words, stem_words
from codeindex.search.retrieve import Definition, Scores

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]
    Ints = npt.NDArray[np.int64]

SIGNALS = (
    "words_best",
    "file_bm25",
    "file_said",
    "coverage",
    "placed",
    "dense",
    "dense_top",
    "token",
    "token_top",
    "stem",
    "folder",
    "definition",
    "centrality",
    "test",
    "example",
    "generated",
    "reexport",
    "data",
    "prose",
    "size",
)
"""Names of the columns, in order; `weights.py` has one number for each."""

_TOP = 100
"""Chunks that count for coherence."""
_LARGE = 8.0
"""Logarithm of the lines of a large file: 3,000."""
_EXAMPLE = re.compile(
    r"(?:^|/)(?:_?examples?|samples?|demos?|bench(?:marks?|es)?|vendor|vendored|third_?party|external"
    r"|compat|legacy|deprecated|fixtures?|mocks?|playground|e2e|stories)(?:/|$)",
    re.IGNORECASE,
)
_REEXPORT = re.compile(r"(?:^|/)(?:__init__\.pyi?|index\.[cm]?[jt]sx?|[^/]*\.d\.[cm]?ts)$")


def file_signals(corpus: Corpus, files: Ints, scores: Scores) -> Floats:
    """Return a row for each candidate file, a column for each of `SIGNALS`."""
    columns = {**_query_columns(corpus, files, scores), **_own_columns(corpus, files)}
    return np.stack([np.asarray(columns[name], dtype=np.float32) for name in SIGNALS], axis=1)


def _query_columns(corpus: Corpus, files: Ints, scores: Scores) -> dict[str, Floats | list[float]]:
    """Measure what the query says for each file."""
    found = scores.words
    wanted = frozenset(scores.terms)
    near, rough = _dense_columns(corpus, files, scores)
    paths = [corpus.paths[file] for file in files]
    return {
        "words_best": _share(corpus.best_of_file(found.bm25))[files],
        "file_bm25": _share(scores.whole.bm25)[files],
        "file_said": _share(scores.whole.said)[files],
        "coverage": corpus.best_of_file(found.anywhere)[files],
        "placed": corpus.best_of_file(found.path)[files],
        "dense": near,
        "dense_top": _coherent(corpus, files, scores.dense),
        "token": rough,
        "token_top": _coherent(corpus, files, scores.token),
        "stem": [_overlap(stem_words(path), wanted) for path in paths],
        "folder": [_overlap(folder_words(path), wanted) for path in paths],
        "definition": _definition_column(corpus, files, scores.defined),
    }


def _own_columns(corpus: Corpus, files: Ints) -> dict[str, Floats | list[float]]:
    """Measure what speaks for or against each file whatever is asked."""
    paths = [corpus.paths[file] for file in files]
    languages = [LANGUAGES[corpus.languages[file]] for file in files]
    return {
        "centrality": corpus.centrality[files],
        "test": corpus.is_test[files].astype(np.float32),
        "example": [_is_example(path) for path in paths],
        "generated": corpus.is_generated[files].astype(np.float32),
        "reexport": [_is_reexport(path) for path in paths],
        "data": [float(not one.symbols and not one.prose) for one in languages],
        "prose": [float(one.prose) for one in languages],
        "size": np.minimum(np.log1p(corpus.lines[files]) / _LARGE, 1.0).astype(np.float32),
    }


@functools.lru_cache(maxsize=65_536)
def _is_example(path: str) -> float:
    return float(bool(_EXAMPLE.search(path)))


@functools.lru_cache(maxsize=65_536)
def _is_reexport(path: str) -> float:
    return float(bool(_REEXPORT.search(path)))


def _share(values: Floats) -> Floats:
    shares: Floats = values / max(float(values.max(initial=0.0)), 1e-6)
    return shares


def _spread(values: Floats, present: npt.NDArray[np.bool_]) -> Floats:
    """Stretch similarities to 0..1 over the candidates that have one."""
    if not present.any():
        return np.zeros_like(values)
    low, high = values[present].min(), values[present].max()
    shares: Floats = np.clip((values - low) / max(float(high - low), 1e-6), 0.0, 1.0)
    return shares


def _dense_columns(corpus: Corpus, files: Ints, scores: Scores) -> tuple[Floats, Floats]:
    """Where the model has not been yet, the token vectors stand in for it."""
    has_dense = np.zeros(len(corpus.paths), dtype=bool)
    has_dense[corpus.chunk_file[corpus.dense.present]] = True
    near = corpus.best_of_file(scores.dense)[files]
    rough = corpus.best_of_file(scores.token)[files]
    rough = _spread(rough, np.ones(len(files), dtype=bool))
    present = has_dense[files]
    if not present.any():
        return np.zeros_like(rough), rough
    filled: Floats = np.where(present, _spread(near, present), rough)
    return filled, rough


def _coherent(corpus: Corpus, files: Ints, scores: Floats) -> Floats:
    """How much of the best hundred chunks is a file's: a subject's central file has many."""
    count = min(_TOP, len(scores))
    if not count or not scores.any():
        return np.zeros(len(files), dtype=np.float32)
    top = np.argpartition(-scores, count - 1)[:count]
    floor = float(scores[top].min())
    above = np.zeros_like(scores)
    above[top] = scores[top] - floor
    return _share(np.sqrt(corpus.sum_of_file(above)))[files]


def _overlap(mine: frozenset[str], wanted: frozenset[str]) -> float:
    """Share of a name's own words that the query says."""
    return len(mine & wanted) / len(mine) if mine else 0.0


def _definition_column(corpus: Corpus, files: Ints, defined: Iterable[Definition]) -> Floats:
    strength: dict[int, float] = {}
    for one in defined:
        strength[one.file_id] = max(one.strength, strength.get(one.file_id, 0.0))
    ids = corpus.file_ids[files].tolist()
    return np.array([strength.get(one, 0.0) for one in ids], dtype=np.float32)
