"""Define Elixir. Definitions are calls, such as `def`, so patterns match the called name."""

import re
from collections.abc import Iterable
from functools import lru_cache

from codeindex.languages._base import USED, ImportCaptures, ImportedName, Language, Visibility
from codeindex.languages._constants import constant_parts, snake_case
from codeindex.languages._packages import nearest_first
from codeindex.languages.source_tree import ModuleLocation, SourceTree

_HEADS = """[
        (call target: (identifier) @name (arguments)? @arguments)
        (identifier) @name
        (binary_operator left: [
            (call target: (identifier) @name (arguments)? @arguments)
            (identifier) @name
        ] operator: "when")
    ]"""
"""Pattern of the heads of `def` and similar macros, with or without arguments and guards."""

_SPECS = """[
        (call target: (identifier) @name)
        (identifier) @name
        (binary_operator left: [(call target: (identifier) @name) (identifier) @name]
            operator: "::")
        (binary_operator
            left: (binary_operator left: [(call target: (identifier) @name) (identifier) @name])
            operator: "when")
    ]"""
"""Pattern of the heads of `@type` and `@callback`: `name :: type`, optionally `when variable:
type`."""

_NOTES = """
    "after_compile" "after_verify" "before_compile" "behaviour" "callback" "compile" "deprecated"
    "derive" "describetag" "dialyzer" "doc" "enforce_keys" "external_resource" "fallback_to_any"
    "file" "impl" "macrocallback" "moduledoc" "moduletag" "on_definition" "on_load" "opaque"
    "optional_callbacks" "since" "spec" "tag" "type" "typedoc" "typep" "vsn"
"""
"""Attributes that describe a module or a function, instead of holding a value."""

_HEAD = """[
    (call target: (identifier) @skip)
    (binary_operator left: (call target: (identifier) @skip))
]"""

_RELATIONS = f"""
((call target: (identifier) @_word (arguments . (_)) ) @import @statement
    (#any-of? @_word "alias" "import" "require" "use"))
((call target: (identifier) @_using (do_block) @bringing) (#eq? @_using "using"))
((call target: (identifier) @_word (arguments . [(alias) @skip (dot left: (alias) @skip)]))
    (#any-of? @_word "alias" "import" "require" "defmodule" "defprotocol"))
((call target: (identifier) @_word (arguments . (dot right: (tuple (alias) @skip))))
    (#eq? @_word "alias"))
((call target: (identifier) @_word
    (arguments (keywords (pair value: (alias) @skip)))) (#eq? @_word "alias"))
((call target: (identifier) @_def (arguments . {_HEAD})) (#any-of? @_def
    "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate" "defn" "defnp"))
(unary_operator operator: "@" operand: (call target: (identifier) @skip))
((unary_operator operand: (call target: (identifier) @_spec
    (arguments (binary_operator left: (call target: (identifier) @skip)))))
    (#any-of? @_spec "spec" "type" "typep" "opaque" "callback" "macrocallback"))
((unary_operator operand: (call target: (identifier) @_behaviour (arguments (alias) @base)))
    (#eq? @_behaviour "behaviour"))
((call target: (identifier) @_impl (arguments . (alias) @base)) (#eq? @_impl "defimpl"))

((call target: (identifier) @_def (arguments
    . (call target: (identifier) @attribute (arguments))
    . (keywords . (pair value: (alias) @of) .))) @member (#eq? @_def "defdelegate"))
((call target: (identifier) @_def (arguments
    . (call target: (identifier) (arguments) @arguments) . (keywords . (pair) .)) @call) @of
    (#eq? @_def "defdelegate"))
((identifier) @this (#eq? @this "__MODULE__"))
(call target: (_) @of (arguments) @arguments) @call
(call target: (_) @of (do_block) @given) @call
(call target: (dot left: [(alias) (dot)]) @of .) @call @unargued
((call target: (dot left: (identifier) @_module) @of .) @call @unargued
    (#eq? @_module "__MODULE__"))
((call target: (_) @of (arguments (call target: (identifier) @_splice))) @spread
    (#eq? @_splice "unquote_splicing"))
(binary_operator left: (_) @given operator: "|>" right: (call target: (_) @of)) @call
(dot left: (_) @of right: (identifier) @attribute) @member
(call target: (identifier) @name)
(unary_operator operator: "&"
    operand: (binary_operator left: (identifier) @name @of operator: "/" right: (_) @arity))
(unary_operator operator: "&" operand: (binary_operator
    left: (call target: (_) @of) operator: "/" right: (_) @arity)) @call
((call target: (identifier) @_apply
    (arguments . (_) @of . (atom) @attribute @member @symbolic)) (#any-of? @_apply "apply" "call"))
((call target: (identifier) @_apply (arguments . (_) . (atom) @of)) @call
    (#any-of? @_apply "apply" "call"))
(arguments (alias) @of . (atom) @attribute @member @symbolic . (list))
(tuple (alias) @of . (atom) @attribute @member @symbolic . (list))
(alias) @name
"""


_THIS = "__MODULE__"
_IMPORTED = re.compile(
    r"\s*((?:[A-Z]|__MODULE__)[\w.]*?)(?:\.\{([^}]*)\})?(?:,.*?as: (\w+).*)?(?:,|\s|$)"
)


_CHOSEN = re.compile(r",\s*:(\w+)\s*$")
_ONLY = re.compile(r"\bonly:\s*\[([^\]]*)\]")
_FUNCTION = re.compile(r"([a-z_]\w*[?!]?):\s*\d")


def _imports(captured: ImportCaptures) -> Iterable[ImportedName]:
    """Yield (module, imported name, local name) for each module that a statement imports.

    `import` imports all names; with `only:`, the functions in its list. `use` binds `USED`
    and, in `use Web, :controller`, the name of the function that returns what it brings.
    """
    word, _, rest = captured["statement"].partition(" ")
    named = _IMPORTED.match(rest)
    if named is None:
        return
    outer, inner, local = named.groups()
    around = captured.get("around", "")
    if outer.startswith(_THIS) and not around:
        return
    outer = around + outer.removeprefix(_THIS) if outer.startswith(_THIS) else outer
    for part in (inner or "").split(","):
        module = f"{outer}.{part.strip()}" if part.strip() else outer
        if word == "alias":
            file = "" if module == around else f"::{module}"
            yield ImportedName(file, module, local or module.rpartition(".")[2])
        else:
            chosen = _CHOSEN.search(rest) if word == "use" else None
            used = USED + (chosen[1] if chosen else "") if word == "use" else ""
            yield ImportedName(f"::{module}", module, used)
        names = _ONLY.search(rest) if word == "import" else None
        if names:
            functions = dict.fromkeys(_FUNCTION.findall(names[1]))
            yield from (ImportedName(f"::{module}", f"{module}.{name}", name) for name in functions)
        elif word == "import":
            yield ImportedName("", f"{module}.*", "*")


_NO_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"?|(?<!\w)\?[^\w\s]|<<|>>|=>|->|[<>]')
"""Matches text, characters, arrows and comparisons, and the brackets of binaries."""
_MOST_ARGUMENTS = 255
_PRIVATE = r"def\w*p\b"
"""Matches `defp`, `defmacrop` and the like: `import` does not bring what they define."""


def _accepted_arguments(signature: str, name: str) -> range:
    r"""Return the numbers of arguments that a clause accepts, as a range.

    `signature` is its text, like `def add(a, b \\ 1)`; default values make parameters optional.
    """
    if signature.startswith("@"):  # a callback
        return range(0)
    start = re.search(rf"^\w+ {re.escape(name)}(?![\w?!])", signature)
    if start is None:
        return range(_MOST_ARGUMENTS + 1)
    rest = signature[start.end() :]
    if not rest or rest.startswith((",", " when ")):
        return range(1)
    parameters = _parameters(rest[1:] if rest.startswith("(") else f"{rest})")
    if parameters is None:
        return range(_MOST_ARGUMENTS + 1)
    defaults = sum("\\\\" in parameter for parameter in parameters)
    return range(len(parameters) - defaults, len(parameters) + 1)


def _parameters(text: str) -> list[str] | None:
    """Return the parameters up to the closing bracket; None if the signature is cut before it."""
    depth, parts = 0, [""]
    for character in _NO_BRACKETS.sub(_blanked, text):
        if character in ")]}" and depth == 0:
            return [part for part in parts if part.strip()]
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return None


def _blanked(match: re.Match[str]) -> str:
    """Return `[` for `<<`, `]` for `>>`, and a letter for any other match.

    So the brackets of binaries count as brackets, and other text cannot be mistaken for brackets.
    """
    return {"<<": "[", ">>": "]"}.get(match[0], "x")


_ROOTS = ("/lib/", "/test/support/", "/test/", "/web/")
_SUFFIXES = (".ex", ".exs")


def _locate(tree: SourceTree, path: str, module: str) -> ModuleLocation | None:
    """Return the files that define a module, or else the nearest module that encloses it.

    A file that is named like the module comes before others that define it, and counts if none
    does.
    """
    parts = constant_parts(module.removeprefix("::"))
    for length in range(len(parts), 0, -1):
        named = _by_name(tree).get("/".join(map(snake_case, parts[:length])), ())
        defining = tree.packages.names("").get(".".join(parts[:length]), ())
        files = [file for file in nearest_first(defining, path) if file.endswith(_SUFFIXES)]
        if files or named:
            files.sort(key=lambda file: file not in named)
            return ModuleLocation(tuple(files or named))
    return None


@lru_cache(maxsize=4)
def _by_name(tree: SourceTree) -> dict[str, list[str]]:
    """Return {path below a source root, without suffix: files}."""
    names: dict[str, list[str]] = {}
    for path in sorted(path for path in tree.files if path.endswith(_SUFFIXES)):
        root = next((root for root in _ROOTS if root in f"/{path}"), "")
        below = f"/{path}".partition(root)[2] if root else path
        names.setdefault(below.rpartition(".")[0], []).append(path)
    return names


_TEXT = """[
    (string . (quoted_content) {0}) (string . (_) . (quoted_content) {0})
    (sigil (quoted_content) {0})
]"""
"""The first text of a string, which may begin with an escape or an interpolation. Without anchors,
a query takes time cubed by the escapes in a string."""


LANGUAGE = Language(
    name="elixir",
    suffixes=(".ex", ".exs"),
    grammar="elixir",
    interpreters=("elixir", "iex"),
    symbols=f"""
    ; Modules, protocols and implementations
    ((call target: (identifier) @_def
        (arguments . (alias) @name)
        (do_block (unary_operator operand: (call target: (identifier) @_doc
            (arguments {_TEXT.format("@doc")})))) @body
        ) @symbol.module
        (#eq? @_def "defmodule") (#eq? @_doc "moduledoc"))

    ((call target: (identifier) @_def (arguments . (alias) @name) (do_block)? @body) @symbol.module
        (#eq? @_def "defmodule"))

    ((call target: (identifier) @_def
        (arguments . (alias) @name)
        (do_block (unary_operator operand: (call target: (identifier) @_doc
            (arguments {_TEXT.format("@doc")})))) @body
        ) @symbol.interface
        (#eq? @_def "defprotocol") (#eq? @_doc "moduledoc"))

    ((call target: (identifier) @_def (arguments . (alias) @name) (do_block)? @body
        ) @symbol.interface
        (#eq? @_def "defprotocol"))

    ((call target: (identifier) @_def
        (arguments . (_) @scope (keywords (pair
            key: (keyword) @_for value: [(_) @name (list (alias) @name)])))
        (do_block)? @body) @symbol.impl
        (#eq? @_def "defimpl") (#match? @_for "^for:") (#not-match? @name "^\\\\["))

    ((call target: (identifier) @_def (arguments . (alias) @name .) (do_block)? @body) @symbol.impl
        (#eq? @_def "defimpl"))

    ; Functions and macros
    ((call target: (identifier) @_def
        (arguments . {_HEADS} (keywords)? @body) (do_block)? @body) @symbol.function @clause
        (#any-of? @_def "def" "defp" "defn" "defnp"))

    ((call target: (identifier) @_def
        (arguments . (call target: (identifier) @name (arguments)? @arguments))
        ) @symbol.function @clause
        (#eq? @_def "defdelegate"))

    ((call target: (identifier) @_def
        (arguments . {_HEADS} (keywords)? @body) (do_block)? @body) @symbol.macro @clause
        (#any-of? @_def "defmacro" "defmacrop" "defguard" "defguardp"))

    ((call target: (identifier) @_def
        (arguments . [
            (binary_operator operator: _ @name)
            (unary_operator operator: _ @name)
            (binary_operator left: [
                (binary_operator operator: _ @name)
                (unary_operator operator: _ @name)
            ] operator: "when")
        ] (keywords)? @body) (do_block)? @body) @symbol.function @clause
        (#any-of? @_def "def" "defp" "defmacro" "defmacrop") (#not-eq? @name "when"))

    ; Types, callbacks, attributes with a value
    ((unary_operator operand: (call target: (identifier) @_type (arguments . {_SPECS}))
        ) @symbol.type
        (#any-of? @_type "type" "typep" "opaque"))

    ((unary_operator operand: (call target: (identifier) @_type (arguments . {_SPECS}))
        ) @symbol.method
        (#eq? @_type "callback"))

    ((unary_operator operand: (call target: (identifier) @_type (arguments . {_SPECS}))
        ) @symbol.macro
        (#eq? @_type "macrocallback"))

    ((unary_operator operand: (call target: (identifier) @name)) (#any-of? @name {_NOTES}))

    ((unary_operator operator: "@"
        operand: (call target: (identifier) @name (arguments . (_)))) @symbol.constant)

    ; Fields of structs, exceptions, records and Ecto schemas
    ((call target: (identifier) @_def (arguments [
        (list [(atom) @name @symbol.field (keywords (pair key: (keyword) @name) @symbol.field)])
        (keywords (pair key: (keyword) @name) @symbol.field)
    ])) (#any-of? @_def "defstruct" "defexception"))

    ((call target: (identifier) @_def (arguments . (atom) @name)) @symbol.field
        (#any-of? @_def "field" "belongs_to" "has_many" "has_one" "many_to_many" "embeds_one"
            "embeds_many"))

    ; ExUnit
    ((call target: (identifier) @_test
        (arguments . {_TEXT.format("@name")}) (do_block)? @body) @symbol.test
        (#any-of? @_test "test" "describe" "property" "feature"))

    ; Attributes that belong to the definition below
    ((unary_operator operand: (call target: (identifier) @_doc
        (arguments {_TEXT.format("@doc")}))) @_leading (#any-of? @_doc "doc" "typedoc"))

    ((unary_operator operand: (call target: (identifier) @_doc
        (arguments . [(boolean) (keywords)]))) @_leading (#any-of? @_doc "doc" "typedoc"))

    ((unary_operator operand: (call target: (identifier) @_note)) @_leading
        (#any-of? @_note "deprecated" "describetag" "dialyzer" "impl" "since" "spec" "tag"))
    """,
    relations=_RELATIONS,
    imports=_imports,
    manifests=("mix.exs",),
    locate=_locate,
    autoloads=True,
    modules_in_tree=True,
    exporting_macro="__using__",
    overloads=True,
    accepted_arguments=_accepted_arguments,
    file_private=_PRIVATE,
    tests=("*_test.exs", "**/test/support/**/*.ex", "test_helper.exs"),
    excludes=("_build/", ".elixir_ls/", "deps/**/*.ex", "deps/**/*.exs"),
    callback_mark=re.compile(r"^\s*@impl\b", re.MULTILINE),
    passive_decorators=frozenset({"deprecated", "doc", "impl", "spec"}),
    visibility=Visibility(private=re.compile(rf"^{_PRIVATE}"), is_explicit=True),
    complexity="""
    ((call target: (identifier) @_if) @branch @nest (#any-of? @_if "if" "unless" "for"))
    ((call target: (identifier) @_case (do_block)) @nest
        (#any-of? @_case "case" "cond" "receive" "try" "with"))
    (do_block (stab_clause) @branch)
    [(rescue_block (stab_clause) @branch) (catch_block (stab_clause) @branch)]
    ((do_block (stab_clause left: (arguments . (_) @_rest .)) @default)
        (#any-of? @_rest "_" "true"))
    (binary_operator operator: ["&&" "||" "and" "or"]) @branch
    ((call target: (identifier) @_def (arguments . [
        (call (arguments (_) @parameter) @parameters)
        (binary_operator left: (call (arguments (_) @parameter) @parameters) operator: "when")
        (_)
    ])) @clause (#any-of? @_def "def" "defp" "defn" "defnp"))
    """,
)
