"""Word postings against SQLite FTS5, on the same chunks and the same questions.

    python -m tests.benchmarks.word_stores REPO...

Each REPO is a git work tree; one without an index gets the structure phase of one, in
CODEINDEX_HOME. The words of all its chunks are then stored three times, each in a folder of its
own: as one postings segment (what searches read), and as a contentless FTS5 table with
`detail=full` and with `detail=column`. The FTS5 tables have one column for each field of
`ChunkWords` and are optimized after the build, so every store consists of one sorted run.

The questions are the subjects of the newest commits. A ranker needs, for each word of a question,
every chunk that has it with a count for each field. The table lists what each store can answer:

- `counts`: chunks, counts and fields of every word. FTS5 gives them through `fts5vocab`, which
  needs `detail=full`.
- `scores`: one BM25 score for every chunk that has any of the words.
- `top 100`: the hundred best chunks by BM25, sorted in the store. Only FTS5 has such a query;
  features that are computed outside the store cannot change which chunks it returns.
- `replace 10 chunks`: what an edit of one file costs, durable on disk at the end.

Times are processor time in milliseconds of this process, except `replace`, which waits for the
disk and is elapsed time. Of each question the best of five runs counts, of all questions the median
and the slowest. Both stores must agree on how many chunks have each word, or the script fails.
"""

from __future__ import annotations

import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from codeindex import Index
from codeindex.ingest.sync.chunk_words import words_from_catalog
from codeindex.search.retrieve.scores import score_words
from codeindex.store.catalog.connection import Segment
from codeindex.store.segments.word_index import ChunkWords, WordIndex, write_words
from codeindex.text.words import query_words

MAX_QUESTIONS = 100
MIN_WORDS = 3
RUNS = 5
EDITS = 20
EDITED_CHUNKS = 10
FIELDS = ChunkWords._fields[1:]
WEIGHTS = "1, 2, 2, 0, 0, 0, 0"
"""Weights of the fields in `bm25`, those that the postings have."""

Question = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds: the median question and the slowest."""

    median: float
    slowest: float

    def __str__(self) -> str:
        return f"{self.median:8.2f} {self.slowest:9.2f}"


def questions_of(root: Path) -> list[Question]:
    """Return the words of the newest commit subjects that have at least MIN_WORDS."""
    log = subprocess.run(
        ["git", "log", "--no-merges", "--format=%s", "-n", "1000"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    every = (tuple(query_words(line)) for line in log.stdout.splitlines())
    return [words for words in dict.fromkeys(every) if len(words) >= MIN_WORDS][:MAX_QUESTIONS]


def chunks_of(index: Index) -> list[ChunkWords]:
    """Return the words of all chunks, made again from the stored text."""
    with index.reader().catalog() as (catalog, _):
        connection = catalog.connection
        ids = connection.execute("SELECT id FROM chunks ORDER BY id").fetchall()
        return [words_from_catalog(connection, chunk_id) for (chunk_id,) in ids]


def best_times(
    ask: Callable[[Question], Callable[[], object]], questions: Sequence[Question]
) -> Times:
    """Time what `ask` returns for each question; `ask` itself opens a store and is not timed."""
    times = []
    for question in questions:
        answers = [ask(question) for _ in range(RUNS)]
        times.append(min(map(seconds, answers)) * 1e3)
    return Times(statistics.median(times), max(times))


def seconds(action: Callable[[], object]) -> float:
    """Return the processor time that a call takes."""
    began = time.process_time()
    action()
    return time.process_time() - began


class Fts5:
    """A contentless FTS5 table with a column for each field."""

    def __init__(self, path: Path, detail: str) -> None:
        self.path, self.detail = path, detail
        self.connection = sqlite3.connect(path)
        self.connection.execute("PRAGMA journal_mode=WAL")
        self.connection.execute(
            f"CREATE VIRTUAL TABLE chunks USING fts5({', '.join(FIELDS)}, content='',"
            f" detail={detail}, tokenize='unicode61 remove_diacritics 0')"
        )
        self.connection.execute("CREATE VIRTUAL TABLE found USING fts5vocab(chunks, instance)")

    def fill(self, chunks: Sequence[ChunkWords]) -> None:
        self.insert(chunks)
        self.connection.execute("INSERT INTO chunks (chunks) VALUES ('optimize')")
        self.connection.commit()
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def insert(self, chunks: Sequence[ChunkWords]) -> None:
        marks = ", ".join("?" * (1 + len(FIELDS)))
        columns = f"rowid, {', '.join(FIELDS)}"
        self.connection.executemany(f"INSERT INTO chunks ({columns}) VALUES ({marks})", chunks)

    def replace(self, chunks: Sequence[ChunkWords]) -> None:
        """Delete the chunks, which a contentless table allows with their old text, and add them."""
        marks = ", ".join("?" * (1 + len(FIELDS)))
        columns = f"chunks, rowid, {', '.join(FIELDS)}"
        self.connection.executemany(
            f"INSERT INTO chunks ({columns}) VALUES ('delete', {marks})", chunks
        )
        self.insert(chunks)
        self.connection.commit()

    def counts(self, question: Question) -> list[np.ndarray[tuple[int, ...], np.dtype[np.int64]]]:
        """Return an array of (chunk, field, count) for each word."""
        query = "SELECT doc, col, count(*) FROM found WHERE term = ? GROUP BY doc, col"
        number = {name: at for at, name in enumerate(FIELDS)}
        rows = (self.connection.execute(query, (word,)) for word in question)
        return [
            np.array([(doc, number[col], count) for doc, col, count in found], dtype=np.int64)
            for found in rows
        ]

    def scores(self, question: Question) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        """Return (chunk, score) of every chunk that has any of the words."""
        return np.array(self._match(question, ""))

    def top(self, question: Question) -> list[tuple[int, float]]:
        return self._match(question, "ORDER BY score LIMIT 100")

    def _match(self, question: Question, order: str) -> list[tuple[int, float]]:
        query = " OR ".join(f'"{word}"' for word in question)
        return self.connection.execute(
            f"SELECT rowid, bm25(chunks, {WEIGHTS}) AS score FROM chunks"
            f" WHERE chunks MATCH ? {order}",
            (query,),
        ).fetchall()

    def frequency(self, word: str) -> int:
        query = "SELECT count(*) FROM chunks WHERE chunks MATCH ?"
        return int(self.connection.execute(query, (f'"{word}"',)).fetchone()[0])

    def size(self) -> int:
        return sum(file.stat().st_size for file in self.path.parent.glob(f"{self.path.name}*"))


class Postings:
    """One segment of words, mapped anew for each question, since `WordIndex` remembers answers."""

    def __init__(self, folder: Path, chunks: Sequence[ChunkWords]) -> None:
        self.folder = folder
        self.live = np.array([chunk.chunk_id for chunk in chunks], dtype=np.int64)
        self.segment: Segment = write_words(folder, chunks)

    def words(self) -> WordIndex:
        return WordIndex(self.folder, [self.segment], self.live)

    def counts(self, question: Question) -> Callable[[], object]:
        words = self.words()
        return lambda: list(map(words.occurrences, question))

    def scores(self, question: Question) -> Callable[[], object]:
        return partial(score_words, self.words(), question)

    def size(self) -> int:
        return sum(file.stat().st_size for file in self.folder.iterdir())


def edits(replace: Callable[[Sequence[ChunkWords]], object], chunks: Sequence[ChunkWords]) -> Times:
    """Replace EDITED_CHUNKS chunks at EDITS places; elapsed milliseconds."""
    times = []
    for start in np.linspace(0, len(chunks) - EDITED_CHUNKS, EDITS, dtype=int).tolist():
        began = time.perf_counter()
        replace(chunks[start : start + EDITED_CHUNKS])
        times.append((time.perf_counter() - began) * 1e3)
    return Times(statistics.median(times), max(times))


def check_same(postings: Postings, fts5: Fts5, questions: Iterable[Question]) -> int:
    """Compare how many chunks have each word; return how many words were compared."""
    words = postings.words()
    every = {word for question in questions for word in question}
    for word in sorted(every):
        if words.frequency(word) != fts5.frequency(word):
            raise SystemExit(f"{word!r}: {words.frequency(word)} and {fts5.frequency(word)} chunks")
    return len(every)


def report(name: str, size: int, built: float, times: dict[str, Times]) -> None:
    print(f"  {name}: {size / 1e6:.1f} MB, built in {built:.1f} s")
    for what, found in times.items():
        print(f"    {what:20}{found}")


def measure_postings(
    folder: Path, chunks: Sequence[ChunkWords], asked: Sequence[Question]
) -> Postings:
    began = time.process_time()
    postings = Postings(folder / "postings", chunks)
    built, size = time.process_time() - began, postings.size()
    times = {
        "counts": best_times(postings.counts, asked),
        "scores": best_times(postings.scores, asked),
        "replace 10 chunks": edits(partial(write_words, folder / "edits"), chunks),
    }
    report("postings", size, built, times)
    return postings


def measure_fts5(fts5: Fts5, chunks: Sequence[ChunkWords], asked: Sequence[Question]) -> None:
    built = seconds(partial(fts5.fill, chunks))
    size = fts5.size()
    times = {
        "scores": best_times(partial(partial, fts5.scores), asked),
        "top 100": best_times(partial(partial, fts5.top), asked),
        "replace 10 chunks": edits(fts5.replace, chunks),
    }
    if fts5.detail == "full":
        times = {"counts": best_times(partial(partial, fts5.counts), asked)} | times
    report(f"FTS5, detail={fts5.detail}", size, built, times)


def measure(index: Index, folder: Path) -> None:
    chunks, asked = chunks_of(index), questions_of(index.root)
    print(
        f"{index.repository.name}: {len(index.files()):,} files, {len(chunks):,} chunks,"
        f" {len(asked)} questions of {statistics.mean(map(len, asked)):.1f} words;"
        " milliseconds: median, slowest"
    )
    postings = measure_postings(folder, chunks, asked)
    for detail in ("full", "column"):
        fts5 = Fts5(folder / f"{detail}.sqlite", detail)
        measure_fts5(fts5, chunks, asked)
        compared = check_same(postings, fts5, asked)
        print(f"    same number of chunks for each of {compared} words")


def main(roots: Sequence[str]) -> None:
    print(f"SQLite {sqlite3.sqlite_version}")
    for root in roots:
        with Index.open(root) as index, tempfile.TemporaryDirectory() as folder:
            if not index.is_indexed:
                index.sync(structure_only=True)
            measure(index, Path(folder))


if __name__ == "__main__":
    main(sys.argv[1:])
