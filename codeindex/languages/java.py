"""Define the language Java."""

import re

from codeindex.languages._base import Language, Visibility
from codeindex.languages._java_types import JAVA_TYPES
from codeindex.languages._packages import (
    BUILD_FILES,
    DEFAULT_PACKAGE,
    FAMILY,
    RUNTIME_MEMBERS,
    locate_package,
    qualified_imports,
)

_DECLARATOR = "declarator: (variable_declarator name: (_) @name)"
_TYPE = "[(type_identifier) {0} (scoped_type_identifier) {0} (generic_type . (_) {0})]"
_VAR = '((type_identifier) @_var (#eq? @_var "var"))'
_BOUND = "declarator: (variable_declarator name: (identifier) @bind"

_RELATIONS = f"""
(package_declaration (_) @module) @import @package
(import_declaration (_) @module (asterisk) @all) @import
(import_declaration (_) @module . ";") @import
(package_declaration (identifier) @skip)
(import_declaration (identifier) @skip)
(scoped_identifier (identifier) @skip)
(scoped_type_identifier (_) (type_identifier) @skip)
(field_access field: (identifier) @skip)
(class_declaration name: (identifier) @skip)
(record_declaration name: (identifier) @skip)
(interface_declaration name: (identifier) @skip)
(annotation_type_declaration name: (identifier) @skip)
(enum_declaration name: (identifier) @skip)
(method_declaration name: (identifier) @skip)
(constructor_declaration name: (identifier) @skip)
(compact_constructor_declaration name: (identifier) @skip)
(annotation_type_element_declaration name: (identifier) @skip)
(element_value_pair key: (identifier) @skip)
(labeled_statement . (identifier) @skip)
(break_statement (identifier) @skip)
(continue_statement (identifier) @skip)

(lambda_expression) @scope
(object_creation_expression type: {_TYPE.format("@extended")} (class_body))
(object_creation_expression type: (_) @type (class_body) @scope @nameless) @created
(enum_constant body: (class_body) @scope @nameless)
(block) @block
(enhanced_for_statement) @block

(type_parameter (type_identifier) @parameter @skip (type_bound . {_TYPE.format("@type")}))
(type_parameter (type_identifier) @parameter @skip)
(enum_constant name: (identifier) @self)
(field_declaration type: (_) @type {_BOUND}))
(constant_declaration type: (_) @type {_BOUND}))
(local_variable_declaration type: {_VAR} {_BOUND} value: (_) @value))
(local_variable_declaration type: (_) @type {_BOUND}))
(formal_parameter type: (_) @type name: (identifier) @bind)
(spread_parameter (_) @spread . "..." (variable_declarator name: (identifier) @bind))
(spread_parameter (variable_declarator name: (identifier) @bind))
(inferred_parameters (identifier) @bind)
(lambda_expression parameters: (identifier) @bind)
(catch_formal_parameter (catch_type . (_) @type) name: (identifier) @bind)
(resource type: {_VAR} name: (identifier) @bind value: (_) @value)
(resource type: (_) @type name: (identifier) @bind)
(enhanced_for_statement type: {_VAR} name: (identifier) @bind value: (_) @each)
(enhanced_for_statement type: (_) @type name: (identifier) @bind)
(instanceof_expression right: (_) @type name: (identifier) @bind)
(type_pattern . (_) @type (identifier) @bind)
(record_pattern_component . (_) @type (identifier) @bind)

(method_declaration type: (_) @result)
(annotation_type_element_declaration type: (_) @result)
(superclass {_TYPE.format("@base")})
(super_interfaces (type_list {_TYPE.format("@base")}))
(extends_interfaces (type_list {_TYPE.format("@base")}))

(object_creation_expression type: {_TYPE.format("@constructs")} arguments: (_) @arguments)
(explicit_constructor_invocation constructor: (_) @constructs arguments: (_) @arguments)
(method_invocation object: (_) @of name: (identifier) @member @method)
(method_invocation name: (identifier) @name @method)
; Service containers return an instance of the class that they are given
((method_invocation name: (identifier) @_resolve
    arguments: (argument_list . (class_literal (_) @of) .)) @instance
    (#any-of? @_resolve "getBean" "getInstance"))
(method_invocation name: (identifier) @of arguments: (_) @arguments) @call
(method_reference . (_) @of (identifier) @member @method .)
(object_creation_expression type: (_) @of) @instance
(object_creation_expression type: {_TYPE.format("@of")}) @call
(cast_expression type: (_) @of) @instance
(field_access object: (_) @of field: (this)) @instance
(field_access object: (_) @of field: (identifier) @attribute) @member
(scoped_type_identifier . (_) @of (type_identifier) @attribute .) @member
(generic_type . (_) @of (type_arguments (_) @argument .)) @generic
(generic_type . (_) @of) @same
(array_type element: (_) @argument dimensions: (_) @of) @generic
(annotated_type (type_identifier) @of) @same
(wildcard "extends" (_) @of) @same
(array_access array: (_) @of) @item
(parenthesized_expression (_) @of) @same
(assignment_expression right: (_) @of) @same
(ternary_expression consequence: (_) @of alternative: (_) @of) @either
(array_creation_expression type: (_) @of) @array
[(integral_type) (floating_point_type) (boolean_type) (dimensions)] @builtin
[(decimal_integer_literal) (hex_integer_literal) (octal_integer_literal) (binary_integer_literal)
    (decimal_floating_point_literal) (hex_floating_point_literal) (character_literal)
    (string_literal) (null_literal) (true) (false) (class_literal) (instanceof_expression)] @literal
(binary_expression left: (_) @of operator: _ @attribute right: (_) @of) @operation
(unary_expression operator: _ @attribute operand: (_) @of) @operation
(update_expression (_) @of) @same
[(lambda_expression) (method_reference)] @closure
(switch_expression condition: (_) @of
    body: (switch_block (_ (switch_label (identifier) @label))))
(this) @this
(super) @super
[(identifier) (type_identifier)] @name
"""


_REPAIRS = ((r"(?m)(?<=^import)[ \t]+module(?=[ \t])",),)
"""Match `import module java.base;` of Java 25: see `Language.repairs`."""

LANGUAGE = Language(
    name="java",
    suffixes=(".java",),
    grammar="java",
    repairs=_REPAIRS,
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
    relations=_RELATIONS,
    imports=qualified_imports,
    family=FAMILY,
    locate=locate_package,
    implicit_receiver=True,
    declares_package=True,
    default_package=DEFAULT_PACKAGE,
    method_names=True,
    overloads=True,
    type_rules=JAVA_TYPES,
    transparent=("Class", "Optional"),
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
    lock_files=("gradle.lockfile",),
    excludes=(".gradle/", "*.class"),
    outputs=(("target", ("pom.xml",)),),
    result_first=True,
    protocol_members=RUNTIME_MEMBERS,
    passive_decorators=frozenset(
        {
            "CheckReturnValue",
            "Deprecated",
            "NonNull",
            "NotNull",
            "Nullable",
            "Override",
            "SafeVarargs",
            "SuppressWarnings",
            "VisibleForTesting",
        }
    ),
    reflective_names=frozenset({"getDeclaredMethod", "getMethod"}),
    visibility=Visibility(public=re.compile(r"\bpublic\b"), is_explicit=True),
    complexity="""
    [(if_statement) (for_statement) (enhanced_for_statement) (while_statement) (do_statement)
        (catch_clause) (ternary_expression)] @branch
    (switch_label "case") @branch
    (binary_expression operator: ["&&" "||"]) @branch
    [(if_statement) (for_statement) (enhanced_for_statement) (while_statement) (do_statement)
        (switch_expression) (try_statement) (try_with_resources_statement)] @nest
    (if_statement alternative: (if_statement) @flat)
    (formal_parameters) @parameters
    (formal_parameters [(formal_parameter) (spread_parameter)] @parameter)
    """,
    fragment_contexts=(
        "PATTERN",
        "PATTERN;",
        "class C { PATTERN }",
        "PATTERN class C { }",
        "class C { void f() { PATTERN } }",
        "class C { void f() { PATTERN; } }",
        "class C { void f() { try { } PATTERN } }",
    ),
    metavariable_forms=("name", "Name name", "name;", "Name name;"),
    package_manifests=BUILD_FILES,
)
