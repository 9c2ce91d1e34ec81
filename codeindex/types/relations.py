"""Define imports, definitions and uses of a file: as parsed, as stored, and as resolved edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from codeindex.types.base import SymbolKind
from codeindex.types.graph_nodes import Certainty, UseKind

Expression = tuple[str | int, ...]
"""An operation, then its operands; `graph.expressions` lists the operations."""


def overload_key(qualified: str, number: int) -> str:
    """Return the key of an overload: its name with its position among symbols of the name."""
    return f"{qualified}#{number}"


class Import(NamedTuple):
    """An imported name. `name` is `*` for all names, empty for the module itself.

    A `name` of `.` is no import but declares the file's package. `top` is false inside a function;
    `exported` is true if other files may import the name from here. The statement begins at `line`;
    the name is in line `at`.
    """

    module: str
    name: str
    local: str
    line: int
    at: int
    top: bool
    exported: bool


class Use(NamedTuple):
    """A use of a name in a line; `expression` is an index into `Relations.used`.

    `symbol` is the index of the enclosing symbol in the file, -1 outside of any. `arguments` is the
    number of arguments of a call, -1 if unknown or not a call. `passed` is the index in
    `Relations.used` of the expression that holds a call's arguments, 0 if there are none or they
    are not analysed. `receiver` is the last name before a called member, `cache` in
    `self.cache.get()`, or the first character of a literal.
    """

    symbol: int
    expression: int
    line: int
    kind: UseKind
    arguments: int = -1
    passed: int = 0
    receiver: str = ""


@dataclass(frozen=True, slots=True)
class Relations:
    """What the parser found in one file: its imports, declared values and uses, before resolution.

    `values` (variables), `results` (return values of functions) and `bases` (supertypes) are pairs
    of a qualified name and an index into `expressions`; `results` of an overload have its
    `overload_key`, too. The expressions of `uses` are in `used`.
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
    """The imports, definitions and uses of one file, serialized for the catalog.

    `declared` has the imports and definitions, which other files read; `used` has the uses of names
    and the lines of imports. Both are zlib-compressed JSON. `interface` is a digest of what other
    files can see. In languages with package declarations, `names` are the names that the file adds
    to its `package`.
    """

    declared: bytes = b""
    used: bytes = b""
    interface: str = ""
    package: str = ""
    names: tuple[str, ...] = ()


class Definition(NamedTuple):
    """A symbol of the catalog as the target of a reference.

    `signature` is set only if it decides which of several overloads is called.
    """

    file: str
    id: int
    qualified: str
    kind: SymbolKind
    signature: str = ""


class CompilerReference(NamedTuple):
    """A name in a line, and the definitions that a compiler's index states for it.

    `text` is the name as it is written there; it may occur several times in the line. Each of
    `targets` holds the ids of the definitions of one symbol; it is empty for a symbol that is
    defined outside of the repository. `called` is true if an opening parenthesis follows.
    """

    line: int
    text: str
    called: bool
    targets: tuple[tuple[int, ...], ...]


class EdgeRecord(NamedTuple):
    """All uses of one symbol or file by another, by catalog ids: a row of the table `edges`.

    `source` is None if the file itself uses the target; `target` is None if the target is a file.
    Without a `target_file` only the name is known: the target is outside the repository, or it is a
    member with an unknown receiver type.
    """

    source: int | None
    kind: str
    certainty: Certainty
    target_file: int | None
    target: int | None
    name: str
    lines: str
    """Line numbers, separated by blanks, as stored."""
    compiler: str = ""
    """Those of the lines whose target a compiler's index states."""
    receiver: str = ""
    """The last name in the receiver of a called member whose owner is unknown: see `Use`."""
    arguments: int = -1
    """The number of arguments of such a call, -1 if unknown: see `Use`."""


class FileResolution(NamedTuple):
    """Resolved edges of one file, and what they depend on.

    `import_queries` are pairs of a file and the modules that were looked up for it; an empty module
    name looks up the files beside the file. `import_digest` is a digest of the answers. `consulted`
    are the ids of the files that were read to resolve the file.
    """

    file_id: int
    edges: Sequence[EdgeRecord]
    import_queries: Sequence[tuple[str, Sequence[str]]]
    import_digest: str
    consulted: Sequence[int]
