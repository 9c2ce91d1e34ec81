"""Dart. Its grammar puts a signature and its body side by side, so `@extent` joins them."""

from codeindex.languages._base import Language


def _with_body(signature: str, kind: str) -> str:
    return f"""
    ((method_signature {signature}) @symbol.{kind} . (function_body) @extent @body)
    (declaration {signature}) @symbol.{kind}
    """


_CONSTRUCTOR = """[
        (constructor_signature name: (identifier) @name . parameters: (_))
        (constant_constructor_signature (identifier) @name . (formal_parameter_list))
        (factory_constructor_signature (identifier) @name . (formal_parameter_list))
        (redirecting_factory_constructor_signature (identifier) @name . (formal_parameter_list))
    ] (initializers)? @body"""
_ACCESSOR = "[(getter_signature name: (_) @name) (setter_signature name: (_) @name)]"
_TYPE = "(type_identifier)? . (type_arguments)? . (nullable_type)?"
_VARIABLES = """[
        (initialized_identifier_list (initialized_identifier . (identifier) @name))
        (static_final_declaration_list (static_final_declaration . (identifier) @name))
    ]"""

LANGUAGE = Language(
    name="dart",
    suffixes=(".dart",),
    grammar="dart",
    interpreters=("dart",),
    symbols=f"""
    (library_name (dotted_identifier_list) @name) @symbol.module

    (class_definition name: (identifier) @name) @symbol.class
    (class_definition (mixin_application_class . (identifier) @name)) @symbol.class
    (extension_type_declaration name: (identifier) @name) @symbol.class
    (mixin_declaration (mixin) . (identifier) @name (class_body) @body) @symbol.trait
    (extension_declaration name: (identifier) @name) @symbol.impl
    (extension_declaration !name class: (_) @name) @symbol.impl
    (enum_declaration name: (identifier) @name) @symbol.enum
    (enum_constant name: (identifier) @name) @symbol.enum_member

    (type_alias (type_identifier) @name . (type_parameters)? . (formal_parameter_list)) @symbol.type
    (type_alias . (type_identifier) @name . (type_parameters)? . "=") @symbol.type

    {_with_body(_CONSTRUCTOR, "constructor")}
    {_with_body("(function_signature name: (identifier) @name)", "function")}
    {_with_body(_ACCESSOR, "property")}
    {_with_body('(operator_signature [(binary_operator) "[]" "[]=" "~"] @name)', "method")}

    (declaration (const_builtin) {_VARIABLES}) @symbol.constant
    (declaration {_VARIABLES}) @symbol.field
    (representation_declaration name: (identifier) @name) @symbol.field

    (program (function_signature name: (identifier) @name) @symbol.function
        . (function_body) @extent @body)
    (program (function_signature name: (identifier) @name) @symbol.function)
    (program {_ACCESSOR} @symbol.property . (function_body) @extent @body)
    (local_function_declaration (lambda_expression
        parameters: (function_signature name: (identifier) @name)
        body: (_) @body)) @symbol.function

    (program (const_builtin) @symbol.constant . {_TYPE} . {_VARIABLES} @extent)
    (program [(final_builtin) (inferred_type)] @symbol.variable . {_TYPE} . {_VARIABLES} @extent)
    (program (type_identifier) @symbol.variable
        . (type_arguments)? . (nullable_type)? . {_VARIABLES} @extent)
    (program {_VARIABLES} @symbol.variable)

    ((expression_statement (identifier) @_test . (selector (argument_part (arguments
        . (argument (string_literal) @name)
        (argument (function_expression body: (_) @body)))))) @symbol.test
        (#any-of? @_test "blocTest" "group" "test" "testWidgets"))
    """,
    leading=("annotation", "comment", "documentation_comment"),
    tests=("*_test.dart", "**/integration_test/**/*.dart", "**/test/**/*.dart"),
    excludes=(".dart_tool/", "*.freezed.dart", "*.g.dart", "*.mocks.dart"),
)
