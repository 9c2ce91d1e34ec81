"""Match regular expressions in a child process: `python -m codeindex.search.exact.matcher_child`.

Python's `re` has no timeout and some patterns take exponential time; the parent kills a child that
takes too long.
"""

from __future__ import annotations

import sys
from typing import Any

from codeindex.child_process.text_requests import answer_text_requests
from codeindex.search.exact.scan import compile_pattern, matching_lines, pattern_spans


def _matches(request: dict[str, Any], texts: list[str]) -> list[Any]:
    patterns = [
        compile_pattern(source, ignore_case=ignore_case, alone=alone)
        for source, ignore_case, alone in request["patterns"]
    ]
    find = pattern_spans if request["spans"] else matching_lines
    return [find(text, patterns) for text in texts]


if __name__ == "__main__":
    answer_text_requests(sys.stdin.buffer, sys.stdout.buffer, _matches)
