"""PHP."""

from codeindex.languages._base import Language

LANGUAGE = Language(
    name="php",
    suffixes=(".php", ".phtml", ".php5", ".php7", ".phpt"),
    grammar="php",
    interpreters=("php",),
    symbols="""
    (namespace_definition name: (_) @name body: (_)) @symbol.namespace
    (program (namespace_definition name: (_) @name !body) @symbol.namespace) @extent

    (class_declaration name: (name) @name) @symbol.class
    (interface_declaration name: (name) @name) @symbol.interface
    (trait_declaration name: (name) @name) @symbol.trait
    (enum_declaration name: (name) @name) @symbol.enum
    (enum_case name: (name) @name) @symbol.enum_member

    ((method_declaration name: (name) @name) @symbol.constructor (#eq? @name "__construct"))
    (method_declaration name: (name) @name) @symbol.method
    (function_definition name: (name) @name) @symbol.function
    (property_promotion_parameter name: (variable_name (name) @name)) @symbol.property
    (property_declaration
        (property_element name: (variable_name (name) @name))
        (property_hook_list)? @body) @symbol.property

    (const_declaration (const_element . (name) @name)) @symbol.constant
    ((function_call_expression function: (name) @_define
        arguments: (arguments . (argument (string (string_content) @name)))) @symbol.constant
        (#eq? @_define "define"))

    (assignment_expression
        left: (variable_name (name) @name)
        right: (anonymous_function body: (_) @body)) @symbol.function
    (assignment_expression
        left: (variable_name (name) @name)
        right: (arrow_function body: (_) @body)) @symbol.function
    (assignment_expression
        left: (variable_name (name) @name)
        right: (object_creation_expression (anonymous_class body: (_) @body))) @symbol.class
    (program (expression_statement
        (assignment_expression left: (variable_name (name) @name)) @symbol.variable))

    (namespace_definition body: (compound_statement (expression_statement
        (assignment_expression left: (variable_name (name) @name)) @symbol.variable)))

    ; Pest: it('does', function () { })
    ((function_call_expression function: (name) @_word
        arguments: (arguments
            . (argument (string (string_content) @name))
            . (argument [(anonymous_function) (arrow_function)]))) @symbol.test
        (#any-of? @_word "it" "test" "describe"))
    """,
    leading=("comment", "attribute_list"),
    tests=("test/**/*.php", "tests/**/*.php", "Tests/**/*.php", "*Test.php", "*.phpt"),
    excludes=("vendor/", ".phpunit.cache/", ".phpunit.result.cache", "bootstrap/cache/"),
)
