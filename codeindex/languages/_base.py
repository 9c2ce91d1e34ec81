"""What the rest of the program needs to know about a language."""

from __future__ import annotations

from dataclasses import dataclass


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
    """

    name: str
    suffixes: tuple[str, ...]
    grammar: str | None = None
    """Name of the binding in tree-sitter-language-pack; without one, files are cut into windows."""
    symbols: str = ""
    leading: tuple[str, ...] = ("comment",)
    """Node types that belong to the definition right below them: comments, attributes."""
    wrappers: tuple[str, ...] = ()
    """Node types around a definition whose lines belong to it: decorated, exported, templated."""
    filenames: tuple[str, ...] = ()
    """Whole file names that are this language, whatever their suffix."""
    interpreters: tuple[str, ...] = ()
    """Programs in a `#!` line that make a file without suffix this language."""
    blanks: str = ""
    """A regex of words within lines that the grammar cannot read: the export macros of C."""
    tests: tuple[str, ...] = ()
    """Globs (gitignore syntax) of test files."""
    excludes: tuple[str, ...] = ()
    """Globs (gitignore syntax) of build output and vendored code that are never indexed."""
    prose: bool = False
    """Text for people, cut by heading."""
