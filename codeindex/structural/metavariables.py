"""Find the metavariables of a pattern, and replace them by names that a grammar can parse."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

_METAVARIABLE = re.compile(r"(\$\$\$|(?<!\$)\$)([A-Z_][A-Z0-9_]*)|\$\$\$(?![A-Z_$])")
"""`$NAME`, `$$$NAME` or `$$$`; `$name` and `${NAME}` are code."""


class MetavariableUse(NamedTuple):
    """A use of a metavariable in a pattern: its offsets and its name; `is_many` is set for `$$$`.

    The name is "" for `$_` and `$$$`, which may match different code at each use.
    """

    start: int
    end: int
    name: str
    is_many: bool


class Placeholder(NamedTuple):
    """An identifier that stands for a metavariable in `SpelledPattern.source`.

    `use` is the metavariable; `start` and `end` are byte offsets.
    """

    start: int
    end: int
    use: MetavariableUse


@dataclass(frozen=True, slots=True)
class SpelledPattern:
    """A pattern as source that a grammar can parse.

    Identifiers replace the metavariables, and a context such as a function surrounds the pattern.
    `start` and `end` are the byte offsets in `source` of the pattern without the context.
    """

    source: bytes
    start: int
    end: int
    placeholders: tuple[Placeholder, ...]


def metavariable_uses(pattern: str) -> tuple[MetavariableUse, ...]:
    """Return the uses of metavariables in a pattern, such as `$A` and `$$$`, in their order."""
    return tuple(
        MetavariableUse(
            match.start(),
            match.end(),
            "" if (match[2] or "_") == "_" else match[2],
            match[0].startswith("$$$"),
        )
        for match in _METAVARIABLE.finditer(pattern)
    )


def spell_pattern(
    pattern: str, uses: Sequence[MetavariableUse], forms: Sequence[str], context: tuple[str, str]
) -> SpelledPattern:
    """Return a pattern with identifiers in place of metavariables, surrounded by the context.

    `forms` has the form of the identifier for each use (see `Language.metavariable_forms`).
    `context` is the text (before, after) the pattern.
    """
    before, after = context
    parts, placeholders = [before], []
    size, copied = len(before.encode()), 0
    for number, (use, form) in enumerate(zip(uses, forms, strict=True)):
        literal = pattern[copied : use.start]
        spelled = form.replace("name", f"mv{number}x").replace("Name", f"Mv{number}x")
        size += len(literal.encode())
        placeholders.append(Placeholder(size, size + len(spelled.encode()), use))
        size += len(spelled.encode())
        parts += [literal, spelled]
        copied = use.end
    parts.append(pattern[copied:])
    end = size + len(parts[-1].encode())
    source = "".join([*parts, after]).encode()
    return SpelledPattern(source, len(before.encode()), end, tuple(placeholders))
