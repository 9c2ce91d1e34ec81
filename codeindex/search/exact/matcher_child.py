"""Match regular expressions in a child process: `python -m codeindex.search.exact.matcher_child`.

Python's `re` has no timeout and some patterns take exponential time, so the parent kills the child.
A request is a line of JSON with the sizes of the texts that follow it; the reply is a line of JSON.
"""

from __future__ import annotations

import json
import signal
import sys
from typing import IO, Any

from codeindex.search.exact.scan import compile_pattern, matching_lines, pattern_spans


def serve_matches(requests: IO[bytes], replies: IO[bytes]) -> None:
    """Answer requests until they end."""
    for line in requests:
        request = json.loads(line)
        _alarm(request["seconds"])
        texts = [requests.read(size).decode() for size in request["sizes"]]
        replies.write(json.dumps(_matches(request, texts)).encode() + b"\n")
        replies.flush()
        _alarm(0)


def _alarm(seconds: int) -> None:
    """Let the kernel end this process after `seconds`, as the parent may be gone; 0 means never."""
    if hasattr(signal, "alarm"):  # Windows has none
        signal.alarm(seconds)


def _matches(request: dict[str, Any], texts: list[str]) -> list[Any]:
    patterns = [
        compile_pattern(source, ignore_case=ignore_case, alone=alone)
        for source, ignore_case, alone in request["patterns"]
    ]
    find = pattern_spans if request["spans"] else matching_lines
    return [find(text, patterns) for text in texts]


if __name__ == "__main__":
    serve_matches(sys.stdin.buffer, sys.stdout.buffer)
