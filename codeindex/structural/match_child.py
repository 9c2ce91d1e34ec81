"""Match syntax in a child process: `python -m codeindex.structural.match_child`.

Grammars hang and crash on hostile input, so the parent kills the child.
"""

from __future__ import annotations

import sys
from typing import Any

from codeindex.child_process.limits import limit_memory, reserve_stdout
from codeindex.child_process.text_requests import answer_text_requests
from codeindex.structural.pattern_nodes import PatternTooDeepError
from codeindex.structural.syntax_match import compiled_syntax, find_matches
from codeindex.structural.syntax_reply import ANYTHING, TOO_DEEP

_MEMORY_MB = 2048
"""Memory limit of the child: ten times the memory for a grammar and the tree of 1 MB of code."""


def _reply(request: dict[str, Any], texts: list[str]) -> list[Any]:
    """Return the matches in each text.

    If there are no texts, return for each pattern the words of every match (see `_words`).
    """
    language = request["language"]
    if not texts:
        return [_words(pattern, language) for pattern in request["patterns"]]
    compiled = [compiled_syntax(pattern, language) for pattern in request["patterns"]]
    patterns = [pattern for pattern in compiled if pattern]
    return [
        find_matches(patterns, language, path, text)
        for path, text in zip(request["paths"], texts, strict=True)
    ]


def _words(pattern: str, language: str) -> list[str] | str | None:
    """Return words that every match of a pattern contains; None if it does not parse.

    Return `TOO_DEEP` or `ANYTHING` for a pattern that nests too deeply or matches all code.
    """
    try:
        compiled = compiled_syntax(pattern, language)
    except (PatternTooDeepError, RecursionError):
        return TOO_DEEP
    if compiled is None:
        return None
    if not compiled.alternatives:
        return ANYTHING
    return sorted(word.decode("utf-8", "replace") for word in compiled.words)


if __name__ == "__main__":
    limit_memory(_MEMORY_MB)
    answer_text_requests(sys.stdin.buffer, reserve_stdout(), _reply)
