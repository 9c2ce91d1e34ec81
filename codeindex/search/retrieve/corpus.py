"""Load the columns of one published state for scoring; threads share them and only read."""

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
from codeindex.store.catalog.file_rows import read_file_columns
from codeindex.store.catalog.files import CHUNK_LAYOUT
from codeindex.store.segments.vectors import Vectors
from codeindex.store.segments.word_index import WordIndex
from codeindex.store.symbols.name_index import SymbolNames
from codeindex.text.words import stemmed_parts
from codeindex.types import FOLDER_INDEX_STEMS, Readiness

if TYPE_CHECKING:
    import numpy.typing as npt

    from codeindex.search.weight_rows import FileWeightRows

    Ints = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float32]
    Flags = npt.NDArray[np.bool_]

_NOT_GUIDE = re.compile(
    r"(?:^|/)(?:change(?:s|log)?|history|news|releases?|release[-_]notes|licen[cs]es?|copying|notice"
    r"|authors|contributors|code[-_]of[-_]conduct|governance|sponsors|backers)\b[^/]*$"
    r"|(?:^|/)\.github/|(?:^|/)(?:apidocs?|javadoc|doxygen|_autosummary|generated)/",
    re.IGNORECASE,
)
"""Documents without instructions: change logs, licences, generated API listings."""


@dataclass(frozen=True, eq=False)  # no slots: properties are cached
class Corpus:
    """Columns of chunks, ascending by id, and of files, ascending by path.

    `chunk_file` has the position of each chunk's file in the file columns.
    """

    generation: Generation
    chunk_ids: Ints
    chunk_file: Ints
    chunk_lines: Ints
    """First and last line of each chunk."""
    chunk_definition_line: Ints
    """Line of the definition that a chunk contains; 0 for none."""
    chunk_kind: npt.NDArray[np.uint8]
    """Index of each chunk's kind in `CHUNK_KINDS`."""
    name_words: npt.NDArray[np.uint8]
    """Number of words in the name of each chunk's symbol."""
    complexity: npt.NDArray[np.uint8]
    """Cyclomatic complexity of each chunk's function; 0 without a body."""
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
    """Logarithm of the in-degree, divided by the highest."""
    words: WordIndex
    dense: Vectors
    token: Vectors
    statistics: TokenStatistics | None
    tuned_rows: FileWeightRows | None = None
    """Weights tuned to this repository."""
    symbol_names: SymbolNames = field(default_factory=SymbolNames)

    @functools.cached_property
    def file_positions(self) -> Mapping[int, int]:
        """Positions of files in the columns, by id."""
        return {file_id: position for position, file_id in enumerate(self.file_ids.tolist())}

    @functools.cached_property
    def file_ids_by_path(self) -> Mapping[str, int]:
        """Ids of files by path."""
        return dict(zip(self.paths, self.file_ids.tolist(), strict=True))

    @functools.cached_property
    def is_indexed(self) -> Flags:
        """Whether each file's content is searched; others were skipped, or failed."""
        return np.isin(self.statuses, ("indexed", "plain"))

    @functools.cached_property
    def is_code(self) -> Flags:
        """Whether each file is of a language with symbols, and no test."""
        has_symbols = {name: bool(LANGUAGES[name].symbols) for name in set(self.languages)}
        flags = [has_symbols[name] for name in self.languages]
        return np.array(flags, dtype=bool) & ~self.is_test

    @functools.cached_property
    def is_guide(self) -> Flags:
        """Whether each file is a document that can contain instructions."""
        sectioned = np.isin(self.languages, ("markdown", "rst", "asciidoc", "notebook", "pdf"))
        records = np.array([bool(_NOT_GUIDE.search(path)) for path in self.paths], dtype=bool)
        guides: Flags = sectioned & ~records & ~self.is_test & ~self.is_generated
        return guides

    @property
    def readiness(self) -> Readiness:
        """Shares of the repository that can be found by words, and by vectors."""
        total = max(self.generation.discovered, len(self.paths))
        words = 1.0 if self.generation.complete or not total else len(self.paths) / total
        vectors = self.dense.coverage if self.generation.model else 0.0
        return Readiness(round(words, 3), round(vectors, 3))

    def with_vectors(self, *, dense: bool, token: bool) -> Corpus:
        """Return the corpus without the kinds of vectors whose model is not installed."""
        corpus = self
        if not dense and self.dense.present.any():
            corpus = replace(corpus, dense=self.dense.empty())
        if not token and self.statistics is not None:
            corpus = replace(corpus, token=self.token.empty(), statistics=None)
        return corpus

    @functools.cached_property
    def _first(self) -> Ints:
        """Position of each file's first chunk; the chunks of a file are contiguous."""
        return np.flatnonzero(np.diff(self.chunk_file, prepend=-1))

    @functools.cached_property
    def _spans(self) -> Mapping[int, slice]:
        bounds = pairwise([*self._first.tolist(), len(self.chunk_file)])
        files = self.chunk_file[self._first].tolist()
        return {file: slice(*span) for file, span in zip(files, bounds, strict=True)}

    @functools.cached_property
    def file_lengths(self) -> Floats:
        """Number of words of each file."""
        return self.sum_of_file(self.words.lengths.astype(np.float32))

    def chunks_of(self, file: int) -> slice:
        """Return the slice of a file's chunks; `file` is a position."""
        return self._spans.get(file, slice(0, 0))

    def chunk_at(self, file_id: int, line: int) -> int | None:
        """Return the position of the chunk with a line, or of the first; None if there is none."""
        span = self.chunks_of(self.file_positions[file_id])
        first, last = self.chunk_lines[span].T
        if not len(first):
            return None
        inside = (first <= line) & (line <= last)
        return int(span.start) + int(inside.argmax())

    def best_of_file(self, scores: Floats) -> Floats:
        """Return each file's highest chunk score, at least 0."""
        return np.maximum(self._of_file(np.maximum.reduceat(scores, self._first)), 0.0)

    def sum_of_file(self, scores: Floats) -> Floats:
        return self._of_file(np.add.reduceat(scores, self._first))

    def _of_file(self, values: Floats) -> Floats:
        by_file = np.zeros(len(self.paths), dtype=np.float32)
        by_file[self.chunk_file[self._first]] = values
        return by_file


def load_corpus(catalog: Catalog, generation: Generation, folder: Path) -> Corpus:
    """Load the state that the caller's transaction sees; `folder` is the segments' folder."""
    files = read_file_columns(catalog.connection)
    chunks, chunk_file = _unpack_layouts(files.layouts)
    chunk_ids = chunks["id"].copy()  # contiguous, which scans need
    degrees = np.log1p(np.array(files.centrality)).astype(np.float32)
    statistics = generation.statistics.get("file")
    return Corpus(
        generation=generation,
        chunk_ids=chunk_ids,
        chunk_file=chunk_file,
        chunk_lines=np.stack([chunks["first"], chunks["last"]], axis=1),
        chunk_definition_line=chunks["line"].copy(),
        chunk_kind=chunks["kind"].copy(),
        name_words=chunks["name_words"].copy(),
        complexity=chunks["complexity"].copy(),
        traits=chunks["traits"].copy(),
        file_ids=np.array(files.ids, dtype=np.int64),
        paths=files.paths,
        languages=files.languages,
        statuses=files.statuses,
        modules=files.modules,
        is_test=np.array(files.is_test, dtype=bool),
        is_generated=np.array(files.is_generated, dtype=bool),
        is_navigation=np.array(files.is_navigation, dtype=bool),
        lines=np.array(files.lines, dtype=np.int64),
        centrality=(degrees / max(float(degrees.max(initial=0)), 1e-6)).astype(np.float32),
        words=WordIndex(folder, generation.of_kind("words"), chunk_ids),
        dense=Vectors(folder, generation.of_kind("dense"), chunk_ids),
        token=Vectors(folder, generation.of_kind("token"), chunk_ids),
        statistics=TokenStatistics.load(folder / statistics) if statistics else None,
    )


def _unpack_layouts(layouts: Sequence[bytes]) -> tuple[npt.NDArray[np.void], Ints]:
    """Return all chunks, ascending by id, and the position of each chunk's file."""
    sizes = np.fromiter(map(len, layouts), dtype=np.int64) // CHUNK_LAYOUT.itemsize
    chunks = np.frombuffer(b"".join(layouts), dtype=CHUNK_LAYOUT)
    order = np.argsort(chunks["id"])
    return chunks[order], np.repeat(np.arange(len(layouts)), sizes)[order]


@functools.lru_cache(maxsize=65_536)
def stem_words(path: str) -> frozenset[str]:
    """Return the words of a file's name, or for an index file of the folder's name."""
    folder, _, name = path.rpartition("/")
    stem = splitext(name)[0]
    if stem in FOLDER_INDEX_STEMS and folder:
        stem = folder.rpartition("/")[2]
    return frozenset(stemmed_parts(stem))


@functools.lru_cache(maxsize=65_536)
def folder_words(path: str) -> frozenset[str]:
    """Return the words of the two folders above a file."""
    return frozenset(stemmed_parts(" ".join(path.split("/")[:-1][-2:])))
