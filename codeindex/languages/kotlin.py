"""Kotlin; the members of a nameless companion are, as when called, those of its class."""

from codeindex.languages._base import Language

LANGUAGE = Language(
    name="kotlin",
    suffixes=(".kt", ".kts"),
    grammar="kotlin",
    symbols="""
    (class_declaration "interface" (type_identifier) @name
        [(class_body) (enum_class_body)]? @body) @symbol.interface
    (class_declaration "enum" (type_identifier) @name (enum_class_body)? @body) @symbol.enum
    (class_declaration (type_identifier) @name (class_body)? @body) @symbol.class
    (object_declaration (type_identifier) @name (class_body)? @body) @symbol.object
    (companion_object (type_identifier) @name (class_body)? @body) @symbol.object
    (enum_entry (simple_identifier) @name (class_body)? @body) @symbol.enum_member
    (type_alias (type_identifier) @name) @symbol.type
    (class_parameter (binding_pattern_kind) . (simple_identifier) @name) @symbol.property

    (secondary_constructor "constructor" @name "{"? @body) @symbol.constructor
    (function_declaration receiver: (_) @scope
        (simple_identifier) @name (function_body)? @body) @symbol.function
    (function_declaration (simple_identifier) @name (function_body)? @body) @symbol.function

    ((property_declaration (modifiers (property_modifier) @_const)
        (variable_declaration (simple_identifier) @name)) @symbol.constant
        (#eq? @_const "const"))
    (source_file (property_declaration
        (variable_declaration (simple_identifier) @name)
        (lambda_literal) @body) @symbol.function)
    (source_file (property_declaration
        (variable_declaration (simple_identifier) @name)
        (anonymous_function (function_body) @body)) @symbol.function)
    (source_file (property_declaration receiver: (_) @scope
        (variable_declaration (simple_identifier) @name)
        (getter)? @body) @symbol.property)
    (source_file (property_declaration
        (variable_declaration (simple_identifier) @name)) @symbol.variable)
    (class_body
        (property_declaration (variable_declaration (simple_identifier) @name)) @symbol.property
        . (getter)? . (setter) @extent)
    (class_body
        (property_declaration (variable_declaration (simple_identifier) @name)) @symbol.property
        . (getter) @extent)
    (class_body (property_declaration receiver: (_) @scope
        (variable_declaration (simple_identifier) @name)
        (getter)? @body) @symbol.property)
    (class_body (property_declaration
        (variable_declaration (simple_identifier) @name)
        (getter)? @body) @symbol.property)
    (class_body (property_declaration (multi_variable_declaration
        (variable_declaration (simple_identifier) @name))) @symbol.property)
    (enum_class_body (property_declaration
        (variable_declaration (simple_identifier) @name)
        (getter)? @body) @symbol.property)
    """,
    leading=("line_comment", "multiline_comment"),
    tests=(
        *("src/*Test/**", "src/test/**", "src/androidTest/**", "src/integrationTest/**"),
        *("*Test.kt", "*Tests.kt", "*Spec.kt"),
    ),
    excludes=(".gradle/", "build/", ".kotlin/", "*.class"),
)
