"""Scala 2 and 3; the parameters of a case class are its fields."""

from codeindex.languages._base import Language

LANGUAGE = Language(
    name="scala",
    suffixes=(".scala", ".sc", ".sbt", ".mill"),
    grammar="scala",
    symbols="""
    (package_object name: (_) @name) @symbol.object
    (package_clause name: (_) @name body: (_)) @symbol.namespace
    (class_definition name: (_) @name) @symbol.class
    (trait_definition name: (_) @name) @symbol.trait
    (object_definition name: (_) @name) @symbol.object
    (enum_definition name: (_) @name) @symbol.enum
    (simple_enum_case name: (_) @name) @symbol.enum_member
    (full_enum_case name: (_) @name) @symbol.enum_member
    (type_definition name: (_) @name) @symbol.type
    (given_definition name: (_) @name body: (_)? @body) @symbol.object

    (class_definition "case"
        class_parameters: (class_parameters (class_parameter name: (_) @name) @symbol.field))
    (class_parameter ["val" "var"] name: (_) @name) @symbol.field

    ((function_definition name: (_) @name) @symbol.constructor (#eq? @name "this"))
    (extension_definition
        parameters: (parameters (parameter type: (_) @scope))
        (function_definition name: (_) @name) @symbol.function)
    (extension_definition
        parameters: (parameters (parameter type: (_) @scope))
        body: (_ (function_definition name: (_) @name) @symbol.function))
    (function_definition name: (_) @name) @symbol.function
    (function_declaration name: (_) @name) @symbol.function

    (val_definition
        pattern: (identifier) @name value: (lambda_expression)) @symbol.function
    (template_body (val_declaration name: (_) @name) @symbol.field)
    (template_body (var_declaration name: (_) @name) @symbol.field)
    (template_body (val_definition pattern: (identifier) @name) @symbol.field)
    (template_body (var_definition pattern: (identifier) @name) @symbol.field)
    (template_body (val_definition pattern: (_ (identifier) @name)) @symbol.field)
    (enum_body (val_definition pattern: (identifier) @name) @symbol.field)
    (with_template_body (val_definition pattern: (identifier) @name) @symbol.field)
    (compilation_unit (val_definition pattern: (identifier) @name) @symbol.variable)
    (compilation_unit (var_definition pattern: (identifier) @name) @symbol.variable)
    (compilation_unit (val_definition pattern: (_ (identifier) @name)) @symbol.variable)

    ; test("name") { } and "a stack" should "pop" in { }
    ((call_expression function: (call_expression
        function: (identifier) @_word
        arguments: (arguments . (string) @name))
        arguments: (block) @body) @symbol.test
        (#any-of? @_word "test" "property" "describe" "it"))
    ((infix_expression
        left: (infix_expression operator: (_) @_verb right: (string) @name)
        operator: (_) @_in) @symbol.test
        (#any-of? @_verb "should" "must" "can") (#any-of? @_in "in" "ignore"))
    ((infix_expression
        left: (string) @name operator: (_) @_in right: (block) @body) @symbol.test
        (#any-of? @_in "in" "should" "when"))
    """,
    leading=("comment", "block_comment"),
    tests=(
        "src/test/**",
        "src/it/**",
        "test/**/*.scala",
        "*Spec.scala",
        "*Test.scala",
        "*Suite.scala",
    ),
    excludes=("target/", ".bloop/", ".metals/", ".bsp/", "project/project/"),
)
