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
    """Return the key of one of several functions with the same name: `"Cart.add#1"`.

    `number` distinguishes the functions with the name.
    """
    return f"{qualified}#{number}"


class Import(NamedTuple):
    """An imported name: `*` for all names, "" for the module itself.

    If `name` is `.`, the entry is no import but the file's package declaration. `top` is false
    inside a function; `exported` is true if other files may import the name from here. The
    statement begins at `line`; the name is in line `at`.
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

    `symbol` is the index of the enclosing symbol in the file, -1 outside of all symbols.
    `arguments` is the number of arguments of a call, -1 if it is unknown or the use is not a call.
    `passed` is the index in `Relations.used` of the expression that holds a call's arguments, 0 if
    there are none or they are not analysed. `receiver` is the last name before a called member,
    such as `cache` in `self.cache.get()`, or the first character of a literal.
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

    `declared` holds the imports and definitions, which the resolution of other files reads; `used`
    holds the uses of names and the lines of imports. Both are zlib-compressed JSON. `interface` is
    a digest of everything that other files can see. In languages with package declarations, `names`
    are the names that the file adds to its `package`.
    """

    declared: bytes = b""
    used: bytes = b""
    interface: str = ""
    package: str = ""
    names: tuple[str, ...] = ()


class Definition(NamedTuple):
    """A symbol in the catalog that a use of a name may refer to.

    `signature` is set only if it is needed to choose among several overloads.
    """

    file: str
    id: int
    qualified: str
    kind: SymbolKind
    signature: str = ""


class CompilerReference(NamedTuple):
    """A name in a line, and the definitions that it refers to according to a compiler's index.

    `text` is the name as it stands in the line, where it may occur several times. Each of `targets`
    holds the ids of the definitions of one symbol; it is empty for a symbol that is defined outside
    of the repository. `called` is true if an opening parenthesis follows the name.
    """

    line: int
    text: str
    called: bool
    targets: tuple[tuple[int, ...], ...]


class EdgeRecord(NamedTuple):
    """All uses of one symbol or file by another, by catalog ids: a row of the table `edges`.

    `source` is None if the file itself uses the target; `target` is None if the target is a file.
    Without a `target_file`, only the target's name is known: it is outside the repository, or it is
    a member whose receiver type is unknown.
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
    """The subset of `lines` whose target comes from a compiler's index, in the same form."""
    receiver: str = ""
    """For a call of a member whose owner is unknown, the last name in the receiver: see `Use`."""
    arguments: int = -1
    """For such a call, the number of arguments, -1 if it is unknown: see `Use`."""


class FileResolution(NamedTuple):
    """The resolved edges of one file, and what must stay unchanged for them to stay valid.

    `import_queries` are pairs of a file and the modules that were looked up for it; an empty module
    name stands for the files beside the file. `import_digest` is a digest of what these look-ups
    found. `consulted` are the ids of the files that were read to resolve this file.
    """

    file_id: int
    edges: Sequence[EdgeRecord]
    import_queries: Sequence[tuple[str, Sequence[str]]]
    import_digest: str
    consulted: Sequence[int]
