"""Collapse nested blocks of source by indentation, in any language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from codeindex.types.source import NumberedLine


def collapse_blocks(lines: Sequence[NumberedLine]) -> list[NumberedLine]:
    """Keep the lines of the two outermost levels; replace deeper blocks by `{ ... }`.

    In languages without braces, a line `...` replaces a block. Lines keep their numbers.
    """
    first = next((text for _, text in lines if text.strip()), "")
    deeper = [_indent(text) for _, text in lines if text.strip() and _indent(text) > _indent(first)]
    if not deeper:
        return list(lines)
    return list(_join_braces(_keep_level(lines, min(deeper))))


def _keep_level(lines: Sequence[NumberedLine], level: int) -> Iterator[NumberedLine]:
    """Yield lines that are indented by at most `level` columns; other lines become one `...`.

    Lines inside open brackets continue the line before them, so they are shown or hidden with it.
    """
    open_brackets, hidden = 0, False
    for number, text in lines:
        if not text.strip():
            if not hidden:
                yield number, text
            continue
        if _indent(text) <= level or open_brackets > 0:
            hidden = False
            open_brackets = max(0, open_brackets + _balance(text))
            yield number, text
        elif not hidden:
            hidden = True
            yield number, f"{' ' * _indent(text)}..."


def _join_braces(lines: Iterator[NumberedLine]) -> Iterator[NumberedLine]:
    """Join the three lines of a hidden block, `{`, `...` and `}`, into one."""
    kept_lines = list(lines)
    at = 0
    while at < len(kept_lines):
        number, text = kept_lines[at]
        two = [line.strip() for _, line in kept_lines[at + 1 : at + 3]]
        if text.rstrip().endswith("{") and len(two) == 2 and two[0] == "..." and two[1][:1] == "}":  # noqa: PLR2004 (both lines)
            yield number, f"{text.rstrip()} ... {two[1]}"
            at += 3
        else:
            yield number, text
            at += 1


def _indent(text: str) -> int:
    """Return the columns before the text, one less if the text begins with a star.

    In a block comment, stars are indented by one column more than the declaration.
    """
    expanded = text.expandtabs(4)
    bare = expanded.lstrip()
    return len(expanded) - len(bare) - bare.startswith("*")


def _balance(text: str) -> int:
    return sum(map(text.count, "([")) - sum(map(text.count, ")]"))
