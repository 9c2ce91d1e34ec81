"""Prepare files in a child process: `python -m codeindex.ingest.workers.worker`.

It reads one request a line on standard input, writes one reply a line on standard output, and ends
with its parent. The system limits memory and processor time if it can. The parent enforces the
wall-clock deadline, because a grammar that hangs holds the GIL.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import IO, Any

from codeindex.child_process.limits import (
    cpu_seconds_for,
    limit_cpu_time,
    limit_memory,
    relax_garbage_collection,
    reserve_stdout,
    set_orphan_alarm,
)
from codeindex.config import SecretPattern
from codeindex.ingest.read.redact import SecretRules, fingerprint_key_for
from codeindex.ingest.workers import protocol
from codeindex.ingest.workers.prepare import PrepareOptions, prepare_file
from codeindex.languages import LANGUAGES


def serve_requests(settings: dict[str, Any], requests: IO[bytes], replies: IO[bytes]) -> None:
    """Answer requests until they end."""
    from codeindex.embed.tokens import tokenizer_for

    limit_memory(settings["memory_mb"])
    tokenizer = tokenizer_for(None)
    root = Path(settings["root"])
    rules = SecretRules(
        trusted=tuple(settings["trusted"]),
        patterns=tuple(SecretPattern(*pattern) for pattern in settings["patterns"]),
        key=fingerprint_key_for(settings["trusted"], Path(settings["fingerprint_key"])),
    )
    relax_garbage_collection()
    replies.write(protocol.READY_LINE)
    replies.flush()
    for line in requests:
        set_orphan_alarm(settings["orphan_seconds"])
        file, plain, place = protocol.parse_request(line)
        is_document = bool(LANGUAGES[file.language].document)
        most = settings["parse_seconds"]
        limit_cpu_time(cpu_seconds_for(file.size, most=most, is_document=is_document))
        max_bytes = settings["max_document_bytes" if is_document else "max_bytes"]
        options = PrepareOptions(tokenizer, rules, max_bytes, plain=plain)
        record = place.read() if place else b""
        replies.write(protocol.reply_line(prepare_file(root, file, options, record=record)))
        replies.flush()
        limit_cpu_time(0)
        set_orphan_alarm(0)


def main() -> None:
    serve_requests(json.loads(sys.argv[1]), sys.stdin.buffer, reserve_stdout())


if __name__ == "__main__":
    main()
