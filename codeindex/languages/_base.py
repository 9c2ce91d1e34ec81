"""What the rest of the program needs to know about a language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from codeindex.languages.source_tree import ModuleLocator, VisibleFiles

PACKAGE_CLAUSE = "."
"""What an import names that says which package the file itself is of."""

ImportCaptures = Mapping[str, str]
"""The text of an import by capture: `module`, `imported`, `alias`, `local`, `statement`."""

HeadingNotation = Literal["", "hash", "underline", "equals", "elements"]
"""`# Title`, a title with a line of signs below, `== Title`, or elements as `<h1>`."""

_RESULT_END = re.compile(r"^\s*=|\bthrows\b|\bwhere\b|\{|=(?!>)|:\s*$|\s:\s(?=\w+\()")
"""What comes after the type of a result: exceptions, bounds, the body, initialisers."""


def plain_import(captured: ImportCaptures) -> Iterable[tuple[str, str, str]]:
    """Yield module, name in it (nothing for the module itself) and the local name."""
    module, name = captured.get("module", ""), captured.get("imported", "")
    yield module, name, captured.get("alias") or captured.get("local") or name or module


def is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def without_underscore(name: str) -> bool:
    """Tell whether a name is public by habit: `_name` and `#name` are not, `__init__` is."""
    return is_dunder(name) or not name.startswith(("_", "#"))


@dataclass(frozen=True, slots=True)
class Visibility:
    """The rules by which a language makes a declaration public or private.

    `public` and `private` are searched in the signature before the name. At most one of them is
    set.
    """

    public: re.Pattern[str] | None = None
    """Matches public declarations: all others are private."""
    private: re.Pattern[str] | None = None
    """Matches private declarations: all others are public."""
    is_explicit: bool = False
    """Visibility is declared or exported by code, not a naming habit as in Python."""
    by_name: Callable[[str], bool] = without_underscore
    """Tells whether a name may be public."""
    exported: Callable[[str], frozenset[str] | None] | None = None
    """Returns the names in the export list of a file's text, None without a list: `__all__`."""
    export_line: re.Pattern[str] | None = None
    """Matches the first line of a declaration that is exported without being in a list."""


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

    `relations` is a second query, about what refers to what: `ingest.parse.relations` lists its
    captures.

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
    grammar_package: str = ""
    """The package that has the grammar, where the language pack takes it from another one."""
    grammars: tuple[tuple[str, str], ...] = ()
    """Suffixes whose files another grammar reads, with its name: interfaces of OCaml. It must have
    all the nodes that the queries name."""
    symbols: str = ""
    relations: str = ""
    complexity: str = ""
    imports: Callable[[ImportCaptures], Iterable[tuple[str, str, str]]] = plain_import
    leading: tuple[str, ...] = ("comment",)
    """Node types that belong to the definition right below them: comments, attributes."""
    wrappers: tuple[str, ...] = ()
    """Node types around a definition whose lines belong to it: decorated, exported, templated."""
    unparsable: str = ""
    """A regex of words that the grammar cannot read, after those in its group `kept`, if it has
    one, that show where: the export macros of C."""
    replacement: str = ""
    """What is put in the place of such a word, if it takes that to make the rest readable."""

    # Files

    filenames: tuple[str, ...] = ()
    """Whole file names that are this language, whatever their suffix."""
    interpreters: tuple[str, ...] = ()
    """Programs in a `#!` line that make a file without suffix this language."""
    tests: tuple[str, ...] = ()
    """Globs (gitignore syntax) of test files."""
    excludes: tuple[str, ...] = ()
    """Globs (gitignore syntax) of build output and vendored code that are never indexed."""
    manifests: tuple[str, ...] = ()
    """Globs of the names of files that decide by their content which file an import means."""

    # Names within a file

    implicit_receiver: bool = False
    """A bare name inside a type may mean a member of it: Java, C#, C++, not Python."""
    class_body_scope: bool = False
    """A bare name in a type's body means what that body binds, in its functions not: Python."""
    block_scoped: bool = False
    """A name bound in a block is not seen before or outside of it: Go, Rust, not Python."""
    callable_variables: bool = False
    """A variable can be called by its name alone; functions, named apart from them, go first."""
    overloads: bool = False
    """Functions of one name differ in their parameters, and `relations` tells of arguments."""
    transparent: tuple[str, ...] = ()
    """Generic types that stand for their argument: `Optional`, `Box`, `Promise`."""

    # Names of other files

    family: tuple[str, ...] = ()
    """Languages, this one among them, whose code can call each other's members by name."""
    locate: ModuleLocator | None = None
    """Finds the files that an import means; without it, imports lead nowhere."""
    visible_files: VisibleFiles | None = None
    """Finds the other files whose names a file sees without an import: those of its package."""
    declares_package: bool = False
    """A file says which package its names belong to, whatever its folder: Java, Kotlin, Scala.
    An import begins at no file: what is not found may be of a package outside."""
    file_private: str = ""
    """A regex of the signatures of what only its own file sees, though it is of a package."""
    folder_packages: bool = False
    """A package is the files of one folder; folders below are other packages: Go."""
    module_default: bool = False
    """`default` and `exports` of a module that exports neither mean the module: JavaScript."""
    autoloads: bool = False
    """A name is enough to find its file: `locate` is called with ``::Name``."""
    textual_includes: bool = False
    """Files are pasted into each other: C and C++."""
    imports_namespaces: bool = False
    """A namespace is imported, which is no file and known by its name alone: C#, PHP."""
    module_separator: str = "::"
    """What source code writes between the parts of an imported path: `.` in OCaml."""
    nested_modules: bool = False
    """Modules lie below each other by name, whatever macro declares them: `locate` is called with
    ``self::name``."""
    extension_functions: bool = False
    """A function that is imported may be called as if it were a member: Kotlin."""
    conditional_definitions: bool = False
    """A package may define the same thing several times, for different builds: Go, Rust, SQL."""

    # Declarations

    visibility: Visibility = Visibility()
    separate_declarations: bool = False
    """A thing is declared in one place and defined in another: headers of C."""
    object_methods: bool = False
    """Functions in object literals are methods, which whoever gets the object calls: JavaScript."""
    sigil: str = ""
    """What private names begin with that begins comments elsewhere: `#name` of JavaScript."""
    method_shape: Callable[[str, str], tuple[str, ...] | None] | None = None
    """Called with a method's signature and name: its types. With it, a type implements interfaces
    by having their methods, whether or not it says so: Go."""
    result_first: bool = False
    """A signature has the type of the result before the name: C, Java."""
    result_end: re.Pattern[str] = _RESULT_END
    """A regex of what follows the type of a result in a signature."""
    signature_types: Callable[[str], tuple[str, str]] | None = None
    """Splits signatures that have no list of parameters in brackets: Haskell."""

    # Text for people

    prose: bool = False
    """Text for people, cut by heading."""
    headings: HeadingNotation = ""
    """How headings are written. Files that are no prose are cut by them too: HTML."""
    document: str = ""
    """What its text is made of, if that is not what its bytes say: a `page`, a `cell`."""

    def grammar_for(self, path: str) -> str:
        """Return the name of the grammar that reads a file; "" without one."""
        by_suffix = (name for suffix, name in self.grammars if path.endswith(suffix))
        return next(by_suffix, self.grammar or "")
