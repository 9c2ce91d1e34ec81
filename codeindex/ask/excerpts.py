"""Choose the lines of a definition that answer a question."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from codeindex.ask.definitions import Excerpt, FoundDefinition
from codeindex.ask.near_quotes import WEIGHT_OF_WORDS, TextNearness, text_scores
from codeindex.ask.question import WeightedQuestion
from codeindex.store.catalog.files import stored_lines
from codeindex.types import OWNER_KINDS

_MAX_WHOLE_LINES = 24
"""Most lines of a definition that is shown whole."""
_LESS_FOR_COMMENT = 0.25
"""Prose is nearer to a question than code that answers it as well. Quotes of documentation count
less already."""
_EQUAL = 1e-6
"""Scores that differ by less count as equal."""
_NOTHING_SHOWN = -1.0
"""Score of a definition of which no lines are shown."""
_WINDOW, _STEP = 14, 5
"""Of a longer definition, the first line and so many adjacent lines are shown; windows begin so
many lines apart."""
_MOST_WINDOWS, _SPREAD_WINDOWS = 10, 4
"""About how many windows of a definition are compared by vectors, and how many of them need no word
of the question. A window takes about 15 ms."""
_MOST_DESCRIPTION = 240
"""Characters of a description that are compared with the question, beside the lines."""
_MOST_LINES = 400
"""Most lines of a definition whose windows are compared; of a longer one, those of the hit are."""


def read_excerpts(
    connection: sqlite3.Connection,
    definitions: Sequence[FoundDefinition],
    question: WeightedQuestion,
    nearness: TextNearness | None,
) -> list[Excerpt]:
    """Return each definition with those of its lines that best match the question.

    A short definition is shown whole. No lines are shown of a class or other type whose first line
    is above the chunk that was found.
    """
    code = [_definition_lines(connection, definition) for definition in definitions]
    windows = [
        (at, window)
        for at, (definition, lines) in enumerate(zip(definitions, code, strict=True))
        for window in _windows(definition, lines, question)
    ]
    texts = [
        "\n".join((_about(definitions[at]), *(code[at][number] for number in window)))
        for at, window in windows
    ]
    values = text_scores(texts, nearness)
    best: dict[int, tuple[float, Sequence[int]]] = {}
    for (at, window), text, value in zip(windows, texts, values, strict=True):
        score = WEIGHT_OF_WORDS * question.share_in(text) + value
        if comment := definitions[at].comment:
            less = 0.0 if definitions[at].is_described else _LESS_FOR_COMMENT
            score = max(score, comment.score - less)
        if at not in best or score > best[at][0] + _EQUAL:
            best[at] = score, window
    return [
        Excerpt(definition, lines, _with_first_line(definition, lines, chosen), score)
        for at, (definition, lines) in enumerate(zip(definitions, code, strict=True))
        for score, chosen in [best.get(at, (_NOTHING_SHOWN, ()))]
    ]


def _about(definition: FoundDefinition) -> str:
    """Return the name of a definition and the beginning of its description."""
    doc = definition.node.doc[:_MOST_DESCRIPTION] if definition.node else ""
    return f"{definition.name}\n{doc}" if doc else definition.name


def _definition_lines(
    connection: sqlite3.Connection, definition: FoundDefinition
) -> Mapping[int, str]:
    """Return {line number: line} of a definition; for a type, only of the lines in the hit.

    Return {} for a type that begins before the hit.
    """
    hit, node = definition.hit, definition.node
    if node and node.kind in OWNER_KINDS and node.line < hit.start_line:
        return {}
    first, last = hit.start_line, hit.end_line
    if node:
        is_whole = node.kind not in OWNER_KINDS and node.end_line - node.line < _MOST_LINES
        first = node.line if is_whole else max(first, node.line)
        last = node.end_line if is_whole else min(last, node.end_line)
    lines = stored_lines(connection, hit.path, first, last)
    if hit.signature:
        lines = {hit.line: hit.signature} | lines
    return {at: lines[at] for at in sorted(lines)}


def _windows(
    definition: FoundDefinition, lines: Mapping[int, str], question: WeightedQuestion
) -> list[Sequence[int]]:
    """Return groups of adjacent lines ("windows"), one of which will be shown.

    A short definition is one window. For a long one, return the windows with the most of the
    question's words, and some others.
    """
    code = [at for at in _without_documentation(lines) if lines[at].strip()]
    if len(code) <= _MAX_WHOLE_LINES:
        return [code] if code else []
    if definition.comment and definition.comment.passage:
        first = definition.comment.passage.line
        below = [at for at in code if at >= first]
        if below and first >= code[0]:
            return [below[:_WINDOW]]
    last = len(code) - _WINDOW + _STEP
    windows: list[Sequence[int]] = [
        code[start : start + _WINDOW] for start in range(0, last, _STEP)
    ]
    if len(windows) <= _MOST_WINDOWS:
        return windows
    shares = [question.share_in("\n".join(lines[at] for at in window)) for window in windows]
    by_words = sorted(range(len(windows)), key=lambda at: (-shares[at], at))
    spread = range(0, len(windows), len(windows) // _SPREAD_WINDOWS)
    chosen = dict.fromkeys((*by_words[: _MOST_WINDOWS - _SPREAD_WINDOWS], *spread))
    return [windows[at] for at in sorted(chosen)]


def _with_first_line(
    definition: FoundDefinition, lines: Mapping[int, str], chosen: Sequence[int]
) -> tuple[int, ...]:
    node = definition.node
    head = {node.line} if node and lines.get(node.line, "").strip() else set()
    return tuple(sorted({*chosen, *head}))


def _without_documentation(lines: Mapping[int, str]) -> list[int]:
    """Return the line numbers without those of docstrings."""
    kept, in_docstring = [], False
    for at, line in lines.items():
        marks = line.count('"""') + line.count("'''")
        starts_with_mark = line.lstrip().startswith(('"""', "'''", 'r"""'))
        if not (in_docstring or starts_with_mark):
            kept.append(at)
        if starts_with_mark or in_docstring:
            in_docstring ^= marks % 2 == 1
    return kept
