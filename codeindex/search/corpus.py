"""One published state, laid out in columns for scoring; shared read-only between threads."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from posixpath import splitext
from typing import TYPE_CHECKING

import numpy as np

from codeindex.embed.token_vectors import Statistics
from codeindex.store.catalog import Catalog, Generation
from codeindex.store.segments import Vectors
from codeindex.types import Readiness
from codeindex.words import parts

if TYPE_CHECKING:
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float32]
    Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)  # no slots: `place` is cached
class Corpus:
    """Chunks ascend by id; `chunk_file` points into the file columns."""

    generation: Generation
    chunk_ids: Ints
    chunk_file: Ints
    chunk_lines: Ints
    """First and last line of each chunk."""
    is_loose: Flags
    """Chunks of no definition or section: imports, or windows of a file that has neither."""
    file_ids: Ints
    paths: tuple[str, ...]
    languages: tuple[str, ...]
    statuses: tuple[str, ...]
    modules: tuple[str, ...]
    is_test: Flags
    is_generated: Flags
    is_navigation: Flags
    lines: Ints
    centrality: Floats
    """Logarithm of the in-degree, 1 for the most central file."""
    dense: Vectors
    token: Vectors
    statistics: Statistics | None

    @functools.cached_property
    def place(self) -> Mapping[int, int]:
        """Return where files of these ids stand."""
        return {one: at for at, one in enumerate(self.file_ids.tolist())}

    @property
    def readiness(self) -> Readiness:
        """Return how much of the repository can be found by words, and by vectors."""
        total = max(self.generation.discovered, len(self.paths))
        words = 1.0 if self.generation.complete or not total else len(self.paths) / total
        vectors = self.dense.coverage if self.generation.model else 0.0
        return Readiness(round(words, 3), round(vectors, 3))

    def without_vectors(self) -> Corpus:
        """Return what is left when the model that made the vectors is not here."""
        dense, token = self.dense.empty(), self.token.empty()
        return replace(self, dense=dense, token=token, statistics=None)

    def positions(self, ids: Ints) -> Ints:
        """Return where chunks of these ids stand; all must be alive."""
        return np.searchsorted(self.chunk_ids, ids)

    def best_of_file(self, scores: Floats) -> Floats:
        """Return each file's highest chunk score, 0 for files without chunks."""
        best = np.zeros(len(self.paths), dtype=np.float32)
        np.maximum.at(best, self.chunk_file, scores)
        return best

    def sum_of_file(self, scores: Floats) -> Floats:
        return np.bincount(self.chunk_file, scores, len(self.paths)).astype(np.float32)


def load_corpus(catalog: Catalog, generation: Generation, vectors: Path) -> Corpus:
    """Read the columns of the state that the caller's transaction sees."""
    sql = catalog.connection.execute
    rows = sql(
        "SELECT id, path, language, status, module, is_test, is_generated, is_navigation,"
        " lines, centrality"
        " FROM files ORDER BY path"
    ).fetchall()
    ids, paths, languages, statuses, modules, tests, generated, leads, lines, degrees = (
        zip(*rows, strict=True) if rows else ((),) * 10
    )
    chunks = np.array(
        sql(
            "SELECT id, file_id, start_line, end_line, kind = 'block' FROM chunks ORDER BY id"
        ).fetchall(),
        dtype=np.int64,
    ).reshape(-1, 5)
    file_ids = np.array(ids, dtype=np.int64)
    order = np.argsort(file_ids)
    chunk_file = order[np.searchsorted(file_ids, chunks[:, 1], sorter=order)]
    live = np.ascontiguousarray(chunks[:, 0])
    logs = np.log1p(np.array(degrees)).astype(np.float32)
    statistics = generation.statistics.get("file")
    return Corpus(
        generation=generation,
        chunk_ids=live,
        chunk_file=chunk_file,
        chunk_lines=chunks[:, 2:4],
        is_loose=chunks[:, 4] == 1,
        file_ids=file_ids,
        paths=paths,
        languages=languages,
        statuses=statuses,
        modules=modules,
        is_test=np.array(tests, dtype=bool),
        is_generated=np.array(generated, dtype=bool),
        is_navigation=np.array(leads, dtype=bool),
        lines=np.array(lines, dtype=np.int64),
        centrality=(logs / max(float(logs.max(initial=0)), 1e-6)).astype(np.float32),
        dense=Vectors(vectors, [s for s in generation.segments if s.kind == "dense"], live),
        token=Vectors(vectors, [s for s in generation.segments if s.kind == "token"], live),
        statistics=Statistics.load(vectors / statistics) if statistics else None,
    )


@functools.lru_cache(maxsize=65_536)
def stem_words(path: str) -> frozenset[str]:
    """Return the words of a file's name; of its folder's for files that stand for the folder."""
    folder, _, name = path.rpartition("/")
    stem = splitext(name)[0]
    if stem in {"__init__", "index", "mod", "main", "lib"} and folder:
        stem = folder.rpartition("/")[2]
    return frozenset(parts(stem))


@functools.lru_cache(maxsize=65_536)
def folder_words(path: str) -> frozenset[str]:
    """Return the words of the last two folders above a file."""
    return frozenset(parts(" ".join(path.split("/")[:-1][-2:])))
