"""Detects tokens that are split over adjacent literals: `"ghp_" + "…"`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from codeindex.secrets.detector import SecretHit, Span
from codeindex.secrets.engine import run_detectors
from codeindex.secrets.tokens import TOKEN_DETECTORS

_OPERATOR = r"(?:(?:[+.]{1,2}|[&\\~^]|<>|\|\|)[ \t\r]*+)?"
_BETWEEN_LITERALS = (
    r"""(?=[\s+.&\\~^<|"'`])(?<=[\w.:/+=-].)"""
    rf"""[ \t\r]*+{_OPERATOR}(?:\n[ \t]*+{_OPERATOR})?[rbfuRBFUL@$]{{0,2}}["'`](?=[\w.:/+=-])"""
)
_JOINS = tuple(re.compile(quote + _BETWEEN_LITERALS, re.ASCII) for quote in "\"'")
"""Match from the closing quote of a literal to the opening quote of the next.

There is one pattern for each quote, because a fixed first character is found six times as fast as a
set of two.
"""
_TOKEN_RUN = re.compile(r"[\w.:/+=-]*+", re.ASCII)
"""A run of token characters."""
_LONGEST_START = 200  # characters before the first join; most tokens are shorter as a whole
_SHORTEST_CHAIN = 20  # characters, of AWS's key ids


def detect_split_tokens(text: str) -> Iterator[SecretHit]:
    """Yield a hit for each literal that contains a part of a token.

    The expression `"ghp_" + "…"` gives two hits.
    """
    pieces = [piece for chain in _chains(text) for piece in (*chain, None)]
    if not pieces:
        return
    joined = "".join(text[slice(*piece)] if piece else "\n" for piece in pieces)
    starts = [0, *accumulate(piece[1] - piece[0] if piece else 1 for piece in pieces)]
    for hit in run_detectors(TOKEN_DETECTORS, joined):
        first, last = (bisect_right(starts, at) - 1 for at in (hit.span[0], hit.span[1] - 1))
        for at in range(first, last + 1):
            if piece := pieces[at]:
                shift = piece[0] - starts[at]
                span = max(piece[0], hit.span[0] + shift), min(piece[1], hit.span[1] + shift)
                yield SecretHit(span, hit.rule)


def _chains(text: str) -> Iterator[list[Span]]:
    """Yield lists of spans: literals that code joins, like `"ab" + "cd"`.

    Of each literal, the span has only the part that can belong to a token.
    """
    chain: list[Span] = []
    joins = (join for pattern in _JOINS for join in pattern.finditer(text))
    for join in sorted(joins, key=re.Match.start):
        if not chain or chain[-1][1] != join.start():
            yield from _if_long_enough(chain)
            before = text[max(0, join.start() - _LONGEST_START) : join.start()][::-1]
            run = _TOKEN_RUN.match(before)
            chain = [(join.start() - (run.end() if run else 0), join.start())]
        run = _TOKEN_RUN.match(text, join.end())
        chain.append((join.end(), run.end() if run else join.end()))
    yield from _if_long_enough(chain)


def _if_long_enough(chain: list[Span]) -> Iterator[list[Span]]:
    if sum(end - start for start, end in chain) >= _SHORTEST_CHAIN:
        yield chain
