"""What speaks for a file, as named numbers between 0 and 1, one column a signal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from codeindex.languages import LANGUAGES
from codeindex.search.corpus import Corpus, folder_words, stem_words
from codeindex.search.retrieve import Definition, WordScores

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]
    Ints = npt.NDArray[np.int64]

SIGNALS = (
    "words_best",
    "words_sum",
    "coverage",
    "named",
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

_EXAMPLE = re.compile(
    r"(?:^|/)(?:_?examples?|samples?|demos?|bench(?:marks?|es)?|vendor|vendored|third_?party|external"
    r"|compat|legacy|deprecated|fixtures?|mocks?|playground|e2e|stories)(?:/|$)",
    re.IGNORECASE,
)
_REEXPORT = re.compile(r"(?:^|/)(?:__init__\.pyi?|index\.[cm]?[jt]sx?|[^/]*\.d\.[cm]?ts)$")


def file_signals(
    corpus: Corpus,
    files: Ints,
    *,
    terms: Sequence[str],
    found: WordScores,
    dense: Floats,
    token: Floats,
    defined: Iterable[Definition],
) -> Floats:
    """Return a row for each candidate file, a column for each of `SIGNALS`."""
    best, total = corpus.best_of_file(found.bm25), corpus.sum_of_file(found.bm25)
    paths = [corpus.paths[file] for file in files]
    wanted = frozenset(terms)
    near, rough = _dense_columns(corpus, files, dense, token)
    columns = {
        "words_best": _share(best)[files],
        "words_sum": _share(np.sqrt(total))[files],
        "coverage": corpus.best_of_file(found.anywhere)[files],
        "named": corpus.best_of_file(found.names)[files],
        "placed": corpus.best_of_file(found.path)[files],
        "dense": near,
        "dense_top": _coherent(corpus, files, dense),
        "token": rough,
        "token_top": _coherent(corpus, files, token),
        "stem": [_overlap(stem_words(path), wanted) for path in paths],
        "folder": [_overlap(folder_words(path), wanted) for path in paths],
        "definition": _definition_column(corpus, files, defined),
        "centrality": corpus.centrality[files],
        "test": corpus.is_test[files],
        "example": [bool(_EXAMPLE.search(path)) for path in paths],
        "generated": corpus.is_generated[files],
        "reexport": [bool(_REEXPORT.search(path)) for path in paths],
        "data": [_is_data(corpus.languages[file]) for file in files],
        "prose": [LANGUAGES[corpus.languages[file]].prose for file in files],
        "size": np.minimum(np.log1p(corpus.lines[files]) / 8.0, 1.0),
    }
    return np.stack([np.asarray(columns[name], dtype=np.float32) for name in SIGNALS], axis=1)


def _share(values: Floats) -> Floats:
    return values / max(float(values.max(initial=0.0)), 1e-6)


def _spread(values: Floats, present: npt.NDArray[np.bool_]) -> Floats:
    """Stretch similarities to 0..1 over the candidates that have one."""
    if not present.any():
        return np.zeros_like(values)
    low, high = values[present].min(), values[present].max()
    return np.clip((values - low) / max(float(high - low), 1e-6), 0.0, 1.0)


def _dense_columns(
    corpus: Corpus, files: Ints, dense: Floats, token: Floats
) -> tuple[Floats, Floats]:
    """Where the model has not been yet, the token vectors stand in for it."""
    has_dense = np.zeros(len(corpus.paths), dtype=bool)
    has_dense[corpus.chunk_file[corpus.dense.present]] = True
    near, rough = corpus.best_of_file(dense)[files], corpus.best_of_file(token)[files]
    rough = _spread(rough, np.ones(len(files), dtype=bool))
    present = has_dense[files]
    if not present.any():
        return np.zeros_like(rough), rough
    return np.where(present, _spread(near, present), rough), rough


def _coherent(corpus: Corpus, files: Ints, scores: Floats) -> Floats:
    """How much of the best hundred chunks is a file's: a subject's central file has many."""
    count = min(100, len(scores))
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


def _is_data(language: str) -> bool:
    """Without symbols and not prose: configuration, markup, data."""
    one = LANGUAGES[language]
    return not one.symbols and not one.prose
