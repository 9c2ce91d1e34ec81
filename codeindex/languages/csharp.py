"""C#."""

from codeindex.languages._base import Language

LANGUAGE = Language(
    name="csharp",
    suffixes=(".cs", ".csx"),
    grammar="csharp",
    symbols="""
    (namespace_declaration name: (_) @name) @symbol.namespace
    (compilation_unit (file_scoped_namespace_declaration
        name: (_) @name) @symbol.namespace) @extent
    (using_directive name: (identifier) @name) @symbol.type

    (class_declaration name: (identifier) @name) @symbol.class
    (struct_declaration name: (identifier) @name) @symbol.struct
    (interface_declaration name: (identifier) @name) @symbol.interface
    (enum_declaration name: (identifier) @name) @symbol.enum
    (enum_member_declaration name: (identifier) @name) @symbol.enum_member
    (delegate_declaration name: (identifier) @name) @symbol.type
    (record_declaration "struct" name: (identifier) @name) @symbol.struct
    (record_declaration name: (identifier) @name) @symbol.class
    (record_declaration (parameter_list
        (parameter name: (identifier) @name) @symbol.property))

    (constructor_declaration name: (identifier) @name) @symbol.constructor
    (destructor_declaration "~" . (identifier) @name) @symbol.method
    (method_declaration (explicit_interface_specifier (_) @scope)
        name: (identifier) @name) @symbol.method
    (method_declaration name: (identifier) @name) @symbol.method
    (operator_declaration ["+" "-" "*" "/" "%" "!" "~" "++" "--" "true" "false" "&" "|" "^"
        "<<" ">>" ">>>" "==" "!=" "<" ">" "<=" ">="] @name) @symbol.method
    (conversion_operator_declaration type: (_) @name) @symbol.method
    (local_function_statement name: (identifier) @name) @symbol.function

    (property_declaration (explicit_interface_specifier (_) @scope) name: (identifier) @name
        [accessors: (_) value: (_)] @body) @symbol.property
    (property_declaration name: (identifier) @name
        [accessors: (_) value: (_)] @body) @symbol.property
    (indexer_declaration "this" @name [accessors: (_) value: (_)] @body) @symbol.property
    (event_declaration name: (identifier) @name accessors: (_) @body) @symbol.property
    (event_field_declaration
        (variable_declaration (variable_declarator name: (identifier) @name))) @symbol.field

    ((field_declaration (modifier) @_const
        (variable_declaration (variable_declarator name: (identifier) @name))) @symbol.constant
        (#eq? @_const "const"))
    (field_declaration
        (variable_declaration (variable_declarator name: (identifier) @name))) @symbol.field
    """,
    leading=("comment", "attribute_list"),
    tests=(
        *("*Test.cs", "*Tests.cs", "*Spec.cs", "*Specs.cs", "test/**/*.cs", "tests/**/*.cs"),
        *("*.Tests/**/*.cs", "*.Test/**/*.cs", "*.UnitTests/**/*.cs", "*.IntegrationTests/**/*.cs"),
    ),
    excludes=("obj/", "bin/Debug/", "bin/Release/", ".vs/", "TestResults/", "*.Designer.cs"),
)
