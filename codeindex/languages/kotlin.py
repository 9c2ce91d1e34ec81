"""Define Kotlin. Members of an unnamed companion are members of its class."""

import re

from codeindex.languages._base import Language, Visibility
from codeindex.languages._overload_types import KOTLIN_TYPES
from codeindex.languages._packages import (
    BUILD_FILES,
    DEFAULT_PACKAGE,
    FAMILY,
    RUNTIME_MEMBERS,
    locate_package,
    qualified_imports,
)

_TYPE = """[(user_type . (type_identifier) @{0} . (type_arguments)? .)
    (user_type (type_identifier) . (type_identifier)) @{0}]"""
_NAMED_BASE = _TYPE.format("base")
_BASE = f"""[(user_type . (type_identifier) @base . (type_arguments)? .)
    (constructor_invocation {_NAMED_BASE})
    (explicit_delegation . {_NAMED_BASE})]"""
_VALUE = """[(call_expression) (navigation_expression) (simple_identifier) (elvis_expression)
    (as_expression) (postfix_expression) (object_literal)]"""

_RELATIONS = f"""
(package_header (identifier) @module) @import @package
(import_header (identifier) @module (wildcard_import) @all) @import
(import_header (identifier) @module (import_alias (type_identifier) @alias)) @import
(import_header (identifier) @module .) @import
(import_header (identifier) @module . [(line_comment) (multiline_comment)]) @import
(package_header (identifier (simple_identifier) @skip))
(import_header (identifier (simple_identifier) @skip))
(import_alias (type_identifier) @skip)
(class_declaration (type_identifier) @skip)
(object_declaration (type_identifier) @skip)
(companion_object (type_identifier) @skip)
(function_declaration (simple_identifier) @skip)
(function_declaration receiver: (_) (simple_identifier) @shared)
(property_declaration receiver: (_) (variable_declaration (simple_identifier) @shared))
(navigation_suffix (simple_identifier) @skip)
(value_argument . (simple_identifier) @skip . "=")
(user_type (type_identifier) . (type_identifier) @skip)

[(lambda_literal) (anonymous_function)] @scope
(object_literal (delegation_specifier {_BASE.replace("@base", "@extended")}))
(object_literal (delegation_specifier [(constructor_invocation . (_) @type) (user_type) @type])
    (class_body) @scope @nameless) @created
(object_literal (class_body) @scope @baseless) @created
[(control_structure_body) (catch_block) (for_statement)] @block

((call_expression . (navigation_expression . (_) @value
        (navigation_suffix (simple_identifier) @_apply))
    (call_suffix (annotated_lambda (lambda_literal) @receiving)))
    (#any-of? @_apply "apply" "run"))
((call_expression . (simple_identifier) @_with (call_suffix
    (value_arguments . (value_argument (_) @value) .)
    (annotated_lambda (lambda_literal) @receiving)))
    (#eq? @_with "with"))
(call_expression . (_) @builder (call_suffix (annotated_lambda (lambda_literal) @receiving)))
(function_value_parameters (parameter (simple_identifier)
    (function_type receiver: (receiver_type (_) @lambda_receiver))) .)
(function_value_parameters (parameter (simple_identifier)
    (function_type receiver: (receiver_type (_) @lambda_receiver))) .
    [(lambda_literal) (callable_reference) (simple_identifier) (navigation_expression)] .)

(type_parameter (type_identifier) @parameter @skip . (_) @type)
(type_parameter (type_identifier) @parameter @skip)
(type_alias . (type_identifier) @bind (_) @value .)
(enum_entry (simple_identifier) @self)
(class_parameter (simple_identifier) @bind . (_) @type)
(parameter (simple_identifier) @bind . (_) @type)
(if_expression condition: (check_expression . (simple_identifier) @checked "is" . (_) @type .)
    consequence: (control_structure_body) @in)
(when_expression (when_subject . (simple_identifier) @checked .) (when_entry
    . (when_condition (type_test "is" (_) @type)) . (control_structure_body) @in))
(catch_block . (simple_identifier) @bind . (_) @type)
(for_statement (variable_declaration . (simple_identifier) @bind .) . (_) @each)
(variable_declaration . (simple_identifier) @bind . (_) @type)
(property_declaration (variable_declaration . (simple_identifier) @bind .) . {_VALUE} @value)
; Delegates such as inject<Cart>() and viewModels<Cart>() provide a value of the type argument
(property_declaration (variable_declaration . (simple_identifier) @bind .) (property_delegate
    (call_expression (call_suffix (type_arguments . (type_projection (_) @type) .)))))
(variable_declaration . (simple_identifier) @bind .)

(function_declaration (function_value_parameters) . [(user_type) (nullable_type)] @result)
(function_declaration (function_body "=" . (_) @returned))
(getter (function_body "=" . (_) @returned))
(class_declaration (delegation_specifier {_BASE}))
(class_declaration (delegation_specifier (user_type (type_identifier) . (type_identifier)) @base))
(object_declaration (delegation_specifier {_BASE}))
(object_declaration (delegation_specifier (user_type (type_identifier) . (type_identifier)) @base))

(call_expression . (simple_identifier) @name @method (call_suffix))
(call_expression . (navigation_expression . (_) @of
    (navigation_suffix (simple_identifier) @attribute)) @member @method (call_suffix))
[(integer_literal) (long_literal) (real_literal) (string_literal) (boolean_literal)
    (character_literal)] @literal
[(lambda_literal) (anonymous_function) (callable_reference)] @closure
(value_argument . (simple_identifier) @attribute . "=" (_) @of .) @labelled
(value_argument . (_) @of .) @same
(annotated_lambda (lambda_literal) @of .) @same
(type_projection . (_) @of .) @same
; Service containers return an instance of the type argument
((call_expression . [(simple_identifier) @_resolve
        (navigation_expression (navigation_suffix (simple_identifier) @_resolve))]
    (call_suffix (type_arguments . (type_projection (_) @of) .))) @instance
    (#any-of? @_resolve "get" "getBean" "getInstance" "koinInject"))
(call_expression . (_) @of (call_suffix (type_arguments) @applied) @arguments) @call
(call_expression . (_) @of (call_suffix) @arguments) @call
(constructor_invocation {_TYPE.format("of")}) @call
(navigation_expression . (_) @of
    (navigation_suffix "::" (simple_identifier) @attribute)) @member @method
(navigation_expression . (_) @of (navigation_suffix (simple_identifier) @attribute)) @member
(callable_reference . (type_identifier) @of (simple_identifier) @member @method .)
(callable_reference . (simple_identifier) @name @method .)
(infix_expression (_) . (simple_identifier) @name @method . (_))
(user_type . (type_identifier) @of . (type_identifier) @attribute .) @member
(user_type (type_identifier) . (type_identifier) . (type_identifier)) @quoted
(user_type . (type_identifier) @of (type_arguments (type_projection (_) @argument) .)) @generic
(user_type . (type_identifier) @of .) @same
(object_literal (delegation_specifier
    [(constructor_invocation . (_) @of) (user_type) @of])) @instance
(nullable_type (_) @of) @same
(as_expression (_) (_) @of .) @instance
(indexing_expression . (_) @of) @item
(postfix_expression . (_) @of) @same
(parenthesized_expression (_) @of) @same
(elvis_expression . (_) @of (_) @of) @either
(this_expression) @this
(super_expression) @super
[(simple_identifier) (type_identifier)] @name
"""


_CONSTRUCTOR = (
    r"(?P<kept>\bclass\s+\w+(?:<[^(){}]*>)?[ \t]*\n)"
    r"\s*(?:(?:@[\w.]+(?:\([^()]*\))?|public|internal|protected|private|actual|expect)\s+)*"
    r"constructor(?=\s*\()"
)
"""Matches a primary constructor on its own lines, before which the grammar would end the class."""


_REPAIRS = (
    (
        # 0b1100_0000
        r"(?<=\b0)[bB][01][01_]*",
        # Channel<*>::send
        r"(?<=\w)<[\w*, .?]*>(?=::\w)",
        # in first..<end
        r"(?<=\.\.)<",
        # $$"text with $"
        r'\$\$+(?=")',
        # object : List<T> by list {}
        r"(?P<kept>\bobject[ \t]*:[ \t]*[\w.<>, ]+?)[ \t]+by[ \t]+[\w.()]+(?=[ \t]*\{)",
        # class Name(actual val name: T)
        r"\bactual[ \t]+(?=va[lr]\b)",
        # val state: Flow<State>, with `field = MutableFlow()` in the next line
        r"(?P<kept_val>\bval[ \t]+\w+[ \t]*:[^\n={]*\n[ \t]+)field(?=[ \t]*=)",
        # context(logger: Logger) fun log()
        r"(?m)^[ \t]*context\([^()\n]*\)",
        # is Text if it.isNotEmpty() -> and else if it == 3 ->
        r"(?<=\S)[ \t]+if[ \t][^\n{}]+?(?=[ \t]*->)",
    ),
)
"""Match valid syntax that the grammar rejects: see `Language.repairs`."""


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
    anonymous_classes=("object_literal",),
    unparsable=_CONSTRUCTOR,
    repairs=_REPAIRS,
    relations=_RELATIONS,
    imports=qualified_imports,
    family=FAMILY,
    locate=locate_package,
    extension_functions=True,
    implicit_receiver=True,
    declares_package=True,
    default_package=DEFAULT_PACKAGE,
    overloads=True,
    inherited_overloads="all",
    type_rules=KOTLIN_TYPES,
    file_private=r"(?:@\S+ |(?!(?:class|fun|interface|object|typealias|va[lr])\b)\w+ )*?private\b",
    block_scoped=True,
    callable_variables=True,
    method_names=True,
    transparent=("KClass", "Lazy"),
    leading=("line_comment", "multiline_comment"),
    tests=(
        *("src/*Test/**", "src/test/**", "src/androidTest/**", "src/integrationTest/**"),
        *("*Test.kt", "*Tests.kt", "*Spec.kt"),
    ),
    lock_files=("gradle.lockfile",),
    excludes=(".gradle/", ".kotlin/", "*.class"),
    outputs=(
        ("build", ("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts")),
    ),
    protocol_members=RUNTIME_MEMBERS,
    implicit_method=re.compile(r"[^(]*\boperator\b"),
    passive_decorators=frozenset({"Deprecated", "JvmOverloads", "JvmStatic", "Throws"}),
    visibility=Visibility(
        private=re.compile(r"\b(?:private|protected|internal)\b"), is_explicit=True
    ),
    complexity="""
    [(if_expression) (for_statement) (while_statement) (do_while_statement) (catch_block)
        (conjunction_expression) (disjunction_expression) (elvis_expression)] @branch
    (when_entry (when_condition)) @branch
    [(if_expression) (for_statement) (while_statement) (do_while_statement) (when_expression)
        (try_expression)] @nest
    (if_expression alternative: (control_structure_body . (if_expression) @flat .))
    (function_value_parameters) @parameters
    (function_value_parameters (parameter) @parameter)
    """,
    fragment_contexts=("PATTERN", "fun f() { PATTERN }", "class C { PATTERN }"),
    metavariable_forms=("name", "name: Name", "name -> name", "val name: Name;"),
    package_manifests=BUILD_FILES,
)
