"""What the rest of the program needs to know about a language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

PACKAGE = "."
"""What an import names that says which package the file itself is of."""

Said = Mapping[str, str]
"""What an import says, by capture: `module`, `imported`, `alias`, `local`, `statement`."""


def plain_import(said: Said) -> Iterable[tuple[str, str, str]]:
    """Yield module, name in it (nothing for the module itself) and the local name."""
    module, name = said.get("module", ""), said.get("imported", "")
    yield module, name, said.get("alias") or said.get("local") or name or module


@dataclass(frozen=True, slots=True)
class Language:
    """A language as data: file names, grammar, and the queries that find names in it.

    `symbols` is a tree-sitter query. Each pattern captures one definition:

    * ``@symbol.<kind>`` on the node that is the definition (`SymbolKind` lists the kinds);
    * ``@name`` on the node that holds its name;
    * ``@scope`` (optional) on a node that names the owner where nesting does not: a Go receiver's
      type, `Foo` in C++ `Foo::bar`, `res` in `res.send = function () {}`; several are joined;
    * ``@body`` (optional) on the node where the signature ends (default: the field `body`);
    * ``@doc`` (optional) on a documentation string inside the definition;
    * ``@clause`` (optional) where a name is defined piecewise (Haskell equations, Elixir heads):
      clauses of one name that follow each other without a comment are one definition;
    * ``@extent`` (optional) on the node where the definition ends, when that is not its own end:
      the file, for C#'s `namespace Shop;`.

    A definition inside another one is its member: nesting gives the qualified name, and a
    function whose owner is a type becomes a method. Variables and constants inside a function are
    its own business and dropped. Of two patterns that match one name node, the first in the query
    wins; one without ``@symbol`` says that the name defines nothing.

    `relations` is a second query, about what refers to what: `ingest.relations` lists its captures.

    `complexity` is a third one, about how functions are built:

    * ``@branch`` on a node, or its operator, that adds a way through the function: a condition, a
      loop, a case, a handler, `&&`; ``@default`` on those that are the rest of the cases;
    * ``@nest`` on a node whose content is a level deeper; ``@flat`` on those that go on at the
      level they are in, as `else if` does;
    * ``@parameters`` on what has parameters, ``@parameter`` on each, ``@receiver`` on those that
      are the object itself, or nothing, as C's `void`;
    * ``@clause`` on a clause of a function that is defined piecewise.
    """

    name: str
    suffixes: tuple[str, ...]
    grammar: str | None = None
    """Name of the binding in tree-sitter-language-pack; without one, files are cut into windows."""
    symbols: str = ""
    relations: str = ""
    complexity: str = ""
    imports: Callable[[Said], Iterable[tuple[str, str, str]]] = plain_import
    implicit_owner: bool = False
    """A bare name inside a type may mean a member of it: Java, C#, C++, not Python."""
    body_binds: bool = False
    """A bare name in a type's body means what that body binds, in its functions not: Python."""
    lexical: bool = False
    """A name bound in a block is not seen before or outside of it: Go, Rust, not Python."""
    invokes: bool = False
    """A variable can be called by its name alone; functions, named apart from them, go first."""
    packaged: bool = False
    """A file says which package its names belong to, whatever its folder: Java, Kotlin, Scala."""
    secluded: str = ""
    """A regex of the signatures of what only its own file sees, though it is of a package."""
    overloads: bool = False
    """Functions of one name differ in their parameters, and `relations` tells of arguments."""
    transparent: tuple[str, ...] = ()
    """Generic types that stand for their argument: `Optional`, `Box`, `Promise`."""
    leading: tuple[str, ...] = ("comment",)
    """Node types that belong to the definition right below them: comments, attributes."""
    wrappers: tuple[str, ...] = ()
    """Node types around a definition whose lines belong to it: decorated, exported, templated."""
    filenames: tuple[str, ...] = ()
    """Whole file names that are this language, whatever their suffix."""
    interpreters: tuple[str, ...] = ()
    """Programs in a `#!` line that make a file without suffix this language."""
    blanks: str = ""
    """A regex of words that the grammar cannot read, after those in its group `kept`, if it has
    one, that show where: the export macros of C."""
    stand_in: str = ""
    """What is put in the place of a blank, if it takes that to make the rest readable."""
    tests: tuple[str, ...] = ()
    """Globs (gitignore syntax) of test files."""
    excludes: tuple[str, ...] = ()
    """Globs (gitignore syntax) of build output and vendored code that are never indexed."""
    prose: bool = False
    """Text for people, cut by heading."""
    headed: bool = False
    """Cut by its headings too, although it is as often code as text for people: HTML."""
    document: str = ""
    """What its text is made of, if that is not what its bytes say: a `page`, a `cell`."""
