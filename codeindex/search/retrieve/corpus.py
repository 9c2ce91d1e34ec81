"""One published state, laid out in columns for scoring; shared read-only between threads."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from posixpath import splitext
from typing import TYPE_CHECKING

import numpy as np

from codeindex.embed.token_vectors import TokenStatistics
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.connection import Catalog, Generation
from codeindex.store.catalog.files import CHUNK_LAYOUT
from codeindex.store.segments.vectors import Vectors
from codeindex.store.segments.word_index import WordIndex
from codeindex.store.symbols.name_index import SymbolNames
from codeindex.text.words import parts
from codeindex.types import FOLDER_INDEX_STEMS, Readiness

if TYPE_CHECKING:
    import numpy.typing as npt

    from codeindex.search.weight_rows import FileWeightRows

    Ints = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float32]
    Flags = npt.NDArray[np.bool_]

_RECORD = re.compile(
    r"(?:^|/)(?:change(?:s|log)?|history|news|releases?|release[-_]notes|licen[cs]es?|copying|notice"
    r"|authors|contributors|code[-_]of[-_]conduct|governance|sponsors|backers)\b[^/]*$"
    r"|(?:^|/)\.github/|(?:^|/)(?:apidocs?|javadoc|doxygen|_autosummary|generated)/",
    re.IGNORECASE,
)
"""Documents that tell no one how something is done: records, licences, generated listings."""


@dataclass(frozen=True, eq=False)  # no slots: `place` is cached
class Corpus:
    """Chunks ascend by id; `chunk_file` points into the file columns."""

    generation: Generation
    chunk_ids: Ints
    chunk_file: Ints
    chunk_lines: Ints
    """First and last line of each chunk."""
    chunk_line: Ints
    """Line of the definition that a chunk shows; 0 for none."""
    chunk_kind: npt.NDArray[np.uint8]
    """Place of each chunk's kind in `CHUNK_KINDS`."""
    name_words: npt.NDArray[np.uint8]
    """How many words the name of each chunk's symbol has."""
    complexity: npt.NDArray[np.uint8]
    """Cyclomatic complexity of each chunk's function; 0 for what has no body."""
    traits: npt.NDArray[np.uint8]
    """`ChunkTraits` of each chunk's symbol."""
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
    words: WordIndex
    dense: Vectors
    token: Vectors
    statistics: TokenStatistics | None
    tuned: FileWeightRows | None = None
    """Weights that this repository has of its own."""
    names: SymbolNames = field(default_factory=SymbolNames)

    @functools.cached_property
    def place(self) -> Mapping[int, int]:
        """Return where files of these ids stand."""
        return {one: at for at, one in enumerate(self.file_ids.tolist())}

    @functools.cached_property
    def file_of(self) -> Mapping[str, int]:
        """Return the ids of files by their paths."""
        return dict(zip(self.paths, self.file_ids.tolist(), strict=True))

    @functools.cached_property
    def is_indexed(self) -> Flags:
        """Tell of each file whether its content is searched: others were skipped, or failed."""
        return np.isin(self.statuses, ("indexed", "plain"))

    @functools.cached_property
    def is_code(self) -> Flags:
        """Tell of each file whether its language has symbols, and it is no test."""
        has = {one: bool(LANGUAGES[one].symbols) for one in set(self.languages)}
        return np.array([has[one] for one in self.languages], dtype=bool) & ~self.is_test

    @functools.cached_property
    def is_guide(self) -> Flags:
        """Tell of each file whether its sections may tell how something is done."""
        sectioned = np.isin(self.languages, ("markdown", "rst", "asciidoc", "notebook", "pdf"))
        logs = np.array([bool(_RECORD.search(path)) for path in self.paths], dtype=bool)
        may: Flags = sectioned & ~logs & ~self.is_test & ~self.is_generated
        return may

    @property
    def readiness(self) -> Readiness:
        """Return how much of the repository can be found by words, and by vectors."""
        total = max(self.generation.discovered, len(self.paths))
        words = 1.0 if self.generation.complete or not total else len(self.paths) / total
        vectors = self.dense.coverage if self.generation.model else 0.0
        return Readiness(round(words, 3), round(vectors, 3))

    def without_vectors(self) -> Corpus:
        """Return what is left when the model that made the vectors is not here."""
        if self.statistics is None and not self.dense.present.any():
            return self
        dense, token = self.dense.empty(), self.token.empty()
        return replace(self, dense=dense, token=token, statistics=None)

    @functools.cached_property
    def _first(self) -> Ints:
        """Return where each file's chunks start: they are stored at once and stand together."""
        return np.flatnonzero(np.diff(self.chunk_file, prepend=-1))

    @functools.cached_property
    def _spans(self) -> Mapping[int, slice]:
        bounds = pairwise([*self._first.tolist(), len(self.chunk_file)])
        files = self.chunk_file[self._first].tolist()
        return {file: slice(*one) for file, one in zip(files, bounds, strict=True)}

    @functools.cached_property
    def lengths(self) -> Floats:
        """Return how many words each file has."""
        return self.sum_of_file(self.words.lengths.astype(np.float32))

    def chunks_of(self, file: int) -> slice:
        """Return where the chunks of a file stand."""
        return self._spans.get(file, slice(0, 0))

    def chunk_at(self, file_id: int, line: int) -> int | None:
        """Return the chunk that holds a line of a file; the first for a line that is in none."""
        mine = self.chunks_of(self.place[file_id])
        first, last = self.chunk_lines[mine].T
        if not len(first):
            return None
        inside = (first <= line) & (line <= last)
        return int(mine.start) + int(inside.argmax())

    def best_of_file(self, scores: Floats) -> Floats:
        """Return each file's highest chunk score, 0 where none is above."""
        return np.maximum(self._of_file(np.maximum.reduceat(scores, self._first)), 0.0)

    def sum_of_file(self, scores: Floats) -> Floats:
        return self._of_file(np.add.reduceat(scores, self._first))

    def _of_file(self, values: Floats) -> Floats:
        out = np.zeros(len(self.paths), dtype=np.float32)
        out[self.chunk_file[self._first]] = values
        return out


def load_corpus(catalog: Catalog, generation: Generation, folder: Path) -> Corpus:
    """Read the columns of the state that the caller's transaction sees."""
    rows = catalog.connection.execute(
        "SELECT id, path, language, status, module, is_test, is_generated, is_navigation, lines,"
        " centrality, layout FROM files ORDER BY path"
    ).fetchall()
    ids, paths, languages, statuses, modules, tests, generated, leads, lines, degrees, layouts = (
        zip(*rows, strict=True) if rows else ((),) * 11
    )
    chunks, chunk_file = _unpacked(layouts)
    live = chunks["id"].copy()  # side by side, as scans want them
    logs = np.log1p(np.array(degrees)).astype(np.float32)
    statistics = generation.statistics.get("file")
    return Corpus(
        generation=generation,
        chunk_ids=live,
        chunk_file=chunk_file,
        chunk_lines=np.stack([chunks["first"], chunks["last"]], axis=1),
        chunk_line=chunks["line"].copy(),
        chunk_kind=chunks["kind"].copy(),
        name_words=chunks["name_words"].copy(),
        complexity=chunks["complexity"].copy(),
        traits=chunks["traits"].copy(),
        file_ids=np.array(ids, dtype=np.int64),
        paths=paths,
        languages=languages,
        statuses=statuses,
        modules=modules,
        is_test=np.array(tests, dtype=bool),
        is_generated=np.array(generated, dtype=bool),
        is_navigation=np.array(leads, dtype=bool),
        lines=np.array(lines, dtype=np.int64),
        centrality=(logs / max(float(logs.max(initial=0)), 1e-6)).astype(np.float32),
        words=WordIndex(folder, generation.of_kind("words"), live),
        dense=Vectors(folder, generation.of_kind("dense"), live),
        token=Vectors(folder, generation.of_kind("token"), live),
        statistics=TokenStatistics.load(folder / statistics) if statistics else None,
    )


def _unpacked(layouts: Sequence[bytes]) -> tuple[npt.NDArray[np.void], Ints]:
    """Return all chunks, ascending by id, and the place of the file that each is of."""
    sizes = np.fromiter(map(len, layouts), dtype=np.int64) // CHUNK_LAYOUT.itemsize
    chunks = np.frombuffer(b"".join(layouts), dtype=CHUNK_LAYOUT)
    order = np.argsort(chunks["id"])
    return chunks[order], np.repeat(np.arange(len(layouts)), sizes)[order]


@functools.lru_cache(maxsize=65_536)
def stem_words(path: str) -> frozenset[str]:
    """Return the words of a file's name; of its folder's for files that stand for the folder."""
    folder, _, name = path.rpartition("/")
    stem = splitext(name)[0]
    if stem in FOLDER_INDEX_STEMS and folder:
        stem = folder.rpartition("/")[2]
    return frozenset(parts(stem))


@functools.lru_cache(maxsize=65_536)
def folder_words(path: str) -> frozenset[str]:
    """Return the words of the last two folders above a file."""
    return frozenset(parts(" ".join(path.split("/")[:-1][-2:])))
