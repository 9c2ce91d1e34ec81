"""Resolve files in a child process: `python -m codeindex.graph.resolver_process`.

Each line of standard input is a JSON list of file ids; the reply is a JSON line of resolutions. The
process ends with its parent. It opens the catalog read-only and without a long transaction, which
would keep the parent from emptying its write-ahead log.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import IO, Any

from codeindex.child_process.limits import (
    limit_memory,
    relax_garbage_collection,
    reserve_stdout,
    set_orphan_alarm,
)
from codeindex.graph.file_resolution import CatalogReader, resolve_file
from codeindex.store.catalog.connection import Catalog


def serve_resolutions(settings: dict[str, Any], requests: IO[bytes], replies: IO[bytes]) -> None:
    """Reply to each request, a line of file ids, until the input ends."""
    limit_memory(settings["memory_mb"])
    relax_garbage_collection()
    with Catalog.open(Path(settings["catalog"])) as catalog:
        reader = CatalogReader(catalog.connection)
        for line in requests:
            set_orphan_alarm(settings["orphan_seconds"])
            resolutions = [resolve_file(reader, file_id) for file_id in json.loads(line)]
            replies.write(json.dumps(resolutions, separators=(",", ":")).encode("ascii") + b"\n")
            replies.flush()
            set_orphan_alarm(0)


if __name__ == "__main__":
    serve_resolutions(json.loads(sys.argv[1]), sys.stdin.buffer, reserve_stdout())
