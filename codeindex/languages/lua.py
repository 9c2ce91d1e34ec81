"""Define Lua, and the dialects that keep its syntax."""

import re
from collections.abc import Iterable

from codeindex.languages._base import ImportCaptures, ImportedName, Language, Visibility
from codeindex.languages.source_tree import ModuleLocation, SourceTree, ancestor_folder, join_path

_REQUIRE = """(function_call name: (identifier) @_require
    arguments: (arguments . (string content: (_) @module)))"""

_RELATIONS = f"""
; the returned value of a file is the result of requiring it
(chunk (return_statement "return" @bind (expression_list . (_) @value .)))
((assignment_statement (variable_list . name: (identifier) @alias @bind)
    (expression_list . value: {_REQUIRE})) @import (#eq? @_require "require"))
({_REQUIRE} @import (#eq? @_require "require"))
(function_declaration name: [
    (identifier) @skip
    (dot_index_expression table: (_) @skip) @skip
    (method_index_expression table: (_) @skip) @skip])
(assignment_statement (variable_list name: (dot_index_expression table: (identifier) @skip) @skip))
(dot_index_expression field: (identifier) @skip)
(field name: (identifier) @skip)
(function_definition) @scope
[(do_statement) (for_statement) (while_statement) (if_statement)] @block

(parameters name: (identifier) @bind)
(for_generic_clause (variable_list name: (identifier) @bind))
(for_numeric_clause name: (identifier) @bind)
(variable_declaration (assignment_statement (variable_list . name: (identifier) @bind)
    (expression_list . value: (_) @value)))
(variable_declaration (assignment_statement (variable_list name: (identifier) @bind)))
(variable_declaration (variable_list name: (identifier) @bind))

((identifier) @this (#eq? @this "self"))
(dot_index_expression table: (_) @of field: (identifier) @attribute) @member
(method_index_expression table: (_) @of method: (identifier) @attribute) @member
(function_call name: (_) @of) @call
(parenthesized_expression (_) @of) @same
(method_index_expression method: (identifier) @skip)
(identifier) @name
"""


def _imports(captured: ImportCaptures) -> Iterable[ImportedName]:
    """Yield (module, imported name, local name) of a `require`.

    If its result is assigned to a variable, that is bound to the value that the file returns.
    Otherwise, only the file is imported.
    """
    local = captured.get("alias", "")
    yield ImportedName(captured["module"], "return" if local else "", local)


_INNER = ("", "lua", "src", "lib")


def _locate(tree: SourceTree, path: str, module: str) -> ModuleLocation | None:
    """Return the file of a required module, from the requiring file's folder or one above."""
    stem = module.replace(".", "/").strip("/")
    around: str | None = path.rpartition("/")[0]
    while around is not None and stem:
        for inner in _INNER:
            base = join_path(join_path(around, inner) if inner else around, stem)
            file = tree.first(f"{base}.lua", f"{base}/init.lua")
            if file:
                return ModuleLocation((file,))
        around = ancestor_folder(around, 1)
    return None


LANGUAGE = Language(
    name="lua",
    suffixes=(".lua", ".rockspec", ".wlua"),
    grammar="lua",
    filenames=(".busted", ".luacheckrc", "config.ld"),
    interpreters=("lua", "luajit", "resty", "texlua"),
    symbols="""
    (function_declaration name: (identifier) @name) @symbol.function

    (function_declaration name: [
        (dot_index_expression table: (_) @scope field: (_) @name)
        (method_index_expression table: (_) @scope method: (_) @name)
    ]) @symbol.function

    ; A function has the name of its variable. Assignments to `self` are fields of the constructor.
    (variable_declaration (assignment_statement
        (variable_list . name: (identifier) @name)
        (expression_list . value: (function_definition body: (_)? @body)))) @symbol.function

    ((assignment_statement
        (variable_list . name: (identifier) @name)
        (expression_list . value: (function_definition body: (_)? @body))) @symbol.function)

    ((assignment_statement
        (variable_list . name: (dot_index_expression table: (_) @_self field: (_) @name))
        (expression_list . value: (function_definition body: (_)? @body))) @symbol.method
        (#eq? @_self "self"))

    ((assignment_statement
        (variable_list . name: (dot_index_expression table: (_) @scope field: (_) @name))
        (expression_list . value: (function_definition body: (_)? @body))) @symbol.function)

    (field name: (identifier) @name
        value: (function_definition body: (_)? @body)) @symbol.function

    (field name: (string content: (_) @name)
        value: (function_definition body: (_)? @body)) @symbol.function

    ; Classes as class libraries make them: `class("Name")`, `Base:extend()`, `Object:subclass "X"`.
    (chunk (variable_declaration (assignment_statement
        (variable_list . name: (identifier) @name)
        (expression_list . value: (function_call name: [
            (identifier) @_class
            (dot_index_expression field: (_) @_class)
            (method_index_expression method: (_) @_class)
        ]))) @symbol.class)
        (#any-of? @_class "class" "extend" "subclass" "newclass" "Class"))

    (chunk (assignment_statement
        (variable_list . name: (identifier) @name)
        (expression_list . value: (function_call name: [
            (identifier) @_class
            (dot_index_expression field: (_) @_class)
            (method_index_expression method: (_) @_class)
        ]))) @symbol.class
        (#any-of? @_class "class" "extend" "subclass" "newclass" "Class"))

    (chunk (comment) @_note . (comment)? . (comment)? . (comment)?
        . (variable_declaration (assignment_statement
            (variable_list . name: (identifier) @name))) @symbol.class
        (#match? @_note "^---+ *@class"))

    ; Variables and constants of the file; `require` is an import.
    (chunk (variable_declaration (assignment_statement
        (variable_list name: (identifier) @name attribute: (attribute (identifier) @_const)))
        ) @symbol.constant (#eq? @_const "const"))

    (chunk [
        (variable_declaration (assignment_statement (variable_list name: (identifier) @name)))
        (assignment_statement (variable_list name: (identifier) @name))
    ] @symbol.constant (#match? @name "^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$|^[A-Z][A-Z0-9]{2,}$"))

    (chunk [
        (variable_declaration (assignment_statement
            (variable_list name: (identifier) @name) (expression_list . value: (_) @_value)))
        (assignment_statement
            (variable_list name: (identifier) @name) (expression_list . value: (_) @_value))
    ] @symbol.variable (#not-match? @_value "^require\\\\b"))

    (chunk (assignment_statement
        (variable_list name: (dot_index_expression table: (_) @scope field: (_) @name))
        ) @symbol.field (#not-eq? @name "__index"))

    ; busted and its kin
    ((function_call
        name: (identifier) @_call
        arguments: (arguments . (string content: (_) @name)
            (function_definition body: (_)? @body))) @symbol.test
        (#any-of? @_call "describe" "context" "insulate" "expose" "it" "spec" "test"))
    """,
    relations=_RELATIONS,
    imports=_imports,
    locate=_locate,
    block_scoped=True,
    tests=("*_spec.lua", "*_test.lua", "test_*.lua", "**/spec/**/*.lua", "**/tests/**/*.lua"),
    excludes=(".luarocks/", "lua_modules/", "luacov.*.out"),
    visibility=Visibility(private=re.compile(r"^local\b")),
    protocol_members=frozenset(
        {"__index", "__newindex", "__call", "__tostring", "__name", "__len", "__gc", "__close"}
        | {"__mode", "__metatable", "__pairs", "__ipairs", "__eq", "__lt", "__le", "__concat"}
        | {"__add", "__sub", "__mul", "__div", "__mod", "__pow", "__unm", "__idiv", "__band"}
        | {"__bor", "__bxor", "__bnot", "__shl", "__shr"}
    ),
    complexity="""
    [(if_statement) (elseif_statement) (for_statement) (while_statement)
        (repeat_statement)] @branch
    (binary_expression ["and" "or"]) @branch
    [(if_statement) (for_statement) (while_statement) (repeat_statement)] @nest
    (parameters) @parameters
    (parameters [(identifier) (vararg_expression)] @parameter)
    """,
    fragment_contexts=("PATTERN", "return PATTERN"),
    metavariable_forms=("name", "name()"),
)
