"""Compare resolved references with an independent resolver: `graph.py LANGUAGE REPO...`.

`python` needs `pip install jedi`; `typescript` needs node and `npm install typescript` in the
folder that `--modules` names; `java` needs a JDK of version 17; `c` needs `pip install libclang`
(`clang_oracle.py`); `rust` reads pages of rustdoc (`rust_oracle.py`); `ruby` reads the calls that a
run of tests recorded (`ruby_oracle.py`). Names are drawn at random from the source: not
definitions, not parts of import statements, and once in their line, so that a line and a name
identify them. The denominator of recall is what the oracle resolves to something in the repository
that is no local variable or parameter. A target agrees if file and name are those of the oracle's
and its line lies in ours, or if both are members of the same type: which of an attribute's
assignments is its definition is taste. A function of Java or C++ agrees only if it is the same one
of several overloads. Precision is taken over our resolved claims about names that the
oracle knows anything of.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import clang_oracle
import graph_oracles
import ruby_oracle
import rust_oracle
from searched import words_alone

from codeindex import Index

_SEED = 7
ORACLES = {
    **graph_oracles.ORACLES,
    "c": clang_oracle.c,
    "ruby": ruby_oracle.ruby,
    "rust": rust_oracle.rust,
}


class Symbol(NamedTuple):
    """A symbol of ours; lines include both ends."""

    path: str
    name: str
    qualified: str
    kind: str
    start: int
    end: int


class Claim(NamedTuple):
    """An edge of ours from some line; `symbol` is None for a whole file or a mere name."""

    certainty: str
    path: str
    symbol: Symbol | None
    name: str


@dataclass(frozen=True)
class Graph:
    """All that we say of a repository."""

    claims: dict[tuple[str, int], list[Claim]]
    symbols: dict[str, list[Symbol]]

    def owner(self, path: str, line: int) -> str:
        """Return the innermost type around a line."""
        around = [
            one.qualified
            for one in self.symbols.get(path, ())
            if one.start <= line <= one.end and one.kind in _TYPES
        ]
        return around[-1] if around else ""


_OVERLOADED = {"method", "constructor", "CXX_METHOD", "FUNCTION_DECL", "FUNCTION_TEMPLATE"}
"""Kinds of targets that name one of several overloads, in the oracles for Java and C++."""
_CONSTRUCTORS = {"this", "super"}
"""Names by which Java calls constructors."""
_TYPES = {"class", "interface", "enum", "struct", "trait", "impl", "object", "type"}


def graph_of(connection: sqlite3.Connection) -> Graph:
    symbols: dict[int, Symbol] = {}
    of_file: dict[str, list[Symbol]] = defaultdict(list)
    for one, *rest in connection.execute(
        "SELECT s.id, f.path, s.name, s.qualified, s.kind, s.start_line, s.end_line FROM symbols s"
        " JOIN files f ON f.id = s.file_id ORDER BY f.path, s.start_line, s.end_line DESC"
    ):
        symbols[one] = Symbol(*rest)
        of_file[symbols[one].path].append(symbols[one])
    claims: dict[tuple[str, int], list[Claim]] = defaultdict(list)
    for source, certainty, target, symbol, name, lines in connection.execute(
        "SELECT f.path, e.certainty, coalesce(g.path, ''), e.target_symbol, e.target_name, e.lines"
        " FROM edges e JOIN files f ON f.id = e.source_file"
        " LEFT JOIN files g ON g.id = e.target_file"
    ):
        for line in lines.split():
            claims[source, int(line)].append(Claim(certainty, target, symbols.get(symbol), name))
    return Graph(claims, of_file)


def agrees(graph: Graph, claim: Claim, target: graph_oracles.Target) -> bool:
    if claim.path != target.path:
        return False
    if claim.symbol is None:
        return target.kind == "module"
    if claim.symbol.name != target.name:
        return False
    if target.kind in _OVERLOADED:
        is_function = claim.symbol.kind not in _TYPES
        return is_function and claim.symbol.start <= target.line <= claim.symbol.end
    owner = claim.symbol.qualified.rpartition(".")[0]
    same_name = [
        one
        for one in graph.symbols[claim.path]
        if one.qualified == claim.symbol.qualified and one.start <= target.line <= one.end
    ]
    return bool(same_name) or (bool(owner) and owner == graph.owner(target.path, target.line))


def compare(graph: Graph, sample: Iterable[graph_oracles.Answer]) -> Iterator[tuple[str, Any]]:
    """Yield what each name of the sample says of us: pairs of a count's name and the name."""
    for name in sample:
        claims = graph.claims.get((name.path, name.line), [])
        inside = [one for one in name.targets if one.path and not one.is_local]
        right = [one for one in claims for target in inside if agrees(graph, one, target)]
        if inside:
            yield "known", name
            yield f"known {inside[0].kind}", name
            if any(one.certainty == "resolved" for one in right):
                yield "resolved", name
                yield f"resolved {inside[0].kind}", name
            elif right:
                yield "in a set", name
            elif any(one.certainty == "ambiguous" and name.name == one.name for one in claims):
                yield "by name", name
            else:
                yield "missed", name
        meant = (*name.targets, *name.beside)
        said = [one for one in claims if one.symbol and one.symbol.name == name.name]
        if name.name in _CONSTRUCTORS:
            said = [
                one
                for one in claims
                if one.symbol
                and one.symbol.kind == "constructor"
                and any(one.symbol.name == target.name for target in name.targets)
            ]
        certain = [one for one in said if one.certainty == "resolved"]
        right = [one for one in said if any(agrees(graph, one, target) for target in meant)]
        if name.targets and certain:
            yield "claimed", name
            is_true = all(one in right for one in certain) if name.beside else bool(right)
            yield ("right" if is_true else "wrong"), name


def measure(language: str, root: Path, *, size: int, modules: Path, show: int) -> None:
    started = time.monotonic()
    with Index.open(root) as index:
        report = index.sync(structure_only=True)
        with index.reader().catalog() as (catalog, _):
            graph = graph_of(catalog.connection)
    taken = time.monotonic() - started
    paths = sorted({path for path, _ in graph.claims})
    random.seed(_SEED)
    sample = ORACLES[language](root, paths, size, modules)
    counts: Counter[str] = Counter()
    shown: dict[str, list[Any]] = defaultdict(list)
    for what, name in compare(graph, sample):
        counts.update([what, f"{name.use} {what}"])
        shown[what].append(name)
    known, claimed = max(counts["known"], 1), max(counts["claimed"], 1)
    in_sets = counts["resolved"] + counts["in a set"]
    print(
        f"{root.name:12} {report.added or len(paths):6} files {taken:6.1f} s"
        f"  sample {counts['known']:5}  resolved {counts['resolved'] / known:.3f}"
        f"  with sets {in_sets / known:.3f}"
        f"  with names {(in_sets + counts['by name']) / known:.3f}"
        f"  precision {counts['right'] / claimed:.4f} of {counts['claimed']}"
    )
    if counts["call known"]:
        calls = counts["call known"]
        in_call_sets = counts["call resolved"] + counts["call in a set"]
        print(
            f"  calls alone: {calls:5}  resolved {counts['call resolved'] / calls:.3f}"
            f"  with sets {in_call_sets / calls:.3f}"
            f"  with names {(in_call_sets + counts['call by name']) / calls:.3f}"
        )
    kinds = sorted(what.removeprefix("known ") for what in counts if what.startswith("known "))
    shares = (f"{kind} {counts[f'resolved {kind}']}/{counts[f'known {kind}']}" for kind in kinds)
    print(f"  resolved by kind: {', '.join(shares)}")
    for what in ("wrong", "missed", "in a set", "by name"):
        for one in random.sample(shown[what], min(show, len(shown[what]))):
            print(f"  {what}: {one.path}:{one.line} {one.name} -> {one.targets[:2]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", choices=sorted(ORACLES))
    parser.add_argument("repositories", type=Path, nargs="+")
    parser.add_argument("--home", type=Path, help="keep indexes here")
    parser.add_argument("--size", type=int, default=2000, help="names that the oracle resolves")
    parser.add_argument("--modules", type=Path, default=Path(), help="where npm has installed")
    parser.add_argument("--show", type=int, default=0, help="print so many wrong and missed names")
    args = parser.parse_args()
    with words_alone(args.home):
        for root in args.repositories:
            measure(
                args.language, root.resolve(), size=args.size, modules=args.modules, show=args.show
            )


if __name__ == "__main__":
    main()
