"""Prepare files in a child process: `python -m codeindex.ingest.workers.worker`.

It reads settings and requests on standard input, one a line, writes one reply a line on standard
output, and ends with its parent. Settings hold until the next ones. Memory and processor time are
limited where the system supports it. The parent enforces the wall-clock deadline, because a grammar
that hangs holds the GIL.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self

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

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@dataclass(frozen=True, slots=True)
class _Settings:
    """The settings of one repository, as sent by the parent; sizes are in bytes."""

    root: Path
    tokenizer: Tokenizer
    rules: SecretRules
    max_bytes: int
    max_document_bytes: int
    parse_seconds: float
    orphan_seconds: int

    @classmethod
    def of_values(cls, values: dict[str, Any], tokenizer: Tokenizer) -> Self:
        return cls(
            root=Path(values["root"]),
            tokenizer=tokenizer,
            rules=SecretRules(
                trusted=tuple(values["trusted"]),
                patterns=tuple(SecretPattern(*pattern) for pattern in values["patterns"]),
                key=fingerprint_key_for(values["trusted"], Path(values["fingerprint_key"])),
            ),
            max_bytes=values["max_bytes"],
            max_document_bytes=values["max_document_bytes"],
            parse_seconds=values["parse_seconds"],
            orphan_seconds=values["orphan_seconds"],
        )


def serve_requests(requests: IO[bytes], replies: IO[bytes]) -> None:
    """Answer requests until the input ends; the first line must contain settings."""
    from codeindex.embed.tokens import tokenizer_for

    tokenizer = tokenizer_for(None)
    relax_garbage_collection()
    settings: _Settings | None = None
    for line in requests:
        if values := protocol.parse_settings(line):
            limit_memory(values["memory_mb"])
            settings = _Settings.of_values(values, tokenizer)
            replies.write(protocol.READY_LINE)
        elif settings:
            replies.write(_reply(settings, line))
        replies.flush()


def _reply(settings: _Settings, line: bytes) -> bytes:
    """Prepare the file of a request within the limit of processor time; return the reply line."""
    set_orphan_alarm(settings.orphan_seconds)
    file, plain, place = protocol.parse_request(line)
    is_document = bool(LANGUAGES[file.language].document)
    most = settings.parse_seconds
    limit_cpu_time(cpu_seconds_for(file.size, most=most, is_document=is_document))
    max_bytes = settings.max_document_bytes if is_document else settings.max_bytes
    options = PrepareOptions(settings.tokenizer, settings.rules, max_bytes, plain=plain)
    record = place.read() if place else b""
    reply = protocol.reply_line(prepare_file(settings.root, file, options, record=record))
    limit_cpu_time(0)
    set_orphan_alarm(0)
    return reply


def main() -> None:
    serve_requests(sys.stdin.buffer, reserve_stdout())


if __name__ == "__main__":
    main()
