"""Define Julia. A file's outermost module is not part of names: included files share it."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from codeindex.languages._base import ImportCaptures, ImportedName, Language
from codeindex.languages._packages import nearest_first
from codeindex.languages.source_tree import (
    ModuleLocation,
    SourceTree,
    ancestor_folder,
    join_path,
    resolve_dots,
)


def _heads(call: str) -> str:
    """Return a query pattern for all forms of a function's head.

    `call` is the pattern of the innermost node, `name(parameters)`, to which a result type or a
    `where` can be added.
    """
    forms = (
        "(signature {0})",
        "(signature (typed_expression . {0}))",
        "(signature (where_expression . {0}))",
        "(signature (where_expression . (typed_expression . {0})))",
        "(assignment . {0})",
        "(assignment . (typed_expression . {0}))",
        "(assignment . (where_expression . {0}))",
        "(assignment . (where_expression . (typed_expression . {0})))",
    )
    return "[" + " ".join(form.format(call) for form in forms) + "]"


_FUNCTION_NAME = """[
    (identifier) @name
    (field_expression (identifier) @name .)
    (parametrized_type_expression . (identifier) @name)
    (operator) @name
    (parenthesized_expression (operator) @name)
    (field_expression (quote_expression (operator) @name) .)
    (field_expression (quote_expression (parenthesized_expression (operator) @name)) .)
]"""
_CALL = f"(call_expression . {_FUNCTION_NAME} (argument_list))"
_SIGNATURE = f"""(signature [
    (identifier) @name
    {_CALL}
    (typed_expression . {_CALL})
    (where_expression . {_CALL})
    (where_expression . (typed_expression . {_CALL}))
])"""
_SHORT = f"""(assignment . [
    {_CALL}
    (typed_expression . {_CALL})
    (where_expression . {_CALL})
    (where_expression . (typed_expression . {_CALL}))
] . (operator) . (_) @body)"""
_TYPE_NAME = """(type_head [
    (identifier) @name
    (parametrized_type_expression . (identifier) @name)
    (binary_expression . (identifier) @name)
    (binary_expression . (parametrized_type_expression . (identifier) @name))
])"""

_RELATIONS = f"""
[(using_statement) (import_statement)] @import @statement
((call_expression . (identifier) @_include @skip
    (argument_list . (string_literal (content) @module) .)) @import @exported
    (#eq? @_include "include"))
[(using_statement (identifier) @skip) (import_statement (identifier) @skip)
    (selected_import (identifier) @skip) (import_path (identifier) @skip)
    (import_alias (identifier) @skip) (export_statement (identifier) @skip)]
(module_definition name: (identifier) @skip)
(quote_expression (identifier) @skip)

(type_head [(identifier) @skip
    (parametrized_type_expression . (identifier) @skip)
    (binary_expression . (identifier) @skip)
    (binary_expression . (parametrized_type_expression . (identifier) @skip))])
(type_head (_ (curly_expression (identifier) @parameter @skip)))
(type_head (binary_expression . (parametrized_type_expression
    (curly_expression (identifier) @parameter @skip))))
(where_expression (_) (curly_expression (identifier) @parameter @skip))
((type_head (binary_expression (_) (operator) @_extends . [
    (identifier) @base
    (field_expression) @base
    (parametrized_type_expression . (identifier) @base)
])) (#eq? @_extends "<:"))

(signature (identifier) @skip)
{_heads("(call_expression . [(identifier) @skip (field_expression value: (_) @skip) @skip])")}
{_heads("(call_expression . (parametrized_type_expression . (identifier) @skip))")}
{_heads("(call_expression (argument_list (typed_expression . (identifier) @bind . (_) @type)))")}
{
    _heads('''(call_expression (argument_list
    (assignment . (typed_expression . (identifier) @bind . (_) @type))))''')
}
{_heads("(call_expression (argument_list (assignment . (identifier) @bind)))")}
{_heads("(call_expression (argument_list (identifier) @bind))")}
{_heads("(call_expression (argument_list (splat_expression (identifier) @bind)))")}
{
    _heads('''(call_expression (argument_list
    (splat_expression (typed_expression . (identifier) @bind))))''')
}
(signature (typed_expression . (call_expression) . (_) @result))
(signature (where_expression . (typed_expression . (call_expression) . (_) @result)))

[(arrow_function_expression) (do_clause) (let_statement) (comprehension_expression)
    (catch_clause)] @scope
(arrow_function_expression . (identifier) @bind (_))
(arrow_function_expression . (argument_list (identifier) @bind))
(do_clause (identifier) @bind)
(catch_clause . (identifier) @bind)
(argument_list (assignment . (identifier) @named))
(struct_definition (block (identifier) @named))
(struct_definition (block (typed_expression . (identifier) @bind . (_) @type)))
(struct_definition (block (assignment . (typed_expression . (identifier) @bind . (_) @type))))
(assignment . (typed_expression . (identifier) @bind . (_) @type))
(assignment . (identifier) @bind . (operator) . (_) @value)
(assignment . [(open_tuple (identifier) @bind) (tuple_expression (identifier) @bind)])
(for_binding . (identifier) @bind . (operator) . (_) @each)
(for_binding . (tuple_expression (identifier) @bind))

(return_statement (_) @returned)
(function_definition (block (_) @returned .))
(assignment . [(call_expression) (where_expression)] . (operator) . (_) @returned)

(call_expression . (parametrized_type_expression . (_) @of) @same)
(field_expression value: (_) @of (identifier) @attribute .) @member
(field_expression value: (_) (identifier) @skip)
(call_expression . (_) @of (argument_list) @arguments) @call
(broadcast_call_expression . (_) @of (argument_list)) @call
((binary_expression (_) (operator) @_pipe . (_) @of) @call (#eq? @_pipe "|>"))
(macrocall_expression (macro_identifier (identifier) @of)) @call
(parametrized_type_expression . (_) @of (curly_expression (_) @argument .)) @generic
(typed_expression . (_) . (_) @of .) @instance
(parenthesized_expression . (_) @of .) @same
(index_expression . (_) @of) @item
(vector_expression (_) @of) @holding
(identifier) @name
"""


_IMPORTED = re.compile(r"\s*(\.*[\w.!@]+)(?:\s+as\s+(\w+))?\s*")


def _imports(captured: ImportCaptures) -> Iterable[ImportedName]:
    """Yield (module, imported name, local name) for each import of a statement.

    `include("a.jl")` has `/a.jl` as module; it imports all names, and so does `using` without a
    list of names.
    """
    if "module" in captured:
        yield ImportedName(f"/{captured['module']}", "*", "*")
        return
    word, _, rest = captured["statement"].partition(" ")
    modules, colon, names = rest.partition(":")
    for module in modules.split(","):
        match = _IMPORTED.fullmatch(module)
        if not match:
            continue
        path, alias = match.groups()
        last = path.rpartition(".")[2]
        if colon:
            for name in map(_IMPORTED.fullmatch, names.split(",")):
                if name:
                    yield ImportedName(path, name[1], name[2] or name[1])
            return
        yield ImportedName(path, "", alias or last)
        if word == "using":
            yield ImportedName(path, "*", "*")
            yield ImportedName("", f"{last}.*", "*")


def _locate(tree: SourceTree, path: str, module: str) -> ModuleLocation | None:
    """Return the file that is included, or that defines a module; None if it is external.

    `/a.jl` is an included file; a module name with a leading dot is in this package, perhaps in
    this file.
    """
    folder = path.rpartition("/")[0]
    if module.startswith("/"):
        file = tree.first(resolve_dots(join_path(folder, module[1:])))
        return ModuleLocation((file,)) if file else None
    name, *inner = module.lstrip(".").split(".")
    files = [file for file in _files_by_stem(tree).get(name.lower(), ()) if file != path]
    if module.startswith("."):
        files = [file for file in files if file.startswith(_package(path))]
        if not files:
            return ModuleLocation((path,), symbol=".".join((name, *inner)))
    if not files:
        return None
    return ModuleLocation((nearest_first(files, path)[0],), symbol=".".join(inner))


def _visible_files(tree: SourceTree, path: str) -> Sequence[str]:
    """Return the other files in a package's `src`, which one module probably includes."""
    package = _package(path)
    if not package.endswith("src/"):
        return ()
    return [file for file in _files(tree) if file.startswith(package) and file != path]


def _package(path: str) -> str:
    """Return the folder `src/` around a file, else the file's own folder, with a final slash."""
    around: str | None = path.rpartition("/")[0]
    while around:
        if around.rpartition("/")[2] == "src":
            return f"{around}/"
        around = ancestor_folder(around, 1)
    return path[: path.rfind("/") + 1]


@lru_cache(maxsize=4)
def _files(tree: SourceTree) -> Sequence[str]:
    return sorted(path for path in tree.files if path.endswith(".jl"))


@lru_cache(maxsize=4)
def _files_by_stem(tree: SourceTree) -> dict[str, list[str]]:
    files: dict[str, list[str]] = {}
    for path in _files(tree):
        files.setdefault(path.rpartition("/")[2].removesuffix(".jl").lower(), []).append(path)
    return files


_FIRST_TEXT = "[(string_literal . (content) {0}) (string_literal . (_) . (content) {0})]"
"""The first text of a string, which may begin with `$(SIGNATURES)` or an escape. Without anchors, a
query takes time cubed by the escapes in a string: 10 s for the JSON samples of 20 kB of a test."""


LANGUAGE = Language(
    name="julia",
    unicode_form="NFC",
    suffixes=(".jl",),
    grammar="julia",
    interpreters=("julia",),
    symbols=f"""
    (source_file (module_definition name: (_) @name @extent) @symbol.module)
    (module_definition name: (_) @name (block) @body) @symbol.module

    (struct_definition {_TYPE_NAME} (block)? @body) @symbol.struct
    (abstract_definition {_TYPE_NAME}) @symbol.interface
    (primitive_definition {_TYPE_NAME}) @symbol.struct
    ((macrocall_expression (macro_identifier (identifier) @_enum)
        (macro_argument_list . (identifier) @name)) @symbol.enum (#eq? @_enum "enum"))
    ((macrocall_expression (macro_identifier (identifier) @_enum)
        (macro_argument_list . (_) (identifier) @name @symbol.enum_member))
        (#eq? @_enum "enum"))

    (struct_definition (block [
        (identifier) @name
        (typed_expression . (identifier) @name)
        (assignment . (identifier) @name)
        (assignment . (typed_expression . (identifier) @name))
        (const_statement (typed_expression . (identifier) @name))
    ] @symbol.field))
    (struct_definition (block {_SHORT} @symbol.constructor))
    (struct_definition (block (function_definition {_SIGNATURE} (block)? @body
        ) @symbol.constructor))

    (function_definition {_SIGNATURE} (block)? @body) @symbol.function
    (macro_definition {_SIGNATURE} (block)? @body) @symbol.macro
    {_SHORT} @symbol.function
    (assignment . (identifier) @name . (operator) .
        (arrow_function_expression) @body) @symbol.function

    (const_statement (assignment . [
        (identifier) @name (typed_expression . (identifier) @name)])) @symbol.constant
    (source_file (assignment . (identifier) @name) @symbol.variable)
    (module_definition (block (assignment . (identifier) @name) @symbol.variable))

    ((macrocall_expression (macro_identifier (identifier) @_test)
        (macro_argument_list . {_FIRST_TEXT.format("@name")} (_) @body)) @symbol.test
        (#any-of? @_test "testset" "testitem"))

    ({_FIRST_TEXT.format("@doc")} @_leading . [
        (function_definition) (macro_definition) (struct_definition) (abstract_definition)
        (primitive_definition) (module_definition) (assignment) (const_statement)
        (macrocall_expression)])
    """,
    relations=_RELATIONS,
    imports=_imports,
    locate=_locate,
    visible_files=_visible_files,
    overloads=True,
    added_method=re.compile(r"(?:@\w+\s+)*(?:function\s+)?(\w+)\.[^\s(]"),
    leading=("line_comment", "block_comment"),
    wrappers=("macrocall_expression", "macro_argument_list"),
    tests=("**/test/**/*.jl",),
    complexity=f"""
    [(if_statement) (elseif_clause) (for_statement) (while_statement) (catch_clause)
        (ternary_expression)] @branch
    ((binary_expression (operator) @_operator) @branch (#any-of? @_operator "&&" "||"))
    [(if_statement) (for_statement) (while_statement) (try_statement) (let_statement)] @nest
    {_heads("(call_expression (argument_list (_) @parameter) @parameters)")}
    """,
)
