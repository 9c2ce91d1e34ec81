"""Figures behind the decision records in `codeindex/docs/decisions/`.

    python -m tests.benchmarks.decisions imports
    python -m tests.benchmarks.decisions workers REPO
    python -m tests.benchmarks.decisions graph REPO
    python -m tests.benchmarks.decisions vectors REPO
    python -m tests.benchmarks.decisions answers REPO

Each REPO is a git work tree; one without an index gets the structure phase of one, in
CODEINDEX_HOME. What each subcommand measures:

- `imports`: processor time of a Python process that imports one package, less that of one that
  imports nothing; the best of nine.
- `workers`: preparing all files of REPO (read, redact, parse, chunk) in one thread, in two threads
  of one process, and in two worker processes, by the clock; then what it costs to encode and decode
  the results as the workers' JSON and as pickles, in processor time.
- `graph`: size of the pickled networkx graph, processor time to load it with the restricted
  unpickler and with `pickle.loads`, and to ask the catalog for the callers of 200 functions.
- `vectors`: the token vectors of all chunks, scanned exactly and in a Chroma collection with the
  settings of the product: milliseconds for the ten nearest of 200 chunks, and how many of the exact
  ten Chroma returns. Needs the `offline` extra. Chroma runs in this process here.
- `answers`: subjects of the newest commits asked with the same budget of tokens, packed for an
  answer as text and as JSON: how much code each shows.
"""

from __future__ import annotations

import pickle
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from codeindex import Index
from codeindex.embed.tokens import tokenizer_for
from codeindex.ingest.read.redact import SecretRules
from codeindex.ingest.workers import protocol
from codeindex.ingest.workers.child import WorkerSettings
from codeindex.ingest.workers.pool import WorkerPool
from codeindex.ingest.workers.prepare import PrepareOptions, prepare_file
from codeindex.store.datadir.home import fingerprint_key_file
from codeindex.store.exports.chroma_child import _client as open_client
from codeindex.store.exports.chroma_child import _create_collection as create_collection
from codeindex.store.exports.networkx_graph import read_graph
from codeindex.store.segments.vector_codes import decode_vectors
from codeindex.types import AgentFormat, PreparedFile, SourceFile

PACKAGES = (
    "sqlite3", "click", "tree_sitter_language_pack", "onnxruntime", "numpy", "networkx",
    "diskcache", "huggingface_hub", "pydantic", "mcp", "chromadb", "codeindex",
)  # fmt: skip
IMPORT_RUNS = 9
ASKED = 200
NEAREST = 10
BATCH = 1000
BUDGET = 1000
MIN_WORDS = 3
FORMS: tuple[AgentFormat, ...] = ("text", "json")


def processor_seconds(action: Callable[[], object]) -> float:
    began = time.process_time()
    action()
    return time.process_time() - began


def elapsed_seconds(action: Callable[[], object]) -> float:
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


def opened(root: str) -> Index:
    index = Index.open(root)
    if not index.is_indexed:
        index.sync(structure_only=True)
    return index


def imports() -> None:
    bare = _import_seconds("pass")
    print(f"bare Python: {bare * 1e3:.0f} ms")
    for name in PACKAGES:
        print(f"{name:28}{(_import_seconds(f'import {name}') - bare) * 1e3:6.0f} ms")


def _import_seconds(code: str) -> float:
    runs = []
    for _ in range(IMPORT_RUNS):
        before = _children_seconds()
        subprocess.run([sys.executable, "-c", code], check=True)
        runs.append(_children_seconds() - before)
    return min(runs)


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def workers(root: str) -> None:
    with opened(root) as index:
        files = _source_files(index)
        settings = _worker_settings(index)
    how = PrepareOptions(tokenizer_for(None), SecretRules(), settings.limits.max_file_kb * 1024)
    run = partial(_prepare_in_threads, Path(root), how)
    run(files[:20], 1)  # grammars are loaded before anything is timed
    print(f"{len(files):,} files, {sum(file.size for file in files) / 1e6:.1f} MB")
    print(f"  one thread        {elapsed_seconds(lambda: run(files, 1)):6.2f} s")
    print(f"  two threads       {elapsed_seconds(lambda: run(files, 2)):6.2f} s")
    with WorkerPool(settings, size=2) as pool:
        list(pool.prepare(files[:20]))
        prepared: list[PreparedFile] = []
        seconds = elapsed_seconds(lambda: prepared.extend(pool.prepare(files)))
        print(f"  two processes     {seconds:6.2f} s")
    _encodings(prepared)


def _source_files(index: Index) -> list[SourceFile]:
    with index.reader().catalog() as (catalog, _):
        rows = catalog.connection.execute(
            "SELECT path, language, size, mtime_ns, ctime_ns FROM files WHERE status = 'indexed'"
        )
        return [SourceFile(*row) for row in rows]


def _worker_settings(index: Index) -> WorkerSettings:
    config = index.settings.config
    return WorkerSettings(
        root=index.root,
        limits=config.limits,
        secrets=config.secrets,
        secret_patterns=config.secret_patterns,
        fingerprint_key=fingerprint_key_file(index.repository.folder.parents[1]),
    )


def _prepare_in_threads(
    root: Path, how: PrepareOptions, files: Sequence[SourceFile], count: int
) -> None:
    def work(part: Sequence[SourceFile]) -> None:
        for file in part:
            prepare_file(root, file, how)

    threads = [threading.Thread(target=work, args=(files[at::count],)) for at in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _encodings(prepared: Sequence[PreparedFile]) -> None:
    _encoding("JSON", protocol.reply_line, protocol.parse_reply, prepared)
    _encoding("pickle", partial(pickle.dumps, protocol=5), pickle.loads, prepared)


def _encoding(
    name: str,
    encode: Callable[[PreparedFile], bytes],
    decode: Callable[[bytes], PreparedFile],
    prepared: Sequence[PreparedFile],
) -> None:
    lines: list[bytes] = []
    encoding = processor_seconds(lambda: lines.extend(map(encode, prepared)))
    decoding = processor_seconds(lambda: list(map(decode, lines)))
    size = sum(map(len, lines)) / 1e6
    print(f"  {name:8}{size:6.1f} MB, encode {encoding:.2f} s, decode {decoding:.2f} s")


def graph(root: str) -> None:
    with opened(root) as index:
        index.graph.networkx()  # writes the pickle if it is missing
        with index.reader().catalog() as (catalog, generation):
            names = catalog.connection.execute(
                "SELECT DISTINCT name FROM symbols WHERE kind IN ('function', 'method')"
            ).fetchall()
        path = index.repository.folder / generation.graph["file"]
        asked = [name for (name,) in random.Random(5).sample(names, ASKED)]
        data = path.read_bytes()
        loaded = pickle.loads(data)
        print(f"{loaded.number_of_nodes():,} nodes, {loaded.number_of_edges():,} edges")
        print(f"  pickle: {len(data) / 1e6:.1f} MB")
        digest = generation.graph["digest"]
        print(f"  load, restricted  {processor_seconds(lambda: read_graph(path, digest)):6.2f} s")
        print(f"  load, plain       {processor_seconds(lambda: pickle.loads(data)):6.2f} s")
        index.graph.callers(asked[0])
        times = [processor_seconds(partial(_callers, index, name)) * 1e3 for name in asked]
        print(
            f"  callers of {ASKED} names: median {statistics.median(times):.1f} ms,"
            f" slowest {max(times):.0f} ms each"
        )


def _callers(index: Index, name: str) -> object:
    return index.graph.callers(name, limit=10)


def vectors(root: str) -> None:
    with opened(root) as index, index.reader().corpus() as (_, corpus):
        token = corpus.token
        count, width = int(token.present.sum()), token.dimension
        ids = corpus.chunk_ids
        asked = np.linspace(0, len(ids) - 1, ASKED, dtype=int).tolist()
        queries = [token.row(at) for at in asked]
        exact, scans = [], []
        for query in queries:
            began = time.perf_counter()
            scores = token.scores(query)
            exact.append(np.argpartition(-scores, NEAREST)[:NEAREST])
            scans.append((time.perf_counter() - began) * 1e3)
        codes = np.concatenate([codes for _, codes in token.parts()])
        places = np.concatenate([positions for positions, _ in token.parts()])
    print(f"{count:,} vectors of {width}, {codes.nbytes / 1e6:.1f} MB")
    print(f"  exact scan: median {statistics.median(scans):.2f} ms, slowest {max(scans):.1f} ms")
    with tempfile.TemporaryDirectory() as folder:
        _chroma(Path(folder), places, decode_vectors(codes), queries, exact)


def _chroma(folder: Path, places: Any, rows: Any, queries: Sequence[Any], exact: Any) -> None:
    began = time.perf_counter()
    collection = create_collection(open_client(folder), "measured", flushed_rows=BATCH)
    opening = time.perf_counter() - began
    for start in range(0, len(rows), BATCH):
        part = slice(start, start + BATCH)
        collection.add(ids=list(map(str, places[part].tolist())), embeddings=rows[part])
    built = time.perf_counter() - began - opening
    times, found = [], 0
    for query, nearest in zip(queries, exact, strict=True):
        began = time.perf_counter()
        answer = collection.query(query_embeddings=[query.tolist()], n_results=NEAREST)
        times.append((time.perf_counter() - began) * 1e3)
        found += len({int(place) for place in answer["ids"][0]} & set(nearest.tolist()))
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6
    print(f"  Chroma: import and open {opening:.1f} s, add all {built:.1f} s, {size:.1f} MB")
    print(f"  Chroma: median {statistics.median(times):.2f} ms, slowest {max(times):.1f} ms")
    print(f"  Chroma: {found / (NEAREST * len(queries)):.3f} of the exact ten")


def answers(root: str) -> None:
    with opened(root) as index:
        log = subprocess.run(
            ["git", "log", "--no-merges", "--format=%s", "-n", str(ASKED)],
            cwd=index.root,
            capture_output=True,
            text=True,
            check=True,
        )
        asked = [line for line in log.stdout.splitlines() if len(line.split()) > MIN_WORDS]
        for form in FORMS:
            shown, places = [], []
            for question in asked:
                answer = index.search(question, budget=BUDGET, sent_as=form)
                shown.append(sum(len(hit.text) for hit in answer.hits))
                places.append(len(answer.hits))
            print(
                f"{form}: {len(asked)} answers in {BUDGET} tokens,"
                f" {statistics.mean(shown):,.0f} characters of code,"
                f" {statistics.mean(places):.1f} places"
            )


MEASURES: dict[str, Callable[..., None]] = {
    "imports": imports,
    "workers": workers,
    "graph": graph,
    "vectors": vectors,
    "answers": answers,
}


def main(arguments: Sequence[str]) -> None:
    if not arguments or arguments[0] not in MEASURES:
        raise SystemExit(__doc__)
    MEASURES[arguments[0]](*arguments[1:])


if __name__ == "__main__":
    main(sys.argv[1:])
