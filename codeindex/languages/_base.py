"""`Language`: file names, grammar, queries and traits of a language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from codeindex.languages.source_tree import ModuleLocator, VisibleFiles

PACKAGE_CLAUSE = "."
"""Name of the pseudo-import that holds the package clause of a file."""

ImportCaptures = Mapping[str, str]
"""Text of an import by capture: `module`, `imported`, `alias`, `local`, `statement`."""

HeadingNotation = Literal["", "hash", "underline", "equals", "elements"]
"""`# Title`, an underlined title, `== Title`, or HTML elements (`<h1>`)."""

_RESULT_END = re.compile(r"^\s*=|\bthrows\b|\bwhere\b|\{|=(?!>)|:\s*$|\s:\s(?=\w+\()")
"""Matches what follows a return type: exceptions, bounds, the body, initialisers."""


def plain_import(captured: ImportCaptures) -> Iterable[tuple[str, str, str]]:
    """Yield the module, the imported name ("" for the module itself) and the local name."""
    module, name = captured.get("module", ""), captured.get("imported", "")
    yield module, name, captured.get("alias") or captured.get("local") or name or module


def is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def without_underscore(name: str) -> bool:
    """Tell whether a name is public by convention: not `_name` or `#name`, but `__init__`."""
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
    local and dropped. If two patterns match one name node, the first in the query wins; a pattern
    without ``@symbol`` excludes the name.

    `relations` is a second query, for references: `ingest.parse.relations` lists its captures.

    `complexity` is a third query, for the metrics of functions:

    * ``@branch`` on a node, or its operator, that adds a path through the function: a condition, a
      loop, a case, a handler, `&&`; ``@default`` on default cases;
    * ``@nest`` on a node that nests its content; ``@flat`` on one that continues its level, as
      `else if` does;
    * ``@parameters`` on a parameter list, ``@parameter`` on each parameter, ``@receiver``
      on those that do not count: `self`, or C's `void`;
    * ``@clause`` on a clause of a function that is defined piecewise.
    """

    name: str
    suffixes: tuple[str, ...]
    grammar: str | None = None
    """Name of the grammar in tree-sitter-language-pack; None: files are cut into line windows."""
    grammar_package: str = ""
    """Package of the grammar, if the language pack imports it from another one."""
    grammars: tuple[tuple[str, str], ...] = ()
    """Other grammars by suffix: interfaces of OCaml. They must have all node types of the
    queries."""
    symbols: str = ""
    relations: str = ""
    complexity: str = ""
    imports: Callable[[ImportCaptures], Iterable[tuple[str, str, str]]] = plain_import
    leading: tuple[str, ...] = ("comment",)
    """Node types that belong to the definition directly below: comments, attributes."""
    wrappers: tuple[str, ...] = ()
    """Node types around a definition that belong to it: decorators, exports, templates."""
    unparsable: str = ""
    """A regex of text that the grammar cannot parse, such as export macros of C. Text in the
    optional group `kept` is context and stays."""
    replacement: str = ""
    """Text written over the start of a match; spaces cover the rest."""

    # Files

    filenames: tuple[str, ...] = ()
    """File names of this language, regardless of suffix."""
    interpreters: tuple[str, ...] = ()
    """Interpreters of this language in a `#!` line."""
    tests: tuple[str, ...] = ()
    """Globs (gitignore syntax) of test files."""
    excludes: tuple[str, ...] = ()
    """Globs (gitignore syntax) of build output and vendored code that are never indexed."""
    manifests: tuple[str, ...] = ()
    """Globs of file names of manifests, whose content decides where imports lead."""

    # Names within a file

    implicit_receiver: bool = False
    """A bare name inside a type may be a member: Java, C#, C++, not Python."""
    class_body_scope: bool = False
    """Names bound in a type's body are visible in the body, but not in its functions: Python."""
    block_scoped: bool = False
    """Bindings are visible only in their block, and only after them: Go, Rust, not Python."""
    callable_variables: bool = False
    """Variables can be called by name; functions of the same name take precedence."""
    overloads: bool = False
    """Functions can be overloaded; `relations` captures the arguments of calls."""
    transparent: tuple[str, ...] = ()
    """Generic types that are treated as their argument: `Optional`, `Box`, `Promise`."""

    # Names of other files

    family: tuple[str, ...] = ()
    """Languages, including this one, that can call each other's members by name."""
    locate: ModuleLocator | None = None
    """Finds the files of an import; None: imports are not resolved."""
    visible_files: VisibleFiles | None = None
    """Finds other files whose names are visible without import: those of the package."""
    declares_package: bool = False
    """A clause declares the package of a file, regardless of its folder: Java, Kotlin, Scala.
    Imports are absolute; a package that is not found is external."""
    file_private: str = ""
    """A regex of signatures of declarations that are private to their file."""
    folder_packages: bool = False
    """A package is one folder without its subfolders: Go."""
    module_default: bool = False
    """`default` and `exports` of a module that defines neither are the module: JavaScript."""
    autoloads: bool = False
    """Names are found without imports: `locate` is called with ``::Name``."""
    textual_includes: bool = False
    """Files include each other's text: C and C++."""
    imports_namespaces: bool = False
    """Imports name namespaces, which are not files: C#, PHP."""
    module_separator: str = "::"
    """Separator of imported paths in source code: `.` in OCaml."""
    nested_modules: bool = False
    """Submodules are found by file name, even if a macro declares them: `locate` is called with
    ``self::name``."""
    extension_functions: bool = False
    """Functions can be declared as members of other types, and are imported: Kotlin."""
    conditional_definitions: bool = False
    """A package may define a symbol several times for different builds: Go, Rust, SQL."""

    # Declarations

    visibility: Visibility = Visibility()
    separate_declarations: bool = False
    """Functions are declared in one file and defined in another: headers of C."""
    object_methods: bool = False
    """Functions in object literals are methods, called through the object: JavaScript."""
    sigil: str = ""
    """Prefix of private names that begins comments in other languages: `#name` of JavaScript."""
    method_shape: Callable[[str, str], tuple[str, ...] | None] | None = None
    """Returns the types of a method, given its signature and name; None if the signature was cut.
    If set, types implement interfaces implicitly, by having their methods: Go."""
    result_first: bool = False
    """The return type is before the name: C, Java."""
    result_end: re.Pattern[str] = _RESULT_END
    """Matches what follows the return type in a signature."""
    signature_types: Callable[[str], tuple[str, str]] | None = None
    """Splits signatures without parameter list into parameter and return types: Haskell."""

    # Documents

    prose: bool = False
    """Documents, cut into chunks by heading."""
    headings: HeadingNotation = ""
    """Notation of headings, also in files that are not prose: HTML."""
    document: str = ""
    """Unit of text that is extracted from binary or JSON files: `page`, `cell`."""

    def grammar_for(self, path: str) -> str:
        """Return the name of the grammar that reads a file; "" without one."""
        by_suffix = (name for suffix, name in self.grammars if path.endswith(suffix))
        return next(by_suffix, self.grammar or "")
