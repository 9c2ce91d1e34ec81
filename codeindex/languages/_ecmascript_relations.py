"""Define parts of the relations queries of JavaScript and TypeScript."""

from collections.abc import Iterable

from codeindex.languages._base import ImportCaptures, ImportedName

_FUNCTION = "[(arrow_function) (function_expression) (generator_function)]"
_REQUIRE = """(call_expression function: (identifier) @statement
    arguments: (arguments . (string) @module))"""
_IS_REQUIRE = '(#eq? @statement "require")'
_DYNAMIC = """(await_expression (call_expression function: (import)
    arguments: (arguments . (string) @module)))"""
_LITERAL = """(object [
    (pair key: (property_identifier) @field value: (_) @value)
    (shorthand_property_identifier) @field @value
    (spread_element (_) @merged)
])"""
_EACH = """"every" "filter" "find" "findIndex" "findLast" "flatMap" "forEach" "map" "some" """

IMPORTS = f"""
(import_statement . "import" . source: (string) @module) @import
(import_statement (import_clause (identifier) @local @skip) source: (string) @module) @import
(import_statement (import_clause (namespace_import (identifier) @alias @skip))
    source: (string) @module) @import
(import_statement (import_clause (named_imports (import_specifier
    name: (_) @imported @skip alias: (_)? @alias @skip))) source: (string) @module) @import
(export_statement "*" @all . source: (string) @module) @import @exported
(export_statement (namespace_export (_) @alias @skip) source: (string) @module) @import @exported
(export_statement (export_clause (export_specifier
    name: (_) @imported @skip alias: (_)? @alias @skip)) source: (string) @module) @import @exported
(export_statement (export_clause (export_specifier
    name: (_) @imported @skip alias: (_) @alias @skip)) !source) @import @exported
(export_statement "default" @alias value: (identifier) @imported) @import @exported
(export_statement "default" @alias declaration: (_ name: (_) @imported)) @import @exported
(export_statement "default" @bind value: (_) @value)
(export_clause (export_specifier (_) @skip))

((variable_declarator name: (identifier) @local @named value: {_REQUIRE}) @import {_IS_REQUIRE})
((variable_declarator name: (object_pattern
    (shorthand_property_identifier_pattern) @imported @named) value: {_REQUIRE}) @import
    {_IS_REQUIRE})
((variable_declarator name: (object_pattern (pair_pattern
    key: (_) @imported value: (identifier) @alias @named)) value: {_REQUIRE}) @import
    {_IS_REQUIRE})
((variable_declarator name: (identifier) @alias @named value: (member_expression
    object: {_REQUIRE} property: (_) @imported)) @import {_IS_REQUIRE})
((assignment_expression left: (member_expression property: (property_identifier) @local)
    right: {_REQUIRE}) @import @exported {_IS_REQUIRE})
((expression_statement {_REQUIRE}) @import {_IS_REQUIRE})
((arguments {_REQUIRE}) @import {_IS_REQUIRE})
(variable_declarator name: (identifier) @alias @named value: {_DYNAMIC}) @import
(variable_declarator name: (object_pattern
    (shorthand_property_identifier_pattern) @imported @named) value: {_DYNAMIC}) @import
(call_expression function: (import) arguments: (arguments . (string) @module)) @import
((assignment_expression
    left: (member_expression object: (identifier) @_module property: (property_identifier) @bind)
    right: (_) @value) (#eq? @_module "module") (#eq? @bind "exports"))
"""

SCOPES = f"""
[(function_declaration name: (_) @skip) (generator_function_declaration name: (_) @skip)
    (function_expression name: (_) @skip) (generator_function name: (_) @skip)
    (class_declaration name: (_) @skip) (class name: (_) @skip)]
[(function_declaration) (generator_function_declaration) (method_definition)] @scope
[
    (arguments {_FUNCTION} @scope)
    (array {_FUNCTION} @scope)
    (arrow_function body: {_FUNCTION} @scope)
    (assignment_expression left: [(identifier) (subscript_expression)] right: {_FUNCTION} @scope)
    (assignment_pattern right: {_FUNCTION} @scope)
    (binary_expression {_FUNCTION} @scope)
    (pair key: (computed_property_name) value: {_FUNCTION} @scope)
    (parenthesized_expression {_FUNCTION} @scope)
    (return_statement {_FUNCTION} @scope)
    (ternary_expression {_FUNCTION} @scope)
]
[(statement_block) (for_statement) (for_in_statement) (catch_clause) (switch_body)] @block
"""

BINDINGS = f"""
(if_statement condition: (parenthesized_expression (binary_expression
    left: (identifier) @checked operator: "instanceof"
    right: [(identifier) (member_expression)] @type))
    consequence: (statement_block) @in)
(variable_declarator name: (identifier) @named value: [
    (arrow_function) (function_expression) (generator_function) (class)])
(variable_declarator name: (identifier) @bind value: [(null) (undefined)])
(variable_declarator name: (identifier) @bind value: (_) @value)
(variable_declarator name: (identifier) @bind)
(variable_declarator name: (object_pattern [
    (shorthand_property_identifier_pattern) @bind @part
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @bind @part)
    (pair_pattern key: (property_identifier) @part value: (identifier) @bind)
]) value: (_) @value)
(object_pattern [
    (shorthand_property_identifier_pattern) @bind @part
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @bind @part)
    (pair_pattern key: (property_identifier) @part
        value: [(identifier) @bind (assignment_pattern left: (identifier) @bind)])
]) @within
(for_in_statement kind: _ left: (identifier) @bind "of" right: (_) @each)
(for_in_statement kind: _ left: (identifier) @bind)
(catch_clause parameter: (identifier) @bind)
((call_expression
    function: (member_expression object: (_) @each property: (property_identifier) @_method)
    arguments: (arguments . (arrow_function parameter: (identifier) @bind)))
    (#any-of? @_method {_EACH}))
(arrow_function parameter: (identifier) @bind @positional) @expected
(shorthand_property_identifier_pattern) @bind
(array_pattern (identifier) @bind)
(rest_pattern (identifier) @bind)
(pair_pattern value: (identifier) @bind)
(assignment_pattern left: (identifier) @bind)
(assignment_expression left: (identifier) @set right: (_) @value)
(assignment_expression left: (member_expression
    object: (_) @owner property: [(property_identifier) (private_property_identifier)] @attribute)
    right: (_) @value)
(variable_declarator value: {_LITERAL})
(return_statement {_LITERAL})
(arrow_function body: (parenthesized_expression {_LITERAL}))
(export_statement value: {_LITERAL})
(assignment_expression right: {_LITERAL})

(return_statement (_) @returned)
(arrow_function body: (_) @returned)
(yield_expression (_) @yielded)
"""

_PASSED = "[(arrow_function) (function_expression) (object) (array)]"
_CALLBACK = (
    """((call_expression
    function: (member_expression object: (_) @each property: (property_identifier) @_method)
    arguments: (arguments . (arrow_function parameters: (formal_parameters . {0}))))
    (#any-of? @_method """
    f"{_EACH}))"
)
EXPECTED = f"""
(call_expression function: (_) @callee arguments: (arguments {_PASSED} @passed))
(new_expression constructor: (_) @callee arguments: (arguments {_PASSED} @passed))
(object (pair key: (property_identifier) @part value: {_PASSED} @passed)) @whole
(object (method_definition name: (property_identifier) @part) @passed) @whole
(array {_PASSED} @passed) @list
(assignment_expression left: [(identifier) (member_expression)] @value right: {_PASSED} @passed)
(variable_declarator name: (object_pattern) @passed value: (_) @value)
(for_in_statement left: (object_pattern) @passed "of" right: (_) @each)
(object_pattern (pair_pattern key: (property_identifier) @part value: [
    (object_pattern) @passed
    (assignment_pattern left: (object_pattern) @passed)
])) @whole
(object [
    (pair key: (property_identifier) @key)
    (shorthand_property_identifier) @key
]) @of
(object_pattern [
    (shorthand_property_identifier_pattern) @key
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @key)
    (pair_pattern key: (property_identifier) @key)
]) @of
"""
"""Patterns of functions, objects and patterns of objects whose place tells their types, and of the
keys in these."""

EXPRESSIONS = f"""
(this) @this
(super) @super
(object) @object
[{_FUNCTION} (class)] @defined
((member_expression object: (_) @of property: (property_identifier) @_prototype) @made
    (#eq? @_prototype "prototype"))
(member_expression object: (_) @of
    property: [(property_identifier) (private_property_identifier)] @attribute) @member
(subscript_expression object: (_) @of index: (string (string_fragment) @attribute)) @member
(subscript_expression object: (_) @of) @item
; Service containers of Angular and NestJS return an instance of the class that they are given
((call_expression
    function: [(identifier) @_resolve (member_expression property: (property_identifier) @_resolve)]
    arguments: (arguments . (identifier) @of)) @instance (#eq? @_resolve "inject"))
((call_expression function: (member_expression
        object: [(identifier) @_container (member_expression property: (_) @_container)]
        property: (property_identifier) @_resolve)
    arguments: (arguments . (identifier) @of)) @instance (#eq? @_resolve "get")
    (#any-of? @_container "TestBed" "app" "container" "injector" "module" "moduleRef"))
(call_expression function: (_) @of) @call
(new_expression constructor: (_) @of) @made
(new_expression constructor: (_) @of) @call
(await_expression (_) @of) @same
(parenthesized_expression (_) @of) @same
(assignment_expression right: (_) @of) @same
(ternary_expression consequence: (_) @of alternative: (_) @of) @either
(binary_expression left: (_) @of ["||" "??"] right: (_) @of) @either
(binary_expression "&&" right: (_) @of) @same
(array . (_) @of) @holding
(shorthand_property_identifier) @name
(identifier) @name
"""

JSX = """
((jsx_opening_element name: (identifier) @skip) (#match? @skip "^[a-z]"))
((jsx_self_closing_element name: (identifier) @skip) (#match? @skip "^[a-z]"))
(jsx_closing_element name: (_) @skip)
(jsx_opening_element name: (_) @of) @call
(jsx_self_closing_element name: (_) @of) @call
(jsx_expression [(arrow_function) (function_expression)] @scope)
(jsx_opening_element name: (_) @callee @passed)
(jsx_self_closing_element name: (_) @callee @passed)
([(jsx_opening_element name: (_) @of attribute: (jsx_attribute . (property_identifier) @key))
    (jsx_self_closing_element name: (_) @of
        attribute: (jsx_attribute . (property_identifier) @key))])
([(jsx_opening_element name: (_) @whole attribute: (jsx_attribute . (property_identifier) @part
        (jsx_expression @PASSED @passed)))
    (jsx_self_closing_element name: (_) @whole attribute: (jsx_attribute
        . (property_identifier) @part (jsx_expression @PASSED @passed)))])
""".replace("@PASSED", _PASSED)
"""Patterns of JSX. The name of an element stands for the first parameter of the function that it
calls."""

_PARTS = """(object_pattern [
    (shorthand_property_identifier_pattern) @bind @part
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @bind @part)
    (pair_pattern key: (property_identifier) @part value: (identifier) @bind)
])"""
_FUNCTIONS_WITH_PARAMETERS = """[
    (arrow_function parameters: (formal_parameters {0} @positional))
    (function_expression parameters: (formal_parameters {0} @positional))
    (method_definition parameters: (formal_parameters {0} @positional))
]"""

_IN_PLACE = """[
    (arguments {0}) (array {0}) (arrow_function body: {0}) (parenthesized_expression {0})
    (return_statement {0}) (ternary_expression {0})
]"""
"""Places of classes that are no value of a name."""
_BASELESS = _IN_PLACE.format("(class body: (class_body) @scope @baseless) @created")
_DERIVED = "(class (class_heritage {0}) body: (class_body) @scope @nameless) @created"

UNTYPED = f"""
{_IN_PLACE.format(_DERIVED.format("(_) @type"))}
{_BASELESS}
(class_heritage (_) @base)
(field_definition property: (_) @field value: (_) @value)
{_CALLBACK.format("(identifier) @bind")}
(formal_parameters (assignment_pattern left: (identifier) @bind right: (_) @value))
({_FUNCTIONS_WITH_PARAMETERS.format("(identifier) @bind")}) @expected
({_FUNCTIONS_WITH_PARAMETERS.format(_PARTS)}) @expected
{_CALLBACK.format("(object_pattern) @passed")}
({_FUNCTIONS_WITH_PARAMETERS.format("(object_pattern) @passed")}) @expected
(formal_parameters (identifier) @bind)
"""

_TYPED = "type: (type_annotation (_) @type)"
_PARAMETER = "[(required_parameter {0}) (optional_parameter {0})]"
_HEIRS = "[(type_identifier) @base (nested_type_identifier) @base (generic_type name: (_) @base)]"

_IMPLEMENTED = "[(type_identifier) @extended (generic_type name: (type_identifier) @extended)]"
_ACTING = "(object [(method_definition) (pair value: [(arrow_function) (function_expression)])])"
"""An object literal with functions; a literal that only holds values implements no interface."""

TYPES = f"""
{_IN_PLACE.format(_DERIVED.format("(extends_clause value: (_) @type)"))}
{_BASELESS}
(import_statement (import_require_clause (identifier) @local @skip "require" @statement
    source: (string) @module)) @import
(export_statement "=" @statement (identifier) @imported) @import @exported
(import_alias (identifier) @bind (_) @value)

[(function_signature) (method_signature) (abstract_method_signature) (call_signature)
    (construct_signature) (function_type) (constructor_type) (index_signature)] @scope
(type_parameter name: (_) @parameter @skip constraint: (constraint (_) @type))
(type_parameter name: (_) @parameter @skip)
(mapped_type_clause name: (_) @parameter @skip)
(infer_type (type_identifier) @parameter @skip)
(index_signature name: (identifier) @skip)
[(interface_declaration name: (_) @skip) (enum_declaration name: (_) @skip)
    (function_signature name: (_) @skip) (abstract_class_declaration name: (_) @skip)
    (internal_module name: (_) @skip) (internal_module name: (_ (identifier) @skip))
    (module name: (_) @skip)]

{_PARAMETER.format(f"pattern: (identifier) @bind {_TYPED}")}
{_PARAMETER.format("pattern: (identifier) @bind value: (_) @value")}
{_PARAMETER.format(f"pattern: (rest_pattern (identifier) @bind) {_TYPED}")}
{_PARAMETER.format(f'''pattern: {_PARTS} {_TYPED}''')}
{_CALLBACK.format("(required_parameter pattern: (identifier) @bind)")}
({_FUNCTIONS_WITH_PARAMETERS.format("(required_parameter pattern: (identifier) @bind)")}) @expected
({_FUNCTIONS_WITH_PARAMETERS.format(f"(required_parameter pattern: {_PARTS})")}) @expected
(formal_parameters . (required_parameter pattern: (this)) @receiver)
(formal_parameters {_PARAMETER.format(_TYPED)} @positional)
(function_type parameters: (_) @argument return_type: (_) @of) @signature
(call_signature return_type: (type_annotation (_) @result)) @callable
(assignment_expression "using" left: (identifier) @bind right: (_) @value)
(variable_declarator {_TYPED} value: {_PASSED} @passed)
(variable_declarator name: (object_pattern) @passed {_TYPED})
(public_field_definition {_TYPED} value: {_PASSED} @passed)
{_PARAMETER.format(f"pattern: (object_pattern) @passed {_TYPED}")}
{_CALLBACK.format("(required_parameter pattern: (object_pattern) @passed)")}
({_FUNCTIONS_WITH_PARAMETERS.format("(required_parameter pattern: (object_pattern) @passed)")})
    @expected
(as_expression . [(object) (array)] @passed (_) @type .)
(satisfies_expression . {_PASSED} @passed (_) @type .)
(arrow_function return_type: (type_annotation (_) @type)
    body: [(array) @passed (parenthesized_expression (object) @passed)])
(_ return_type: (type_annotation (_) @type)
    body: (statement_block (return_statement [(object) (array)] @passed)))
{_PARAMETER.format("pattern: (identifier) @bind")}
{_PARAMETER.format(f"(accessibility_modifier) pattern: (identifier) @field {_TYPED}")}
(required_parameter "readonly" pattern: (identifier) @field {_TYPED})
(variable_declarator name: (identifier) @bind {_TYPED})
(public_field_definition name: (_) @field {_TYPED})
(public_field_definition name: (_) @field value: (_) @value)
(property_signature name: (_) @field {_TYPED})
(type_alias_declaration name: (_) @field @skip value: (_) @value)

[(function_declaration return_type: (type_annotation (_) @result))
    (generator_function_declaration return_type: (type_annotation (_) @result))
    (function_signature return_type: (type_annotation (_) @result))
    (function_expression return_type: (type_annotation (_) @result))
    (arrow_function return_type: (type_annotation (_) @result))
    (method_definition return_type: (type_annotation (_) @result))
    (method_signature return_type: (type_annotation (_) @result))
    (abstract_method_signature return_type: (type_annotation (_) @result))]
(variable_declarator type: (type_annotation {_IMPLEMENTED}) value: {_ACTING})
(variable_declarator value: (satisfies_expression {_ACTING} {_IMPLEMENTED}))
(extends_clause value: (_) @base)
(implements_clause {_HEIRS})
(extends_type_clause type: {_HEIRS})

(this_type) @this
(object_type . (index_signature type: (type_annotation (_) @of)) .) @mapped
((generic_type name: (type_identifier) @_mapped
    type_arguments: (type_arguments (_) (_) @of)) @mapped (#eq? @_mapped "Record"))
(object_type) @object
(nested_type_identifier module: (_) @of name: (_) @attribute) @member
(nested_identifier object: (_) @of property: (_) @attribute) @member
(lookup_type . (_) @of (literal_type (string (string_fragment) @attribute))) @member
((generic_type name: (type_identifier) @_first type_arguments: (type_arguments . (_) @of)) @same
    (#any-of? @_first "Exclude" "Extract" "InstanceType" "Omit" "Pick"))
((generic_type name: (type_identifier) @_called
    type_arguments: (type_arguments (type_query (_) @of))) @call
    (#eq? @_called "ReturnType"))
(generic_type name: (_) @of type_arguments: (type_arguments (_) @argument .)) @generic
(generic_type name: (_) @of) @same
(new_expression constructor: (_) @of
    type_arguments: (type_arguments (_) @argument .)) @generic
(array_type (_) @argument) @generic
(as_expression . (_) (_) @of .) @instance
(as_expression . (_) @of) @same
(satisfies_expression . (_) @of) @same
(non_null_expression (_) @of) @same
(readonly_type (_) @of) @same
(parenthesized_type (_) @of) @same
(type_query (_) @of) @same
(union_type . (_) @of (_)? @of) @either
(conditional_type consequence: (_) @of alternative: (_) @of) @either
(intersection_type . (_) @of (_) @of) @either
(type_identifier) @name
"""

TRANSPARENT = (
    *("Awaited", "NonNullable", "Partial", "Promise", "PromiseLike", "Readonly", "Required"),
)
"""Types of the standard library that are treated as their type argument."""


def imports(captured: ImportCaptures) -> Iterable[ImportedName]:
    """Yield (module, imported name, local name) of a captured import or `require`.

    The capture `local` is the name of a default import or of the result of `require`; such an
    import has the imported name `default` or `exports`. An import of the module itself has '' as
    imported name. `export =` has '' as module.
    """
    module, name = captured.get("module", ""), captured.get("imported", "")
    if captured.get("statement") == "=":
        yield ImportedName("", name, "exports")
    elif name:
        yield ImportedName(module, name, captured.get("alias", name))
    elif "local" in captured:
        yield ImportedName(
            module, "exports" if "statement" in captured else "default", captured["local"]
        )
    else:
        yield ImportedName(module, "", captured.get("alias", ""))
