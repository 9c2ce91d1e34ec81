"""Select branches of `#if` where a grammar cannot parse them in place.

A grammar can parse `#if` between whole statements and definitions only. Elsewhere the directives
and all branches but one are blanked, as a preprocessor does. The other branches are parsed in
further variants of the file. Equal conditions are decided equally in a variant, so that a bracket
that one `#if` opens is closed by another.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from codeindex.ingest.parse.error_recovery import RowRange

_MAX_VARIANTS = 4
_MAX_DEPTH = 60
"""Maximum nesting of directives: the functions below recurse over them."""
_DIRECTIVE = re.compile(
    rb"^[ \t]*\#[ \t]*(?P<word>if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b"
    rb"(?P<condition>(?:\\\r?\n|/\*[^*]*\*/|[^\n\\/]|\\|/(?![/*]))*)"
    rb"|//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z)"
    rb'|\bR"(?P<mark>[^()\s]*)\(.*?\)(?P=mark)"|"""+.*?"""|@"(?:[^"]|"")*"'
    rb'|"(?:\\.|[^"\\\n])*"|' + rb"'(?:\\.|[^'\\\n])*'",
    re.MULTILINE | re.DOTALL,
)
"""Matches directives, and comments and texts, in which there are none."""
_COMMENT = re.compile(r"/\*.*?\*/|//.*|\\$", re.MULTILINE | re.DOTALL)
_DEFINED = re.compile(r"defined\(?(\w+)\)?|(\w+)")
_CONSTANTS = {"0": False, "1": True, "false": False, "true": True}


class Condition(NamedTuple):
    """The condition of an `#if` branch in normal form: a text, and whether it is negated.

    `!defined(X)` and `ifndef X` both have the text `X?` and are negated.
    """

    text: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Branch:
    """One branch of a group from `#if` to `#endif`: its rows, and the groups nested in it.

    Rows count from 0; the end of `rows` is excluded. The branch of `#else` has no condition.
    """

    condition: Condition | None
    rows: RowRange
    groups: list[ConditionalGroup] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ConditionalGroup:
    """A group from `#if` to `#endif`; `start` is the byte offset of the `#`."""

    start: int
    rows: RowRange
    branches: Sequence[Branch]


class _Choice(NamedTuple):
    """The state by which one variant of a file selects branches of its `#if` groups.

    `weights` maps (condition, value) to the number of rows that are shown for the first time if the
    condition has this value. `known` holds the values that the variant has chosen so far. With
    `last_first`, the last branches are preferred instead of the longest.
    """

    weights: Mapping[tuple[str, bool], int]
    known: dict[str, bool]
    last_first: bool

    def gain(self, group: ConditionalGroup, branch: Branch | None) -> int:
        """Return the number of rows that are shown for the first time if this branch is selected.

        `branch` is None if the variant selects no branch of `group`.
        """
        if branch and branch.condition:
            return self.weights.get((branch.condition.text, not branch.condition.negated), 0)
        refused = [other.condition for other in group.branches if other.condition]
        unknown = [each for each in refused if each.text not in self.known]
        return max((self.weights.get((each.text, each.negated), 0) for each in unknown), default=0)


class Variant(NamedTuple):
    """One variant of a file, with one branch of each `#if` group that needs a choice.

    `blanked` are the rows of the other branches, to replace by spaces; `new` are the rows that no
    earlier variant shows. Rows count from 0.
    """

    blanked: frozenset[int]
    new: frozenset[int]


def read_groups(source: bytes) -> list[ConditionalGroup]:
    """Return the outermost `#if` groups of a file, with nested groups in their branches.

    Return [] if directives do not match each other or are nested too deeply.
    """
    open_groups: list[tuple[int, int, list[tuple[Condition | None, int, int]], list[Branch]]] = []
    top = Branch(None, (0, 0))
    inner: list[list[ConditionalGroup]] = [top.groups]
    for word, text, start, row, after in _directives(source):
        if word.startswith("if"):
            open_groups.append((start, row, [(_condition(word, text), row, after)], []))
            inner.append([])
            if len(inner) > _MAX_DEPTH:
                return []
            continue
        if not open_groups:
            return []
        group_start, first, heads, branches = open_groups[-1]
        condition, _, body = heads[-1]
        branches.append(Branch(condition, (body, row), inner.pop()))
        if word == "endif":
            open_groups.pop()
            inner[-1].append(ConditionalGroup(group_start, (first, after), branches))
        else:
            heads.append((_condition(word, text) if word != "else" else None, row, after))
            inner.append([])
    return top.groups if not open_groups else []


def _directives(source: bytes) -> Iterator[tuple[str, str, int, int, int]]:
    """Yield (word, condition, offset, first row, end row) for each directive of `#if` groups.

    The word is like `ifdef`, the offset is that of the `#` in bytes, and the end row is excluded.
    """
    row, at = 0, 0
    for match in _DIRECTIVE.finditer(source):
        if match["word"] is None:
            continue
        row += source.count(b"\n", at, match.start())
        at = match.start()
        after = row + 1 + source.count(b"\n", at, match.end())
        text = match["condition"].decode("utf-8", "replace")
        yield match["word"].decode(), text, source.index(b"#", at), row, after


def _condition(word: str, text: str) -> Condition:
    bare = re.sub(r"\s", "", _COMMENT.sub("", text))
    negated = False
    while bare.startswith("!"):
        bare, negated = bare[1:], not negated
    name = _DEFINED.fullmatch(bare)
    if negated and not name:
        return Condition(f"!{bare}")
    if word.endswith("def"):
        return Condition(f"{bare}?", word.endswith("ndef"))
    return Condition(f"{name[1]}?" if name and name[1] else bare, negated)


def unreadable_groups(
    groups: Iterable[ConditionalGroup], is_readable: Callable[[int], bool], errors: frozenset[int]
) -> set[int]:
    """Return the byte offsets of the `#if` groups that the grammar could not parse.

    `is_readable` tells whether the grammar parsed the group at an offset without an error; `errors`
    are rows with errors. A group next to such a row counts too, because an `else` after `#endif`
    has lost its `if`. All groups nested in such a group are included.
    """
    found: set[int] = set()
    for group in groups:
        first, end = group.rows
        if not is_readable(group.start) or errors & {first - 1, end}:
            found.add(group.start)
            for branch in group.branches:
                found |= unreadable_groups(branch.groups, is_readable, errors)
    return found


def conditional_variants(
    groups: Sequence[ConditionalGroup],
    unreadable: set[int],
    undefined: Iterable[str],
    *,
    last_first: bool,
) -> Iterator[Variant]:
    """Yield variants of a file that together show the branches of its unreadable groups.

    `unreadable` are the offsets of these groups. The first variant shows the longest branches, or
    with `last_first` the last ones. Macros in `undefined` are never defined.
    """
    constants = _CONSTANTS | {f"{name}?": False for name in undefined}
    hidden = branch_rows(groups, unreadable)
    for number in range(_MAX_VARIANTS):
        known = dict(constants)
        is_last_first = last_first and not number
        blanked: set[int] = set()
        choice = _Choice(_weights(groups, unreadable, hidden), known, is_last_first)
        for group in groups:
            _select(group, unreadable, choice, blanked)
        shown = frozenset(hidden - blanked)
        if number and not shown:
            return
        yield Variant(frozenset(blanked), shown)
        hidden -= shown


def _weights(
    groups: Iterable[ConditionalGroup], unreadable: set[int], hidden: set[int]
) -> Counter[tuple[str, bool]]:
    """Return {(condition, value): number of `hidden` rows that this value would show}.

    `hidden` are the rows that no variant has shown yet. Only the `unreadable` groups are counted.
    """
    weights: Counter[tuple[str, bool]] = Counter()
    stack = [group for group in groups if group.start in unreadable]
    while stack:
        group = stack.pop()
        for branch in group.branches:
            rows = sum(row in hidden for row in range(*branch.rows))
            stack += [inner for inner in branch.groups if inner.start in unreadable]
            if branch.condition:
                weights[branch.condition.text, not branch.condition.negated] += rows
                continue
            refused = [other.condition for other in group.branches if other.condition]
            for condition in refused:
                weights[condition.text, condition.negated] += rows
    return weights


def branch_rows(groups: Iterable[ConditionalGroup], unreadable: set[int]) -> set[int]:
    """Return the rows in branches of the unreadable groups that may be compiled.

    Branches like `#if 0` are never compiled. Rows with directives are not counted.
    """
    return {row for group in groups for row in _rows_in_branches(group, unreadable)}


def _rows_in_branches(group: ConditionalGroup, unreadable: set[int]) -> Iterator[int]:
    if group.start not in unreadable:
        return
    for branch in group.branches:
        if branch.condition and _CONSTANTS.get(branch.condition.text) == branch.condition.negated:
            continue
        first, end = branch.rows
        for inner in branch.groups:
            if inner.start in unreadable:
                yield from range(first, inner.rows[0])
                yield from _rows_in_branches(inner, unreadable)
                first = inner.rows[1]
        yield from range(first, end)


def _select(
    group: ConditionalGroup, unreadable: set[int], choice: _Choice, blanked: set[int]
) -> None:
    """Select one branch of an unreadable group: add the rows outside of it to `blanked`.

    Do the same for unreadable groups inside of the branch.
    """
    if group.start not in unreadable:
        return
    selected = _selected_branch(group, choice)
    blanked.update(range(*group.rows))
    if selected:
        blanked.difference_update(range(*selected.rows))
        for inner in selected.groups:
            _select(inner, unreadable, choice, blanked)


def _selected_branch(group: ConditionalGroup, choice: _Choice) -> Branch | None:
    """Return the branch of a group that the variant shows; None if it shows none.

    It can show none only if the group has no `#else`.
    """
    possible: list[Branch | None] = []
    for branch in group.branches:
        holds = _holds(branch.condition, choice.known) if branch.condition else True
        if holds is not False:
            possible.append(branch)
        if holds:
            break
    else:
        possible.append(None)
    selected = max(possible, key=lambda branch: choice.gain(group, branch))
    if choice.last_first:
        selected = next((branch for branch in reversed(possible) if branch), None)
    for branch in group.branches:
        if branch.condition:
            value = (branch is selected) != branch.condition.negated
            choice.known.setdefault(branch.condition.text, value)
        if branch is selected:
            break
    return selected


def _holds(condition: Condition, known: dict[str, bool]) -> bool | None:
    value = known.get(condition.text)
    return None if value is None else value != condition.negated


def blank_rows(source: bytes, rows: frozenset[int]) -> bytes:
    """Replace the 0-based `rows` by spaces of equal length, so that byte offsets stay valid."""
    lines = source.split(b"\n")
    return b"\n".join(b" " * len(line) if row in rows else line for row, line in enumerate(lines))
