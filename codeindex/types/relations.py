"""Who uses what: as it is read, resolved and stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from codeindex.types.base import SymbolKind
from codeindex.types.graph_nodes import Certainty, UseKind

Expression = tuple[str | int, ...]
"""An operation and its operands (`ingest.expressions` lists them)."""


class Import(NamedTuple):
    """A name that a file takes from elsewhere; `name` is `*` for all, nothing for the module.

    With `.` it is no import but says which package the file is of.

    `top` is false inside a function; `exported` where others may take it from here. The statement
    begins at `line`, the name stands in line `at`.
    """

    module: str
    name: str
    local: str
    line: int
    at: int
    top: bool
    exported: bool


class Use(NamedTuple):
    """A name used in a line; `symbol` counts the file's symbols, -1 for none around.

    `arguments` is how many a call gives, -1 where that does not count.
    """

    symbol: int
    expression: int
    line: int
    kind: UseKind
    arguments: int = -1


@dataclass(frozen=True, slots=True)
class Relations:
    """What a file declares, over `expressions`, and what it uses, over `used`.

    `values` says what names hold, `results` what functions give, `bases` what types extend: pairs
    of a qualified name and the number of an expression.
    """

    imports: tuple[Import, ...] = ()
    expressions: tuple[Expression, ...] = ()
    values: tuple[tuple[str, int], ...] = ()
    results: tuple[tuple[str, int], ...] = ()
    bases: tuple[tuple[str, int], ...] = ()
    used: tuple[Expression, ...] = ()
    uses: Sequence[Use] = ()


@dataclass(frozen=True, slots=True)
class EncodedRelations:
    """Relations as they are stored; `interface` digests what other files can see of them.

    `names` are shown in `package`, by languages whose files say which one they are of.
    """

    declared: bytes = b""
    used: bytes = b""
    interface: str = ""
    package: str = ""
    names: tuple[str, ...] = ()


class Definition(NamedTuple):
    """A symbol of the catalog, as references are resolved to it.

    The signature is known where it decides which of several functions is called.
    """

    file: str
    id: int
    qualified: str
    kind: SymbolKind
    signature: str = ""


class Edge(NamedTuple):
    """All uses of one thing by one other; symbols and files by their ids in the catalog.

    `source` is None for the file itself, likewise `target`; without a `target_file` only the name
    is known: of something outside, or of a member that anything in the repository may have.
    """

    source: int | None
    kind: str
    certainty: Certainty
    target_file: int | None
    target: int | None
    name: str
    lines: str
    """As they are stored, joined by blanks."""


class FileResolution(NamedTuple):
    """What became of one file: its edges, and what they depend on.

    `asked` is what the tree was asked: a file and the modules that it names, a module of no name
    for the files beside it. `found` digests the answers, `consulted` are the files looked into.
    """

    file_id: int
    edges: Sequence[Edge]
    asked: Sequence[tuple[str, Sequence[str]]]
    found: str
    consulted: Sequence[int]
