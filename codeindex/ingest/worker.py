"""A child process that prepares files: `python -m codeindex.ingest.worker`.

Reads a request a line on standard input, answers a line on standard output, and ends with its
parent. Memory is limited where the platform can; time is the parent's business, since a grammar
that hangs holds the GIL.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from pathlib import Path
from typing import IO, Any

from codeindex.config import SecretPattern
from codeindex.ingest import wire
from codeindex.ingest.prepare import How, prepare
from codeindex.ingest.redact import SecretRules

READY = b"ready\n"
_COLLECTED_AFTER = 50_000
"""Objects, what a query catches in 150 KB of source; they are no part of a cycle."""


def serve(settings: dict[str, Any], requests: IO[bytes], replies: IO[bytes]) -> None:
    """Answer requests until they end."""
    from codeindex.embed.tokens import tokenizer_for

    _limit_memory(settings["memory_mb"])
    tokenizer = tokenizer_for(Path(settings["tokenizer"]) if settings["tokenizer"] else None)
    root = Path(settings["root"])
    rules = SecretRules(
        trusted=tuple(settings["trusted"]),
        doubted=tuple(settings["doubted"]),
        patterns=tuple(SecretPattern(*one) for one in settings["patterns"]),
    )
    _spare_collections()
    replies.write(READY)
    replies.flush()
    for line in requests:
        _alarm(settings["orphan_seconds"])
        file, plain = wire.parse_request(line)
        how = How(tokenizer, rules, settings["max_bytes"], plain=plain)
        replies.write(wire.reply_line(prepare(root, file, how)))
        replies.flush()
        _alarm(0)


def _spare_collections() -> None:
    """Look for cycles less often, and not in what stays: that took an eighth of the time."""
    gc.freeze()
    gc.set_threshold(_COLLECTED_AFTER)


def _alarm(seconds: int) -> None:
    """Let the kernel end a hanging child whose parent is no longer there to do it."""
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)


def _limit_memory(megabytes: int) -> None:
    """Bound the address space, so that a hostile file ends this process and not the machine."""
    try:
        import resource
    except ImportError:  # Windows has no rlimits; the deadline alone has to do
        return
    size = megabytes * 1024 * 1024
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or size < hard:
        resource.setrlimit(resource.RLIMIT_AS, (size, hard))


def main() -> None:
    """Keep the protocol's standard output to itself: whatever prints goes to standard error."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(json.loads(sys.argv[1]), sys.stdin.buffer, replies)


if __name__ == "__main__":
    main()
