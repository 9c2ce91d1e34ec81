"""Define `Language`: file names, grammar, queries and traits of a language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from codeindex.languages._type_rules import TypeRules
from codeindex.languages.source_tree import ModuleLocator, VisibleFiles
from codeindex.text.signatures import DEFAULT_SIGN
from codeindex.text.words import normal_name
from codeindex.types import SymbolKind

if TYPE_CHECKING:
    from codeindex.types import Node

PACKAGE_CLAUSE = "."
"""Name of the pseudo-import that holds the package clause of a file."""

ImportCaptures = Mapping[str, str]
"""The texts of an import by capture: `module`, `imported`, `alias`, `local`, `statement`; and
`around`, the qualified name of the definition around it."""


class ImportedName(NamedTuple):
    """A name that an import binds in a file.

    `module` is the imported module or file, "" for one that the file sees already. `name` is the
    name in it, "" for the module itself and `*` for all names. `local` is the name in the file, ""
    for none and `*` for all names.
    """

    module: str
    name: str
    local: str


USED = "use "
"""Local name of an import by which a file also gets imports of the imported module: `use Web` of
Elixir. No name has the blank. After it can be the name of a function of the module, whose imports
the file gets, too: `use Web, :controller`."""
BROUGHT = "/"
"""Separator in the local name of an import inside a function: before it is the name of the function
and after it the name that the import binds, as in `controller/Router`."""
HeadingNotation = Literal["", "hash", "underline", "equals", "elements", "stars", "commands"]
"""How headings are written: `# Title`, an underlined title, `== Title`, HTML elements (`<h1>`),
`** Title` of Org, or `=head1 Title` of POD."""

DECORATOR_START = r"^\s*(?:@|#\[|\[)"
"""A regex of what begins a line with a decorator, annotation or attribute: `@`, `#[` or `[`."""
_RESULT_END = re.compile(r"^\s*=|\bthrows\b|\bwhere\b|\{|=(?!>)|:\s*$|\s:\s(?=\w+\()")
"""Matches what follows a return type: exceptions, bounds, the body, initializers."""


def plain_import(captured: ImportCaptures) -> Iterable[ImportedName]:
    """Yield (module, imported name, local name) of an import.

    The imported name is "" if the module itself is imported.
    """
    module, name = captured.get("module", ""), captured.get("imported", "")
    yield ImportedName(
        module, name, captured.get("alias") or captured.get("local") or name or module
    )


def is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def without_underscore(name: str) -> bool:
    """Tell whether a name is public by convention, like `name` and `__init__`, unlike `_name`."""
    return is_dunder(name) or not name.startswith(("_", "#"))


@dataclass(frozen=True, slots=True)
class Visibility:
    """The rules by which a declaration is public or private in a language.

    `public` and `private` are patterns, searched in the part of a signature before the name. At
    most one of the two is set.
    """

    public: re.Pattern[str] | None = None
    """Matches public declarations; a declaration without a match is private."""
    private: re.Pattern[str] | None = None
    """Matches private declarations; a declaration without a match is public."""
    section: re.Pattern[str] | None = None
    """Matches lines that make the members below them, as far indented, private or, with the group
    `public`, public again: `private` of Ruby."""
    is_explicit: bool = False
    """True if code declares or exports what is public; false if only names show it, as in
    Python."""
    by_name: Callable[[str], bool] = without_underscore
    """Tells whether a declaration of this name may be public."""
    exported: Callable[[str], frozenset[str] | None] | None = None
    """Returns the names in the export list (such as `__all__`) of a file's text; None without a
    list."""
    export_line: re.Pattern[str] | None = None
    """Matches the first line of a declaration that is exported without being in an export list."""
    outside: re.Pattern[str] = re.compile(r"\b(?:public|protected|open)\b")
    """Matches modifiers of declarations that code outside of the repository may use, or override in
    a subclass."""
    public_extension: re.Pattern[str] | None = None
    """Matches the signatures of extensions whose members are public without a modifier: Swift."""
    private_to_file: re.Pattern[str] = re.compile(r"\b(?:private|fileprivate)\b(?!\[)")
    """Matches modifiers of declarations that other files cannot use or override; `private[util]` of
    Scala is none."""
    shared_type: re.Pattern[str] | None = None
    """Matches the text of files with types whose private members other files use: `partial class`
    of C#, `trait` of PHP."""
    module: re.Pattern[str] | None = None
    """Matches the text of files that are modules, whose names other files see only if the file
    exports them; None if no file is."""
    ambient: re.Pattern[str] | None = None
    """Matches the first lines of blocks that declare names of the runtime or of another module:
    `declare global` of TypeScript."""


class ComponentScript(Protocol):
    """Returns a source as long as `source` that has only its code; the rest is blanked.

    What markup evaluates is code `with_markup`. Names that markup binds are replaced by others,
    unless `with_bound`, because they mean nothing of the script.
    """

    def __call__(self, source: bytes, *, with_markup: bool, with_bound: bool) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Language:
    """A language as data: file names, grammar, and the queries that find names in it.

    `symbols` is a tree-sitter query for definitions. Each pattern captures one definition:

    * ``@symbol.<kind>`` on the node that is the definition (`SymbolKind` lists the kinds);
    * ``@name`` on the node that holds the name of the definition;
    * ``@scope`` (optional) on a node that names the owner of a definition that is not nested in the
      owner: a Go receiver's type, `Foo` in C++ `Foo::bar`, `res` in `res.send = function () {}`;
      the texts of several nodes are joined;
    * ``@body`` (optional) on the node where the signature ends (default: the field `body`);
    * ``@bodiless`` (optional) on a definition whose body only stands for one: `@overload`;
    * ``@doc`` (optional) on a documentation string inside the definition;
    * ``@clause`` (optional) on a clause of a definition in several clauses (Haskell equations,
      Elixir heads): clauses of one name that follow each other without a comment are one
      definition;
    * ``@extent`` (optional) on another node at whose end the definition ends: the file, for C#'s
      `namespace Shop;`.

    A definition inside another one is its member: nesting gives the qualified name, and a
    function whose owner is a type becomes a method. Variables and constants inside a function are
    local and dropped. If two patterns match one name node, the first in the query wins; a pattern
    without ``@symbol`` excludes the name.

    `relations` is a second query, for references; `ingest.parse.relations` lists its captures.

    `complexity` is a third query, for the metrics of functions:

    * ``@branch`` on a node (or on its operator) that adds a path through the function: a condition,
      a loop, a case, a handler, `&&`; ``@default`` on default cases;
    * ``@nest`` on a node that nests its content; ``@flat`` on a node that continues the nesting
      level, such as `else if`;
    * ``@parameters`` on a parameter list, ``@parameter`` on each parameter, ``@receiver``
      on each parameter that does not count: `self`, or C's `void`;
    * ``@clause`` on a clause of a function with several clauses.
    """

    name: str
    suffixes: tuple[str, ...]
    shared_suffixes: tuple[str, ...] = ()
    """Suffixes of another language whose files filters count as this language, too, as ripgrep's
    types do: `.h` for C, `.tsx` for TypeScript."""
    grammar: str | None = None
    """Name of the grammar in tree-sitter-language-pack; without one, files are cut into line
    windows."""
    grammar_package: str = ""
    """Python package of the grammar, if the language pack imports it from another package."""
    grammars: tuple[tuple[str, str], ...] = ()
    """Pairs of suffix and grammar for files with another grammar: interfaces of OCaml. These
    grammars must have all node types of the queries."""
    symbols: str = ""
    relations: str = ""
    complexity: str = ""
    imports: Callable[[ImportCaptures], Iterable[ImportedName]] = plain_import
    leading: tuple[str, ...] = ("comment",)
    """Node types that belong to the definition directly below them: comments, attributes."""
    wrappers: tuple[str, ...] = ()
    """Node types around a definition that belong to it: decorators, exports, templates."""
    anonymous_classes: tuple[str, ...] = ()
    """Node types of classes without a name. Their fields do not belong to a type around them. A
    query for symbols can capture more of them as `@_unnamed`."""
    unparsable: str = ""
    """A regex of text that the grammar cannot parse, such as export macros of C. Text in the
    optional group `kept` is only context and is not replaced."""
    replacement: str = ""
    """Text that is written over the start of an unparsable match; spaces replace the rest."""

    repairs: tuple[tuple[str, ...], ...] = ()
    """Groups of regexes of text that is blanked in lines with syntax errors, if fewer lines have
    errors then: all together, then each alone, then all together in all lines. In optional groups
    of a regex, one letter becomes another: `;` in `end`, `0` in `zero`, `_` in `wildcard`, `#` in
    `symbol`, `.` in `dot`, `=` in `assign`, and a bracket in `open` and `close`. The text of other
    groups stays."""
    script: ComponentScript | None = None
    """Returns the code in files that also have markup, at its place: Vue, Svelte."""
    conditional_directives: bool = False
    """Directives from `#if` to `#endif` select text, also parts of definitions: C, C++, C#."""
    undefined_macros: tuple[str, ...] = ()
    """Macros that are never defined, such as `__cplusplus` in C."""

    # Files

    filenames: tuple[str, ...] = ()
    """File names of this language, regardless of suffix."""
    interpreters: tuple[str, ...] = ()
    """Interpreters of this language in a `#!` line."""
    tests: tuple[str, ...] = ()
    """Globs (gitignore syntax) of test files."""
    inline_tests: bool = False
    """Tests can be written in the file that they test, as in Rust, Zig and OCaml."""
    test_name: re.Pattern[str] | None = None
    """Matches the names of functions in test files that run as tests, besides those that begin with
    `test`: `ExampleCart_Add` of Go."""
    test_annotation: re.Pattern[str] = re.compile(
        DECORATOR_START
        + r"(?:\w+(?:\.|::))*(?:\w*[Tt]est(?:Case|CaseSource|Method|Factory|Template|_case)?"
        r"|\w*Fact|\w*Theory)(?![\w.:])",
        re.MULTILINE,
    )
    """Matches the line of an annotation that makes a function a test: `@ParameterizedTest`,
    `#[tokio::test]`, `[Fact]`, and those derived from it, as `[SkippableFact]`."""
    set_up_methods: frozenset[str] = frozenset(
        {"setup", "setupmethod", "setupclass", "beforeeach", "beforeall", "before"}
    )
    """Names of methods that run before every test of their class, as `fold_name` writes them."""
    fixture: re.Pattern[str] | None = None
    """Matches the decorator of a function whose result tests receive through a parameter of its
    name: `@pytest.fixture`."""
    fixture_files: tuple[str, ...] = ()
    """Names of files whose fixtures all tests below their folder receive."""
    excludes: tuple[str, ...] = ()
    """Globs (gitignore syntax) of build output and vendored code that are never indexed."""
    outputs: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """(folder name, names beside it): the folder is build output, and not indexed, if one of the
    names is beside it. Other folders of its name hold code: about 400 public repositories have 62
    folders `build`, `target` or `coverage` with 609 files of code in git, none beside such a name.
    """
    lock_files: tuple[str, ...] = ()
    """Names of files in which a package manager records versions, besides `*.lock`."""
    manifests: tuple[str, ...] = ()
    """Globs of file names of manifests, whose content decides where imports lead."""

    # Names within a file

    unicode_form: Literal["", "NFC", "NFKC"] = ""
    """Unicode form in which the compiler compares names; "" if it compares them as written."""
    implicit_receiver: bool = False
    """A bare name inside a type may be a member: Java, C#, C++, not Python."""
    mixin_constraints: bool = False
    """The base types of a mixin must also be base types of what it is mixed into: Dart."""
    inherited_implementations: bool = True
    """Whether a method that a type inherits from one base type implements the method of the same
    name of another: PHP and Java, not C++ and Rust, nor Go, which `method_shape` describes."""
    nested_namespaces: bool = False
    """`namespace A.B` is `namespace A { namespace B`: it sees the names of `A`, as in C++, not in
    Ruby and Scala. C# imports the names of the namespaces around."""
    outer_members: re.Pattern[str] | None = None
    """Matches the names that may be members of types around the innermost type; other bare names
    may be members of the innermost type alone: Ruby. None if all may."""
    bare_call: re.Pattern[str] | None = None
    """Matches the names that are calls without arguments unless they are variables: Ruby."""
    class_body_scope: bool = False
    """Names bound in a type's body are visible in the body, but not in its functions: Python."""
    block_scoped: bool = False
    """A variable is visible only in the block that declares it, after its declaration: true for Go
    and Rust, false for Python."""
    callable_variables: bool = False
    """Variables can be called by name; a function of the same name takes precedence."""
    method_names: bool = False
    """Functions have a namespace of their own: a name that is not called is never a function, as in
    Java and Kotlin."""
    bare_members: bool = False
    """`cart.add` without parentheses, where every known method `add` needs arguments, may be the
    method, or a property of a base type outside the repository: Scala."""
    any_argument_count: bool = False
    """True if calls may have fewer or more arguments than the function declares: JavaScript."""
    overloads: bool = False
    """Functions can be overloaded; `relations` captures the arguments of calls."""
    inherited_overloads: Literal["", "hidden", "nearest", "all"] = ""
    """Which functions of a name compete in a call, besides the overloads of one type in one file.
    "hidden": those of base types do not compete if the type has its own (C++). "nearest": they do
    if none of the type takes the arguments (C#). "all": they always do (Scala, Swift). "": only
    `overloads` matters."""
    receiver_parameter: re.Pattern[str] = re.compile(
        r"(self|cls)\b.*|&?('\w+ )?(mut )?self\b.*|this\s*:.*|this\s+\w.*"
    )
    """Matches the whole text of a first parameter to which a call passes no argument: `&mut self`
    of Rust, `this Cart cart` of C#."""
    optional_parameter: re.Pattern[str] = re.compile(rf"{DEFAULT_SIGN.pattern}|^[\w.$]+\?")
    """Matches the text of a parameter without which a function can be called: `n = 1`, `n?: T`."""
    repeated_parameter: re.Pattern[str] = re.compile(r"\.\.\.|\bvararg ")
    """Matches the text of a parameter that takes any number of arguments."""
    accepted_arguments: Callable[[str, str], range] | None = None
    """Returns the numbers of arguments that a function accepts, given its signature and name; none
    if it cannot be called. If it is set, a function is known by its name and its number of
    parameters: definitions with both in common are clauses of one function, and a call with another
    number of arguments means something else: Elixir."""
    type_nodes: frozenset[str] = frozenset()
    """Syntax nodes of names that can only mean types, where a type and a value can share a name."""
    type_only_kinds: frozenset[SymbolKind] = frozenset()
    """Kinds of definitions that only such nodes can mean, which then mean no others: OCaml."""
    generic_node: str = ""
    """Syntax node of a name with type arguments, where types of one name can differ in the number
    of their type parameters: `generic_name` of C#."""
    type_rules: TypeRules | None = None
    """Rules for static types, which tell overloads with the same number of parameters apart;
    `relations` captures literals and builtin types."""
    call_method: str = ""
    """Method that runs if an instance is called like a function: `__invoke` of PHP."""
    documented_variable: re.Pattern[str] | None = None
    """Finds the type (group 1) and name (group 2) of the variable that a comment declares: PHP."""
    delegates: Mapping[str, bool] = field(default_factory=dict)
    """Generic types of functions, whose type arguments are the types of the parameters; the value
    tells whether the last one is that of the result: `Func` of C#."""
    element_lambdas: frozenset[str] = frozenset()
    """Library methods that call a lambda with each element of their receiver: `Where` of C#."""
    stated_results: frozenset[str] = frozenset()
    """Library methods that return an instance of their type argument: `GetService` of C#."""
    transparent: tuple[str, ...] = ()
    """Generic types that are treated as their type argument: `Optional`, `Box`, `Promise`."""

    # Names of other files

    family: tuple[str, ...] = ()
    """Languages whose code can call each other's members by name, including this language."""
    declares: bool = True
    """Files may declare something that code uses; false for data, styles and diagrams."""
    calls: tuple[str, ...] = ()
    """Languages without a grammar whose symbols code of this language uses: templates."""
    locate: ModuleLocator | None = None
    """Finds the files of an import; if None, imports are not resolved."""
    visible_files: VisibleFiles | None = None
    """Finds the files whose names are visible without an import, such as those of the package."""
    mixed_targets: bool = False
    """Whether `visible_files` may be of several build targets, so that several files can define one
    name: that in the nearest folder counts. Extended types may be external: Swift."""
    declares_package: bool = False
    """A clause declares the package of a file, regardless of its folder: Java, Kotlin, Scala.
    Imports are absolute, and a package that is not found is external."""
    default_package: str = ""
    """Module, with `*` for any name, whose names a file without a package clause or namespace sees:
    the default package of Java, the global namespace of C#."""
    file_private: str = ""
    """A regex that matches the signatures of declarations that are private to their file."""
    folder_packages: bool = False
    """A package is one folder without its subfolders: Go."""
    module_default: bool = False
    """In a module that has no `default` and no `exports`, both names refer to the module:
    JavaScript."""
    names_in_tree: bool = False
    """Top-level names are found by name in all files, whatever the files are called: PHP, C#."""
    partial_types: bool = False
    """Several files of a project can define parts of one type: C#. To find them, `locate` is called
    with ``::Name``."""
    modules_in_tree: bool = False
    """Modules are found by name in all files, whatever the files are called: Elixir."""
    exporting_macro: str = ""
    """Name of the macro of a module whose imports each file gets that uses the module: Elixir's
    `__using__`. A file uses a module by an import whose local name begins with `USED`."""
    reopened_types: bool = False
    """Several files can add members to one type or module, whose names are found in all files
    without an import: Ruby. To find them, `locate` is called with ``::Name``; for the files that
    add members to it, with ``::Name.`` (`MEMBERS_MARK`); for those that include a module, whose
    methods call members of the types around it, with ``::Name<`` (`INCLUDERS_MARK`)."""
    test_groups: bool = False
    """A test is a block, whose code sees the functions and attributes of the tests around it, as in
    RSpec and Minitest."""
    library_bases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Base types of types of the standard library and of well-known libraries, by dotted name;
    repositories add members to them: `Minitest.Assertions` of `Minitest.Test`."""
    type_members: re.Pattern[str] | None = None
    """Matches the signatures of members that a type itself has, too, in languages with
    `reopened_types`: `scope :paid` of Rails."""
    extending_module: str = ""
    """Name of a module inside a module that extends the types which include the outer one, by
    convention: `ClassMethods` of Ruby."""
    autoloads: bool = False
    """Names are found without imports: to find one, `locate` is called with ``::Name``."""
    textual_includes: bool = False
    """Files include the text of other files: C and C++."""
    imports_namespaces: bool = False
    """Imports contain names of namespaces, which are not files: C#, PHP."""
    module_separator: str = "::"
    """Separator of imported paths in source code; `.` in OCaml."""
    nested_modules: bool = False
    """Submodules are found by file name, even if a macro declares them: to find one, `locate` is
    called with ``self::name``."""
    extension_functions: bool = False
    """Functions can be declared as members of other types, and must be imported: Kotlin."""
    extension_parameter: re.Pattern[str] | None = None
    """Matches the text of a first parameter that makes a function an extension method, which can be
    called like a member of the parameter's type where its namespace is imported: C#."""
    uncallable: frozenset[SymbolKind] = frozenset()
    """Kinds that cannot be called, in languages in which a type and a function can share a name: a
    call of the name is not the type, and the start of a path is not the function: Rust."""
    added_method: re.Pattern[str] | None = None
    """Matches the head of a definition that adds a method to a function of another module, whose
    name is group 1: `function Base.push!(cart::Cart, item)` of Julia. A call of such a function may
    run any of its methods, also those of the other module."""
    conditional_definitions: bool = False
    """A package may define a symbol several times for different builds: Go, Rust, SQL."""

    # Declarations

    visibility: Visibility = Visibility()
    overload_heads: bool = False
    """Functions without a body are overloads of the function with a body that has the same name,
    type and file; a call of any of them runs that one: TypeScript, `@overload` of Python."""
    declaration_suffixes: tuple[str, ...] = ()
    """Suffixes of files that only declare what a file beside them defines: `.d.ts`. For such a file
    the resolver calls `locate` with `DEFINITIONS_MODULE`, which returns the file that defines."""
    separate_declarations: bool = False
    """Functions are declared in one file and defined in another: headers of C."""
    header_suffixes: tuple[str, ...] = ()
    """Suffixes of files whose declarations are for the code that includes them: `.h`."""
    object_methods: bool = False
    """Functions in object literals are methods, called through the object: JavaScript."""
    sigil: str = ""
    """Prefix of private names that begins a comment in other languages: `#name` of JavaScript."""
    library_manifests: tuple[str, ...] = ()
    """Globs of file names of manifests of libraries: other repositories may use public names."""
    implicit_method: re.Pattern[str] | None = None
    """Matches the signatures of functions that are called without their name: by an operator, or
    through an interface that the signature names: `operator fun minus` of Kotlin, `int
    IList.Count()` of C#, `task :build` of Rake."""
    launched: re.Pattern[str] = re.compile(r"^w?[Mm]ain$|[a-z_]Main$|_t?main$")
    """Matches the names of functions that a launcher starts: `main`, `nailMain`, `SDL_main`."""
    plugin_hook: re.Pattern[str] | None = None
    """Matches the names of functions that a tool finds by their names: `pytest_` of Python."""
    override_mark: re.Pattern[str] = re.compile(r"@[Oo]verride\b|\boverride\b|#\[\\?Override\]")
    """Matches the mark of a method that overrides another one: `@Override` of Java, `override` of
    C#."""
    callback_mark: re.Pattern[str] | None = None
    """Matches a line above a function that says that a framework calls it: `@impl` of Elixir."""
    calls_overridden: Callable[[str], re.Pattern[str]] | None = None
    """Returns a pattern of lines in which a method of a given name calls the one that it overrides:
    `super` of Ruby, `super().add(` of Python."""
    package_file: str = ""
    """Name of the file that makes a folder a package."""
    package_comment: re.Pattern[str] | None = None
    """Matches the comment in any file of a folder that describes its package: Go."""
    platform_namespace: str = ""
    """Prefix of the qualified names of types that the compiler uses by itself, wherever they are
    defined, so that nothing in the code has to name them: `System.` in C#, whose compiler needs
    `System.Runtime.CompilerServices.IsExternalInit` for properties with `init`."""
    used_unnamed: re.Pattern[str] | None = None
    """Matches the signatures of members and types that code uses without the name of the type:
    extension methods of C#, implicit classes of Scala, `type _Test = Assert<…>` of TypeScript."""
    enumerated: re.Pattern[str] | None = None
    """Matches the signatures of constants that have a place among others, whether they are used or
    not: those of `iota`, and `A, B = range(2)`."""
    is_linked_by_name: Callable[[Node, Sequence[str]], bool] | None = None
    """Tells whether a program that links a definition can call it by name, given the lines of its
    file: `extern "C"`."""
    is_used_where_defined: Callable[[Node, Sequence[str]], bool] | None = None
    """Tells whether a definition is used without other code that names it, given the lines of its
    file: `typedef struct cart {…} Cart;`, `const A = class B {}`."""
    toolchain_macros: re.Pattern[str] | None = None
    """Matches the names of macros that the compiler or its headers read: `_GNU_SOURCE`."""
    protocol_members: frozenset[str] = frozenset()
    """Names of members of any type that the runtime or the standard library uses."""
    passive_decorators: frozenset[str] = frozenset()
    """Decorators and attributes by which a definition is not used: `staticmethod`, `final`."""
    reflective_names: frozenset[str] = frozenset()
    """Names of functions that look up other names at run time: `getattr`."""
    method_shape: Callable[[str, str], tuple[str, ...] | None] | None = None
    """Returns the types of a method, given its signature and name; None if the signature was cut.
    If it is set, a type implements an interface by having its methods, without naming it: Go."""
    member_by_value: re.Pattern[str] | None = None
    """Matches code that takes a member of its own object by a name that is not written there:
    `this[kind]` of JavaScript, `getattr(self, name)` of Python."""
    duck_typed: bool = False
    """Libraries call public methods of any object by their names, without a type that declares
    them: Ruby."""
    subtype_hooks: frozenset[str] = frozenset()
    """Names of methods of a type that run when a subtype of it is defined: `inherited` of Ruby."""
    structural_base: str = ""
    """Base of classes that types implement by having their members: `Protocol` of Python."""
    result_first: bool = False
    """In signatures, the return type is before the name: C, Java."""
    result_end: re.Pattern[str] = _RESULT_END
    """Matches what follows the return type in a signature."""
    signature_types: Callable[[str], tuple[str, str]] | None = None
    """Splits signatures without a parameter list into parameter types and return type: Haskell."""

    # Packages for other repositories

    package_manifests: tuple[str, ...] = ()
    """File names of manifests of packages, which other repositories import by a name that `locate`
    finds; () if names do not lead from one repository to another."""
    published_folders: tuple[str, ...] = ()
    """Folders beside a manifest in which its packages lie; () if the manifest or the files name
    the packages."""
    package_separator: str = "."
    """Separator of the parts of a module for `locate`; edges join them by dots: `::` of Rust."""

    # Structural patterns

    fragment_contexts: tuple[str, ...] = ("PATTERN",)
    """Code in which a pattern can stand for `PATTERN`, such as a function body."""
    metavariable_forms: tuple[str, ...] = ("name", "Name")
    """What can be written for a metavariable, where `name` and `Name` become names: a parameter
    of Java is `Name name`."""
    sequence_nodes: tuple[str, ...] = ()
    """Types of nodes that hold a sequence without brackets around it: blocks of Python."""
    clause_start: re.Pattern[str] | None = None
    """Matches blanks before a clause that must begin a line: `except` of Python."""

    # Documents

    prose: bool = False
    """Files are documents, which are cut into chunks by heading."""
    headings: HeadingNotation = ""
    """How headings are written, also in files that are not prose, such as HTML."""
    indented_code: bool = False
    """Lines of a document below a blank line that four blanks or a tab indent are code."""
    document: str = ""
    """Unit of text (`page` or `cell`) in files from which text is extracted: PDF, notebooks."""

    def other_spelling(self, written: str) -> str:
        """Return the Unicode form of a name by which the compiler compares it.

        Return "" if that form is `normal_name(written)`. Two names with the same normal name are
        one name for the compiler if these results are equal.
        """
        if written.isascii():
            return ""
        form = self.unicode_form
        compared = unicodedata.normalize(form, written) if form else written
        return "" if compared == normal_name(written) else compared

    @property
    def reads_bases(self) -> bool:
        """Whether `relations` captures the base types of types: not in Lua."""
        return "@base" in self.relations

    @property
    def is_data(self) -> bool:
        """Whether files have neither symbols nor prose, such as JSON."""
        return not self.symbols and not self.prose

    @property
    def has_code(self) -> bool:
        """Whether files may have code: notebooks have, documents, data and styles have not."""
        return self.declares and (not self.prose or self.document == "cell")

    @property
    def has_clauses(self) -> bool:
        """Whether a function can be defined in several clauses: Elixir, Haskell."""
        return "@clause" in self.symbols

    def grammar_for(self, path: str) -> str:
        """Return the grammar's name for the file at `path`; "" if the language has no grammar."""
        by_suffix = (name for suffix, name in self.grammars if path.endswith(suffix))
        return next(by_suffix, self.grammar or "")
