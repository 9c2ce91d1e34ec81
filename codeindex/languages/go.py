"""Go."""

from codeindex.languages._base import Language

_FIELDS = "(struct_type (field_declaration_list {}))"
_FIELD = "(field_declaration name: (field_identifier) @name) @symbol.field"


def _declared(keyword: str, spec: str, kind: str) -> str:
    """Take in the keyword of a definition, unless it shares it with others in parentheses."""
    return f"""
    ({keyword}_declaration "(" {spec} @symbol.{kind})
    ({keyword}_declaration {spec}) @symbol.{kind}
    """


LANGUAGE = Language(
    name="go",
    suffixes=(".go",),
    grammar="go",
    symbols=f"""
    ([(const_spec (identifier) @name) (var_spec name: (identifier) @name)]
        (#eq? @name "_"))

    (function_declaration name: (identifier) @name) @symbol.function
    (method_declaration
        receiver: (parameter_list (parameter_declaration type: (_) @scope))
        name: (field_identifier) @name) @symbol.method

    ((call_expression
        function: (selector_expression field: (field_identifier) @run)
        arguments: (argument_list
            . (interpreted_string_literal) @name (func_literal body: (_) @body))) @symbol.test
        (#eq? @run "Run"))

    {_declared("type", "(type_spec name: (_) @name type: (struct_type (_) @body))", "struct")}
    {_declared("type", "(type_spec name: (_) @name type: (interface_type))", "interface")}
    {_declared("type", "(type_spec name: (_) @name)", "type")}
    {_declared("type", "(type_alias name: (_) @name)", "type")}

    (type_spec type: {_FIELDS.format(_FIELD)})
    (type_spec type: {_FIELDS.format(f"(field_declaration type: {_FIELDS.format(_FIELD)})")})
    (type_spec type: (interface_type
        (method_elem name: (field_identifier) @name) @symbol.method))

    (source_file (var_declaration
        (var_spec . name: (identifier) @name
            value: (expression_list . (func_literal body: (_) @body) .))) @symbol.function)
    (source_file (var_declaration (var_spec name: (identifier) @name)) @symbol.variable)
    (source_file (var_declaration
        (var_spec_list (var_spec name: (identifier) @name) @symbol.variable)))
    (source_file (const_declaration "(" (const_spec (identifier) @name) @symbol.constant))
    (source_file (const_declaration (const_spec (identifier) @name)) @symbol.constant)
    """,
    tests=("*_test.go", "**/testdata/**"),
    excludes=("**/vendor/**/*.go",),
)
