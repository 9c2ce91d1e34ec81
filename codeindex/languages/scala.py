"""Define Scala 2 and 3. Parameters of a case class are its fields."""

import re
from collections.abc import Iterable

from codeindex.languages._base import ImportCaptures, ImportedName, Language, Visibility
from codeindex.languages._overload_types import SCALA_TYPES
from codeindex.languages._packages import (
    BUILD_FILES,
    DEFAULT_PACKAGE,
    FAMILY,
    RUNTIME_MEMBERS,
    locate_package,
)

_IMPORTED = re.compile(r"([\w.]+)\.(?:\{([^}]*)\}|([\w*]+))")
_RENAMED = re.compile(r"\s*(?:=>|\bas\b)\s*")
_BASE = "[(type_identifier) @mixin (generic_type . (type_identifier) @mixin)]"

_RELATIONS = f"""
(package_clause name: (_) @module @skip !body) @import @package
(package_clause name: (_) @module @skip body: (_)) @import @all
(import_declaration) @import @statement
(import_declaration (identifier) @skip)
(import_declaration (namespace_selectors (identifier) @skip))
(arrow_renamed_identifier (identifier) @skip)
(package_identifier (identifier) @skip)
(class_definition name: (identifier) @skip)
(object_definition name: (identifier) @skip)
(trait_definition name: (identifier) @skip)
(enum_definition name: (identifier) @skip)
(function_definition name: (identifier) @skip)
(function_declaration name: (identifier) @skip)
(field_expression field: (identifier) @skip)
(infix_expression operator: (identifier) @skip)
(access_qualifier (identifier) @skip)
(arguments (assignment_expression left: (identifier) @skip))

(lambda_expression) @scope
[(block) (case_clause) (for_expression)] @block
(instance_expression . (_) @type (template_body) @scope @nameless) @created
(instance_expression . (template_body) @scope @baseless) @created

(type_parameters name: (identifier) @parameter @skip)
(class_parameter name: (identifier) @bind type: (_) @type)
(parameter name: (identifier) @bind type: (_) @type)
(bindings (binding name: (identifier) @bind type: (_) @type))
(bindings (binding name: (identifier) @bind))
(lambda_expression parameters: (identifier) @bind)
(val_definition pattern: (identifier) @bind type: (_) @type)
(val_definition pattern: (identifier) @bind value: (_) @value)
(var_definition pattern: (identifier) @bind type: (_) @type)
(var_definition pattern: (identifier) @bind value: (_) @value)
(val_declaration name: (identifier) @bind type: (_) @type)
(enumerator . (identifier) @bind . (_) @each)
(typed_pattern pattern: (identifier) @bind type: (_) @type)
(case_class_pattern pattern: (identifier) @bind)
(case_clause pattern: (identifier) @bind)
(tuple_pattern (identifier) @bind)

(function_definition return_type: (_) @result)
(function_declaration return_type: (_) @result)
(class_definition extend: (extends_clause {_BASE}))
(object_definition extend: (extends_clause {_BASE}))
(trait_definition extend: (extends_clause {_BASE}))
(enum_definition extend: (extends_clause {_BASE}))

((identifier) @this (#eq? @this "this"))
((identifier) @super (#eq? @super "super"))
(field_expression value: (_) @of field: (identifier) @attribute) @member
(call_expression function: (generic_function function: (_) @of) @applied
    arguments: (arguments) @arguments) @call
(call_expression function: (_) @of arguments: (arguments) @arguments) @call
(call_expression function: (generic_function function: (_) @of) @applied
    arguments: (_) @given) @call
(call_expression function: (_) @of arguments: (_) @given) @call
[(integer_literal) (floating_point_literal) (character_literal) (string) (boolean_literal)
    (null_literal) (interpolated_string_expression)] @literal
[(lambda_expression) (wildcard) (case_block)] @closure
(block . (lambda_expression) @of .) @same
(instance_expression . (_) @of) @instance
(instance_expression . (type_identifier) @of) @call
(generic_function function: (_) @of) @same
(generic_type type: (_) @of type_arguments: (type_arguments (_) @argument .)) @generic
(parenthesized_expression (_) @of) @same
[(identifier) (type_identifier)] @name
"""


def _imports(captured: ImportCaptures) -> Iterable[ImportedName]:
    """Yield (module, imported name, local name) for each imported name.

    A package clause imports all names of its package.
    """
    if "module" in captured:
        yield ImportedName(f"{captured['module']}.*", captured["imported"], "*")
    for module, several, single in _IMPORTED.findall(captured.get("statement", "")):
        for selector in (several or single).split(","):
            name, *alias = _RENAMED.split(selector.strip())
            if name in {"_", "*", "given"}:
                yield ImportedName(f"{module}.*", "*", "*")
            elif name and alias[-1:] != ["_"]:
                yield ImportedName(f"{module}.{name}", "", alias[-1] if alias else name)


_REPAIRS = (
    (
        # class Cart @Inject() (items: Items)(implicit clock: Clock)
        r"(?<=[\w\]])[ \t]+@\w+\(\)(?=[ \t]*\()",
        # { implicit request: Request[Any] => becomes { (request: Request[Any])=>
        r"(?<=\{)(?P<open> )(?:implicit )?(?P<kept>[ \t]*\w+[ \t]*:[^\n={}()]+?)(?P<close> )(?==>)",
    ),
)
"""Match valid syntax that the grammar rejects: see `Language.repairs`."""

LANGUAGE = Language(
    name="scala",
    suffixes=(".scala", ".sc", ".sbt", ".mill"),
    grammar="scala",
    repairs=_REPAIRS,
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
    anonymous_classes=("instance_expression",),
    relations=_RELATIONS,
    imports=_imports,
    family=FAMILY,
    locate=locate_package,
    implicit_receiver=True,
    overloads=True,
    bare_members=True,
    type_nodes=frozenset({"type_identifier"}),
    inherited_overloads="all",
    repeated_parameter=re.compile(r":[^=]*\*\s*(?:=|$)"),
    type_rules=SCALA_TYPES,
    declares_package=True,
    default_package=DEFAULT_PACKAGE,
    leading=("comment", "block_comment"),
    tests=(
        "src/test/**",
        "src/it/**",
        "test/**/*.scala",
        "*Spec.scala",
        "*Test.scala",
        "*Suite.scala",
    ),
    excludes=(".bloop/", ".metals/", ".bsp/", "project/project/"),
    outputs=(("target", ("build.sbt", "build.mill", "build.sc", "build.properties", "src")),),
    passive_decorators=frozenset({"deprecated", "inline", "nowarn", "tailrec", "unchecked"}),
    visibility=Visibility(
        private=re.compile(r"\b(?:private|protected)\b"),
        is_explicit=True,
        shared_type=re.compile(r"^\s*trait\s", re.MULTILINE),
    ),
    protocol_members=RUNTIME_MEMBERS,
    implicit_method=re.compile(r"[^(]*\b(?:implicit|given)\b"),
    used_unnamed=re.compile(r"\b(?:implicit|given|extension)\b"),
    complexity="""
    [(if_expression) (while_expression) (do_while_expression) (for_expression) (guard)
        (case_clause)] @branch
    (case_clause pattern: (wildcard)) @default
    ((infix_expression operator: (operator_identifier) @_operator) @branch
        (#any-of? @_operator "&&" "||"))
    [(if_expression) (while_expression) (do_while_expression) (for_expression) (match_expression)
        (try_expression)] @nest
    (if_expression alternative: (if_expression) @flat)
    (function_definition) @parameters
    (function_definition (parameters (parameter) @parameter))
    """,
    fragment_contexts=("PATTERN", "object C { PATTERN }", "object C { def f = { PATTERN } }"),
    metavariable_forms=("name", "name: Name", "case name => name"),
    package_manifests=BUILD_FILES,
)
