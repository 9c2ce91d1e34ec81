"""Java."""

from codeindex.languages._base import Language

_DECLARATOR = "declarator: (variable_declarator name: (_) @name)"

LANGUAGE = Language(
    name="java",
    suffixes=(".java",),
    grammar="java",
    interpreters=("java", "jbang"),
    symbols=f"""
    (module_declaration name: (_) @name) @symbol.module
    (class_declaration name: (_) @name) @symbol.class
    (record_declaration name: (_) @name) @symbol.class
    (interface_declaration name: (_) @name) @symbol.interface
    (annotation_type_declaration name: (_) @name) @symbol.interface
    (enum_declaration name: (_) @name) @symbol.enum
    (enum_constant name: (_) @name) @symbol.enum_member

    (method_declaration name: (_) @name) @symbol.method
    (annotation_type_element_declaration name: (_) @name) @symbol.method
    (constructor_declaration name: (_) @name) @symbol.constructor
    (compact_constructor_declaration name: (_) @name) @symbol.constructor

    (record_declaration parameters: (formal_parameters
        (formal_parameter name: (_) @name) @symbol.field))
    (record_declaration parameters: (formal_parameters
        (spread_parameter (variable_declarator name: (_) @name)) @symbol.field))
    (object_creation_expression (class_body (field_declaration {_DECLARATOR})))
    (constant_declaration {_DECLARATOR}) @symbol.constant
    (field_declaration (modifiers "static" "final") {_DECLARATOR}) @symbol.constant
    (field_declaration (modifiers "final" "static") {_DECLARATOR}) @symbol.constant
    (field_declaration {_DECLARATOR}) @symbol.field
    """,
    leading=("line_comment", "block_comment"),
    tests=(
        "*Test.java",
        "*Tests.java",
        "*TestCase.java",
        "*[a-z]IT.java",
        "**/src/test/**",
        "**/src/*Test/**",
        "**/src/testFixtures/**",
    ),
    excludes=("target/", ".gradle/", "*.class"),
)
