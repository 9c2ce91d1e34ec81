"""Answer requests about texts in a child process, until its parent closes the pipe.

A request is a line of JSON with the sizes of the texts that follow it; the reply is a line of JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import IO, Any

from codeindex.child_process.limits import set_orphan_alarm


def answer_text_requests(
    requests: IO[bytes],
    replies: IO[bytes],
    answer: Callable[[dict[str, Any], list[str]], list[Any]],
) -> None:
    """Call `answer` with each request and its texts, and write the result as a line of JSON.

    A request that takes longer than the seconds in its key `seconds` ends the process, since its
    parent may be gone.
    """
    for line in requests:
        request = json.loads(line)
        set_orphan_alarm(request["seconds"])
        texts = [requests.read(size).decode() for size in request["sizes"]]
        replies.write(json.dumps(answer(request, texts)).encode() + b"\n")
        replies.flush()
        set_orphan_alarm(0)
