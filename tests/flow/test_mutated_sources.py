"""Damaged files have fewer certain edges, and none that the intact files do not have.

Files of `tests/languages` are cut, or get conflict markers, brackets and directives without a
partner, and are synced again. An edge is known by its file, its line before the damage and the
qualified name of its target. Three kinds of edges are no errors: those of lines whose words are in
lines that were removed or repeated, because they may mean something else then; those of damaged
lines; and those to symbols which only the damaged file has.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeindex import Index
from codeindex.languages import language_for_path
from tests.conftest import made_repository, own_data

SAMPLES = {
    f"{path.parent.name}/{path.name}": path.read_text()
    for path in sorted(Path(__file__).parents[1].glob("languages/*/*"))
    if path.suffix != ".expected" and (of := language_for_path(path.name)) and of.relations
}
DIRECTIVES = ("#if X", "#else", "#endif", "#define F(x) {", "/*", '"""', "end")
BRACKET = re.compile(r"[(){}\[\]]")

Line = tuple[int, str]
"""The number that a line had before the damage, 0 for a new or damaged line, and its text."""
Damage = Callable[[list[Line], random.Random], list[Line]]


def cut_out(lines: list[Line], dice: random.Random) -> list[Line]:
    """Remove the lines of a range: the end of a file, its beginning, its middle, or one line."""
    first = dice.randrange(len(lines))
    end = dice.choice((len(lines), first + 1, dice.randint(first, len(lines))))
    return lines[:first] + lines[end:] if dice.random() < 0.8 else lines[first:]


def with_conflict(lines: list[Line], dice: random.Random) -> list[Line]:
    first = dice.randrange(len(lines))
    middle, end = first + dice.randint(0, 3), first + dice.randint(3, 6)
    ours, theirs = lines[first:middle], lines[middle:end]
    before, between, after = (0, "<<<<<<< HEAD"), (0, "======="), (0, ">>>>>>> topic")
    return [*lines[:first], before, *ours, between, *theirs, after, *lines[end:]]


def with_directive(lines: list[Line], dice: random.Random) -> list[Line]:
    at = dice.randrange(len(lines))
    return [*lines[:at], (0, dice.choice(DIRECTIVES)), *lines[at:]]


def with_repeated_line(lines: list[Line], dice: random.Random) -> list[Line]:
    at = dice.randrange(len(lines))
    return [*lines[:at], lines[at], *lines[at:]]


def with_bracket(lines: list[Line], dice: random.Random) -> list[Line]:
    """Remove or repeat one bracket."""
    brackets = (
        (at, each.start()) for at, (_, text) in enumerate(lines) for each in BRACKET.finditer(text)
    )
    places = [*brackets]
    if not places:
        return lines
    at, column = dice.choice(places)
    text = lines[at][1]
    damaged = text[:column] + text[column] * dice.choice((0, 2)) + text[column + 1 :]
    return [*lines[:at], (0, damaged), *lines[at + 1 :]]


DAMAGES: tuple[Damage, ...] = (
    cut_out,
    with_conflict,
    with_directive,
    with_repeated_line,
    with_bracket,
)


class Edge(NamedTuple):
    """A certain edge; `line` is that of the use, `target` a qualified name in `target_path`."""

    path: str
    line: int
    target: str
    target_path: str

    @property
    def key(self) -> tuple[str, int, str]:
        """What identifies the edge: a type may have parts, a function a declaration."""
        return self.path, self.line, self.target


@dataclass(frozen=True)
class Repository:
    """An index of the samples, and what it says of the intact ones."""

    root: Path
    index: Index
    edges: frozenset[tuple[str, int, str]]
    symbols: frozenset[tuple[str, str]]

    def __repr__(self) -> str:
        return f"samples in {self.root}"


def certain_edges(index: Index) -> Iterator[Edge]:
    with index.reader().catalog() as (catalog, _):
        rows = catalog.connection.execute(
            "SELECT f.path, e.lines, s.qualified, g.path FROM edges e"
            " JOIN files f ON f.id = e.source_file JOIN symbols s ON s.id = e.target_symbol"
            " JOIN files g ON g.id = s.file_id"
            " WHERE e.certainty = 'resolved' AND e.kind != 'imports'"
        ).fetchall()
    for path, lines, target, target_path in rows:
        for line in lines.split():
            yield Edge(path, int(line), target, target_path)


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Repository]:
    folder = tmp_path_factory.mktemp("mutated")
    with own_data(folder), Index.open(made_repository(folder / "samples", SAMPLES)) as index:
        index.sync(structure_only=True)
        with index.reader().catalog() as (catalog, _):
            symbols = catalog.connection.execute(
                "SELECT f.path, s.qualified FROM symbols s JOIN files f ON f.id = s.file_id"
            ).fetchall()
        edges = frozenset(edge.key for edge in certain_edges(index))
        yield Repository(folder / "samples", index, edges, frozenset(symbols))


def words_of(lines: Sequence[str]) -> set[str]:
    return {word for line in lines for word in re.findall(r"\w+", line)}


def changed_words(intact: Sequence[str], damaged: Sequence[Line]) -> set[str]:
    """Return the words of the lines that were removed, damaged or repeated."""
    kept = [number for number, _ in damaged]
    return words_of([text for at, text in enumerate(intact, start=1) if kept.count(at) != 1])


def new_edges(samples: Repository, path: str, damaged: Sequence[Line]) -> Iterator[Edge]:
    """Yield the certain edges of the damaged repository that must not be there."""
    intact: Mapping[str, Sequence[str]] = {name: text.split("\n") for name, text in SAMPLES.items()}
    changed = changed_words(intact[path], damaged)
    for edge in certain_edges(samples.index):
        line = damaged[edge.line - 1][0] if edge.path == path else edge.line
        before = edge._replace(line=line)
        is_known = (edge.target_path, edge.target) in samples.symbols
        if line and is_known and before.key not in samples.edges:
            text = intact[edge.path][line - 1]
            if not words_of([text]) & changed:
                yield before


def edges_of_damaged(samples: Repository, path: str, damage: Damage, seed: int) -> Sequence[Edge]:
    """Return the certain edges that must not be there after a file was damaged."""
    lines = list(enumerate(SAMPLES[path].split("\n"), start=1))
    damaged = damage(lines, random.Random(seed))
    file = samples.root / path
    file.write_text("\n".join(text for _, text in damaged))
    try:
        samples.index.sync(structure_only=True)
        return [*new_edges(samples, path, damaged)]
    finally:
        file.write_text(SAMPLES[path])


_PATHS = st.sampled_from(sorted(SAMPLES))
_KINDS = st.sampled_from(DAMAGES)
_SEEDS = st.integers(0, 2**32)


@settings(max_examples=25, derandomize=True)
@given(path=_PATHS, damage=_KINDS, seed=_SEEDS)
def test_damaged_files_get_no_new_certain_edges(
    samples: Repository, path: str, damage: Damage, seed: int
) -> None:
    assert edges_of_damaged(samples, path, damage, seed) == []


@pytest.mark.slow
def test_one_of_two_hundred_damages_at_most_gives_a_new_certain_edge(samples: Repository) -> None:
    """The rest are names that lose the scope around them, without an error in their lines."""
    dice = random.Random(5)
    paths = sorted(SAMPLES)
    damaged = [
        edges_of_damaged(samples, dice.choice(paths), dice.choice(DAMAGES), dice.randrange(2**32))
        for _ in range(1_000)
    ]
    assert sum(map(bool, damaged)) <= len(damaged) // 200, [*filter(None, damaged)]


def test_a_use_in_lines_that_the_parser_lost_is_only_possible(tmp_path: Path) -> None:
    app = "import { run } from './run'\nrun()\nfunction f( {\n  run()\n"
    files = {"run.js": "export function run() {}\n", "app.js": app}
    with own_data(tmp_path), Index.open(made_repository(tmp_path / "shop", files)) as index:
        index.sync(structure_only=True)
        lines = {edge.line for edge in certain_edges(index)}
        assert 4 not in lines
        callers = index.graph.callers("run").callers
        assert {caller.certainty for caller in callers if 4 in caller.lines} <= {"ambiguous"}
