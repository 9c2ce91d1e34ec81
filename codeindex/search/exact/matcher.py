"""A child process that matches regular expressions: `python -m codeindex.search.exact.matcher`.

`re` cannot be told to stop and some patterns take years, so that its parent kills it. A request is
a line of JSON and the texts after it, whose sizes it names; the answer is a line of JSON.
"""

from __future__ import annotations

import json
import signal
import sys
from typing import IO, Any

from codeindex.search.exact.scan import compiled, matching_lines, spans_of


def serve(requests: IO[bytes], replies: IO[bytes]) -> None:
    """Answer requests until they end."""
    for line in requests:
        asked = json.loads(line)
        _alarm(asked["seconds"])
        texts = [requests.read(size).decode() for size in asked["sizes"]]
        replies.write(json.dumps(_found(asked, texts)).encode() + b"\n")
        replies.flush()
        _alarm(0)


def _alarm(seconds: int) -> None:
    """Let the kernel end this process if its parent is no longer there to do it; 0 is never."""
    if hasattr(signal, "alarm"):  # Windows has none
        signal.alarm(seconds)


def _found(asked: dict[str, Any], texts: list[str]) -> list[Any]:
    patterns = [
        compiled(source, ignore_case=ignore_case, alone=alone)
        for source, ignore_case, alone in asked["patterns"]
    ]
    find = spans_of if asked["spans"] else matching_lines
    return [find(text, patterns) for text in texts]


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
