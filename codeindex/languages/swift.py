"""Swift; an extension is the `impl` of the type it names."""

from codeindex.languages._base import Language

_FUNCTION = """[
        (simple_identifier) (custom_operator)
        "+" "-" "*" "/" "%" "<" ">" "<=" ">=" "==" "!=" "===" "!==" "+=" "-=" "*=" "/=" "%="
        "!" "~" "|" "&" "^" "<<" ">>" "++" "--"]"""
"""What may stand after `func`."""

LANGUAGE = Language(
    name="swift",
    suffixes=(".swift",),
    grammar="swift",
    interpreters=("swift",),
    symbols=f"""
    (class_declaration "struct" name: (_) @name) @symbol.struct
    (class_declaration "enum" name: (_) @name) @symbol.enum
    (class_declaration "extension" name: (_) @name) @symbol.impl
    (class_declaration name: (_) @name) @symbol.class
    (protocol_declaration name: (_) @name) @symbol.interface
    (enum_entry name: (simple_identifier) @name) @symbol.enum_member
    (typealias_declaration name: (type_identifier) @name) @symbol.type
    (associatedtype_declaration name: (type_identifier) @name) @symbol.type
    (precedence_group_declaration (simple_identifier) @name) @symbol.type
    (operator_declaration (custom_operator) @name) @symbol.function
    (macro_declaration (simple_identifier) @name) @symbol.macro

    (function_declaration name: {_FUNCTION} @name) @symbol.function
    (protocol_function_declaration name: {_FUNCTION} @name) @symbol.function
    (init_declaration "init" @name) @symbol.constructor
    (deinit_declaration "deinit" @name) @symbol.method
    (subscript_declaration "subscript" @name (computed_property) @body) @symbol.method

    (protocol_property_declaration
        name: (pattern bound_identifier: (simple_identifier) @name)) @symbol.property
    (class_body (property_declaration
        name: (pattern bound_identifier: (simple_identifier) @name)
        computed_value: (_)? @body) @symbol.property)
    (class_body (property_declaration
        name: (pattern (pattern (simple_identifier) @name))) @symbol.property)
    (enum_class_body (property_declaration
        name: (pattern bound_identifier: (simple_identifier) @name)
        computed_value: (_)? @body) @symbol.property)
    (source_file (property_declaration
        name: (pattern bound_identifier: (simple_identifier) @name)
        value: (lambda_literal) @body) @symbol.function)
    ((source_file (property_declaration (value_binding_pattern) @_let
        name: (pattern bound_identifier: (simple_identifier) @name)) @symbol.constant)
        (#eq? @_let "let"))
    (source_file (property_declaration
        name: (pattern bound_identifier: (simple_identifier) @name)
        computed_value: (_)? @body) @symbol.variable)
    """,
    leading=("comment", "multiline_comment"),
    tests=("Tests/**", "*Tests/**/*.swift", "*Tests.swift", "*Test.swift", "*Spec.swift"),
    excludes=(".build/", ".swiftpm/", "DerivedData/", "Pods/", "Carthage/", "*.xcassets/"),
)
