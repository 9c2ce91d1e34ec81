"""Lua, and the dialects that keep its syntax."""

from codeindex.languages._base import Language

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

    ; A function takes the name it is bound to. What is put into `self` belongs to the constructor.
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
    tests=("*_spec.lua", "*_test.lua", "test_*.lua", "**/spec/**/*.lua", "**/tests/**/*.lua"),
    excludes=(".luarocks/", "lua_modules/", "luacov.*.out"),
)
