"""Load the columns of one published state for scoring; threads share them and only read them."""

from __future__ import annotations

import functools
import math
import re
from bisect import bisect_left
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from posixpath import splitext
from typing import TYPE_CHECKING

import numpy as np

from codeindex.embed.token_vectors import TokenStatistics
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.connection import Catalog, Generation
from codeindex.store.catalog.file_changes import file_changes_since
from codeindex.store.catalog.files import FileColumns, read_file_columns
from codeindex.store.catalog.write_files import CHUNK_LAYOUT
from codeindex.store.segments.vectors import Vectors
from codeindex.store.segments.word_index import WordIndex
from codeindex.store.symbols.name_index import SymbolNames
from codeindex.text.words import stemmed_parts
from codeindex.types import FOLDER_INDEX_STEMS, Readiness
from codeindex.types.array_types import Bytes, Flags, Floats, Ints

if TYPE_CHECKING:
    import numpy.typing as npt

    from codeindex.search.weight_rows import FileWeightRows


_NOT_GUIDE = re.compile(
    r"(?:^|/)(?:change(?:s|log)?|history|news|releases?|release[-_]notes|licen[cs]es?|copying|notice"
    r"|authors|contributors|code[-_]of[-_]conduct|governance|sponsors|backers)(?:\b|_v?\d)[^/]*$"
    r"|(?:^|/)(?:change[-_]?logs?(?:\.d)?|release[-_]?notes|releases|newsfragments)/"
    r"|(?:^|/)\.github/|(?:^|/)(?:apidocs?|javadoc|doxygen|_autosummary|generated)/",
    re.IGNORECASE,
)
"""Documents that contain no instructions: change logs, licences, generated API listings."""
_EXAMPLE = re.compile(
    r"(?:^|/)(?:_?examples?|samples?|demos?|bench(?:marks?|es)?|vendor|vendored|third_?party|external"
    r"|compat|legacy|deprecated|fixtures?|mocks?|playground|e2e|stories)(?:/|$)",
    re.IGNORECASE,
)
_SECTIONED = frozenset({"markdown", "rst", "asciidoc", "org", "pod", "notebook", "pdf"})
"""Languages whose documents have sections."""
_SEARCHED = frozenset({"indexed", "plain"})
_MOST_CHANGED = 1_000
"""Most changed files that are read one by one; if more have changed, all files are read."""


@dataclass(frozen=True, slots=True, eq=False)
class ChunkTable:
    """All chunks in ascending order of id.

    `chunks` are records of `CHUNK_LAYOUT`, and `files` has the position of each chunk's file.
    """

    chunks: npt.NDArray[np.void]
    files: Ints
    """For each chunk, the position of its file in the file columns."""


@functools.lru_cache(maxsize=65_536)
def is_example(path: str) -> bool:
    """Tell whether the folders of a file show an example, vendored code or a fixture."""
    return bool(_EXAMPLE.search(path))


@dataclass(frozen=True, eq=False)  # no slots: properties are cached
class Corpus:
    """One generation of an index in memory: columns of its chunks and of its files.

    A column is an array or tuple with one entry for each chunk, by ascending id, or for each file,
    by path. The index of an entry is called the position of the chunk or file.
    """

    generation: Generation
    table: ChunkTable
    columns: FileColumns
    """Columns of the files, without `layouts`, which `table` holds unpacked."""
    chunk_ids: Ints
    words: WordIndex
    dense: Vectors
    token: Vectors
    statistics: TokenStatistics | None
    tuned_rows: FileWeightRows | None = None
    """Rank weights that are tuned to this repository, if any."""
    symbol_names: SymbolNames = field(default_factory=SymbolNames)

    def position_of(self, chunk_id: int) -> int:
        """Return the position of a chunk, which must exist, in the columns of chunks."""
        return int(np.searchsorted(self.chunk_ids, chunk_id))

    def file_of(self, chunk_id: int) -> int:
        """Return the position of the file that contains a chunk in the columns of files."""
        return int(self.chunk_file[self.position_of(chunk_id)])

    @property
    def chunk_file(self) -> Ints:
        return self.table.files

    @functools.cached_property
    def chunk_lines(self) -> Ints:
        """First and last line of each chunk, shape (chunks, 2)."""
        return np.stack([self.table.chunks["first"], self.table.chunks["last"]], axis=1)

    @functools.cached_property
    def chunk_definition_line(self) -> Ints:
        """The line in each chunk that defines its symbol; 0 if the chunk has no such line."""
        return self.table.chunks["line"].copy()

    @functools.cached_property
    def chunk_kind(self) -> Bytes:
        """Index of each chunk's kind in `CHUNK_KINDS`."""
        return self.table.chunks["kind"].copy()

    @functools.cached_property
    def name_words(self) -> Bytes:
        """Number of words in the name of each chunk's symbol: 2 for `parse_config`."""
        return self.table.chunks["name_words"].copy()

    @functools.cached_property
    def complexity(self) -> Bytes:
        """Cyclomatic complexity of each chunk's function; 0 without a body."""
        return self.table.chunks["complexity"].copy()

    @functools.cached_property
    def has_body(self) -> Flags:
        """For each file, whether a function in it has a body."""
        return self.best_of_file(self.complexity.astype(np.float32)) > 0

    @functools.cached_property
    def traits(self) -> Bytes:
        """`ChunkTraits` of each chunk's symbol."""
        return self.table.chunks["traits"].copy()

    @functools.cached_property
    def file_ids(self) -> Ints:
        return np.array(self.columns.ids, dtype=np.int64)

    @property
    def paths(self) -> tuple[str, ...]:
        return self.columns.paths

    @property
    def languages(self) -> tuple[str, ...]:
        return self.columns.languages

    @property
    def statuses(self) -> tuple[str, ...]:
        return self.columns.statuses

    @property
    def modules(self) -> tuple[str, ...]:
        return self.columns.modules

    @functools.cached_property
    def is_test(self) -> Flags:
        return np.array(self.columns.is_test, dtype=bool)

    @functools.cached_property
    def is_generated(self) -> Flags:
        return np.array(self.columns.is_generated, dtype=bool)

    @functools.cached_property
    def is_navigation(self) -> Flags:
        return np.array(self.columns.is_navigation, dtype=bool)

    @functools.cached_property
    def lines(self) -> Ints:
        return np.array(self.columns.lines, dtype=np.int64)

    @functools.cached_property
    def centrality(self) -> Floats:
        """Logarithm of the number of files that use each file, divided by the highest."""
        degrees = np.log1p(np.array(self.columns.centrality)).astype(np.float32)
        shares: Floats = (degrees / max(float(degrees.max(initial=0)), 1e-6)).astype(np.float32)
        return shares

    @functools.cached_property
    def file_positions(self) -> Mapping[int, int]:
        """Maps the id of each file to its position in the columns."""
        return {file_id: position for position, file_id in enumerate(self.file_ids.tolist())}

    @functools.cached_property
    def file_ids_by_path(self) -> Mapping[str, int]:
        """Maps the path of each file to its id."""
        return dict(zip(self.paths, self.file_ids.tolist(), strict=True))

    @functools.cached_property
    def is_indexed(self) -> Flags:
        """Whether the content of each file is searched; other files were skipped or failed."""
        return np.array([status in _SEARCHED for status in self.statuses], dtype=bool)

    @functools.cached_property
    def is_code(self) -> Flags:
        """Whether each file is in a language with symbols and is not a test."""
        has_symbols = {name: bool(LANGUAGES[name].symbols) for name in set(self.languages)}
        flags = [has_symbols[name] for name in self.languages]
        return np.array(flags, dtype=bool) & ~self.is_test

    @functools.cached_property
    def is_document(self) -> Flags:
        """Whether each file is a document with sections, such as Markdown."""
        return np.array([language in _SECTIONED for language in self.languages], dtype=bool)

    @functools.cached_property
    def is_guide(self) -> Flags:
        """Whether each file is a document that may contain instructions."""
        documents = zip(self.is_document.tolist(), self.paths, strict=True)
        may_instruct = [
            is_document and not _NOT_GUIDE.search(path) for is_document, path in documents
        ]
        return np.array(may_instruct, dtype=bool) & ~self.is_test & ~self.is_generated

    @property
    def readiness(self) -> Readiness:
        """The shares of the repository that can be searched by words and by vectors, 0 to 1."""
        total = max(self.generation.discovered, len(self.paths))
        words = 1.0 if self.generation.complete or not total else len(self.paths) / total
        vectors = self.dense.coverage if self.generation.model else 0.0
        # Rounded down: 1 means that no file is missing.
        return Readiness(math.floor(words * 1000) / 1000, round(vectors, 3))

    def with_vectors(self, *, dense: bool, token: bool) -> Corpus:
        """Return the corpus with only the kinds of vectors whose flag is true.

        `dense` stands for the model's vectors, `token` for token vectors. The flag must be False
        for a kind for which queries cannot be embedded, for example because the model is not
        installed.
        """
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
    def _bounds(self) -> Ints:
        """The range of each file's chunks, shape (files, 2): first position, last position + 1."""
        bounds = np.zeros((len(self.paths), 2), dtype=np.int64)
        ends = np.append(self._first, len(self.chunk_file))
        bounds[self.chunk_file[self._first]] = np.stack([ends[:-1], ends[1:]], axis=1)
        return bounds

    @functools.cached_property
    def file_lengths(self) -> Floats:
        """Number of words of each file."""
        return self.sum_of_file(self.words.lengths.astype(np.float32))

    def chunks_of(self, file: int) -> slice:
        """Return a file's range in the columns of chunks; `file` is a position, not an id."""
        return slice(*self._bounds[file].tolist())

    def chunk_at(self, file_id: int, line: int) -> int | None:
        """Return the position of the chunk of a file that contains `line`.

        If no chunk contains it, return that of the file's first chunk, or None if the file has no
        chunks. `file_id` is the id of the file in the catalog.
        """
        span = self.chunks_of(self.file_positions[file_id])
        first, last = self.chunk_lines[span].T
        if not len(first):
            return None
        inside = (first <= line) & (line <= last)
        return int(span.start) + int(inside.argmax())

    def sorted_by(self, scores: Floats, positions: Ints) -> Ints:
        """Return the positions of chunks by their score, highest first; ties by path and line.

        `scores` has one value for each chunk. Ids of chunks depend on the edits so far.
        """
        return positions[np.lexsort((positions, self.chunk_file[positions], -scores[positions]))]

    def best_chunks(self, scores: Floats, count: int) -> Ints:
        """Return the positions of up to `count` chunks with the highest scores above 0, unsorted.

        `scores` has one value for each chunk. Of the last ties, those with the first paths count.
        """
        if not len(scores):
            return np.array([], dtype=np.int64)
        count = min(count, len(scores))
        best = np.argpartition(-scores, count - 1)[:count]
        least = max(float(scores[best].min()), 0.0)
        best = best[scores[best] > least]
        if not least:
            return best
        ties = self.sorted_by(scores, np.flatnonzero(scores == least))
        return np.concatenate([best, ties[: count - len(best)]])

    def best_of_file(self, scores: Floats) -> Floats:
        """Return for each file the highest of `scores` among its chunks; at least 0."""
        return np.maximum(self._of_file(np.maximum.reduceat(scores, self._first)), 0.0)

    def sum_of_file(self, scores: Floats) -> Floats:
        return self._of_file(np.add.reduceat(scores, self._first))

    def _of_file(self, values: Floats) -> Floats:
        by_file = np.zeros(len(self.paths), dtype=np.float32)
        by_file[self.chunk_file[self._first]] = values
        return by_file


def load_corpus(
    catalog: Catalog, generation: Generation, folder: Path, *, former: Corpus | None = None
) -> Corpus:
    """Load the columns of the state that the caller's transaction sees.

    `folder` contains the segments. `former` is an earlier state of the same index; the columns of
    unchanged files are copied from it, which is faster.
    """
    changes = None
    if former is not None:
        known = former.generation
        changes = file_changes_since(catalog.connection, known.number, known.written_at)
    if former is None or changes is None or len(changes.files) > _MOST_CHANGED:
        columns = read_file_columns(catalog.connection)
        table, names = _unpack_layouts(columns.layouts), SymbolNames()
    else:
        new = read_file_columns(catalog.connection, changes.files)
        columns, table = _with_changed_files(former, new, changes.files)
        names = former.symbol_names.updated(catalog.connection, changes)
    chunk_ids = table.chunks["id"].copy()  # a contiguous copy, for scans
    statistics = generation.statistics.get("file")
    return Corpus(
        generation=generation,
        table=table,
        columns=columns._replace(layouts=()),
        chunk_ids=chunk_ids,
        words=WordIndex(folder, generation.of_kind("words"), chunk_ids),
        dense=Vectors(folder, generation.of_kind("dense"), chunk_ids),
        token=Vectors(folder, generation.of_kind("token"), chunk_ids),
        statistics=TokenStatistics.load(folder / statistics) if statistics else None,
        symbol_names=names,
    )


def _unpack_layouts(layouts: Sequence[bytes]) -> ChunkTable:
    """Return all chunks of files; `layouts` has the packed chunks of each (`pack_layout`).

    A chunk's file is the position of its bytes in `layouts`.
    """
    sizes = np.fromiter(map(len, layouts), dtype=np.int64) // CHUNK_LAYOUT.itemsize
    chunks = np.frombuffer(b"".join(layouts), dtype=CHUNK_LAYOUT)
    return _by_id(chunks, np.repeat(np.arange(len(layouts)), sizes))


def _by_id(chunks: npt.NDArray[np.void], files: Ints) -> ChunkTable:
    ids = chunks["id"]
    if (ids[1:] > ids[:-1]).all():
        return ChunkTable(chunks, files)
    order = np.argsort(ids)
    return ChunkTable(chunks[order], files[order])


def _with_changed_files(
    former: Corpus, new: FileColumns, changed: Container[int]
) -> tuple[FileColumns, ChunkTable]:
    """Return the columns and chunks of an earlier state, with the changed files replaced.

    `changed` has the ids of the changed and deleted files, `new` the present columns of the changed
    files.
    """
    ids, paths = former.columns.ids, former.columns.paths
    order = [position for position, file_id in enumerate(ids) if file_id not in changed]
    kept = [paths[position] for position in order]
    for number in reversed(range(len(new.paths))):  # positions of new files follow
        order.insert(bisect_left(kept, new.paths[number]), len(ids) + number)
    pairs = zip(former.columns[:-1], new[:-1], strict=True)
    columns = (tuple(map((*before, *after).__getitem__, order)) for before, after in pairs)
    now = np.full(len(ids) + len(new.ids), -1, dtype=np.int64)
    now[order] = np.arange(len(order))
    added = _unpack_layouts(new.layouts)
    files = now[np.concatenate([former.table.files, added.files + len(ids)])]
    chunks = np.concatenate([former.table.chunks, added.chunks])
    live = files >= 0
    return FileColumns._make((*columns, ())), _by_id(chunks[live], files[live])


@functools.lru_cache(maxsize=65_536)
def stem_words(path: str) -> frozenset[str]:
    """Return the stemmed words of a file's name.

    For an index file, such as `__init__.py`, they are those of its folder's name.
    """
    folder, _, name = path.rpartition("/")
    stem = splitext(name)[0]
    if stem in FOLDER_INDEX_STEMS and folder:
        stem = folder.rpartition("/")[2]
    return frozenset(stemmed_parts(stem))


@functools.lru_cache(maxsize=65_536)
def folder_words(path: str) -> frozenset[str]:
    """Return the stemmed words in the names of the two folders above a file."""
    return frozenset(stemmed_parts(" ".join(path.split("/")[:-1][-2:])))
