"""Define Dart. Its grammar has a signature and its body as siblings; `@extent` joins them."""

import posixpath
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from codeindex.languages._base import ImportCaptures, ImportedName, Language, Visibility
from codeindex.languages.source_tree import ModuleLocation, SourceTree, join_path

_DOT = """[(unconditional_assignable_selector (identifier) {0})
    (conditional_assignable_selector (identifier) {0})]"""
_HEAD = "[(identifier) (this) (super) (selector) (parenthesized_expression)]"
_CASCADED = "[(identifier) (this) (selector) (parenthesized_expression) (cascade_section)]"

_RELATIONS = f"""
(library_import (import_specification (configurable_uri) @module . (identifier) @alias)) @import
(library_import (import_specification (configurable_uri) @module .)) @import
(library_import (import_specification (configurable_uri) @module . (combinator))) @import
(library_export (configurable_uri) @module) @import @exported
(part_directive (uri) @module) @import @exported
(part_of_directive (uri) @module) @import
(import_specification (identifier) @skip)
(combinator (identifier) @skip)
(class_definition name: (identifier) @skip)
(mixin_declaration (identifier) @skip)
(extension_declaration name: (identifier) @skip)
(enum_declaration name: (identifier) @skip)
(constructor_signature (identifier) @skip)
(constant_constructor_signature (identifier) @skip)
(factory_constructor_signature (identifier) @skip)
(function_signature name: (identifier) @skip)
(getter_signature name: (_) @skip)
(setter_signature name: (_) @skip)
(label (identifier) @skip)
(constructor_param (identifier) @skip)
(super_formal_parameter (identifier) @skip)
(field_initializer . (identifier) @skip)

(function_expression) @scope
(block) @block

(type_parameter . (type_identifier) @parameter @skip (type_bound (type_identifier) @type))
(type_parameter . (type_identifier) @parameter @skip)
(enum_constant name: (identifier) @self)
(declaration (type_identifier) @type
    (initialized_identifier_list (initialized_identifier . (identifier) @bind)))
(declaration (initialized_identifier_list
    (initialized_identifier . (identifier) @bind (_) @value .)))
(initialized_identifier . (identifier) @bind)
(static_final_declaration . (identifier) @bind (_) @value .)
(initialized_variable_definition (type_identifier) @type name: (identifier) @bind)
(initialized_variable_definition name: (identifier) @bind (_) @value .)
(initialized_variable_definition name: (identifier) @bind)
(formal_parameter (type_identifier) @type name: (identifier) @bind)
(formal_parameter name: (identifier) @bind)
(formal_parameter . (identifier) @bind .)
(for_loop_parts (type_identifier) @type name: (identifier) @bind)
(for_loop_parts name: (identifier) @bind value: (_) @each)
([(pattern_variable_declaration (record_pattern (constant_pattern (identifier) @bind)))
    (for_loop_parts (record_pattern (constant_pattern (identifier) @bind)))])
(variable_pattern (identifier) @bind)
(catch_parameters (identifier) @bind)

(function_signature . (type_identifier) @result)
((function_signature . (type_identifier) @_future . (type_arguments (type_identifier) @result))
    (#any-of? @_future "Future" "FutureOr"))
(getter_signature . (type_identifier) @type name: (identifier) @field)
(superclass . (type_identifier) @base)
(mixin_application . (type_identifier) @base)
(mixin_declaration (type_identifier) @base)
(mixins (type_identifier) @mixin)
(interfaces (type_identifier) @base)

(selector {_DOT.format("@of")}) @same
(selector (argument_part) @of) @same
(_ {_HEAD} @of . (selector {_DOT.format("@member @attribute")}))
(_ (super) @of . (unconditional_assignable_selector (identifier) @member @attribute))
(symbol_literal (identifier) @member @attribute) @of
(_ (identifier) @of . (selector (argument_part) @call))
(_ (selector {_DOT.format("@of")}) . (selector (argument_part) @call))
(_ (unconditional_assignable_selector (identifier) @of) . (selector (argument_part) @call))
(_ (symbol_literal (identifier) @of) . (selector (argument_part) @call))
; Sections of a cascade follow their receiver, and each is the receiver of the next one
(_ {_CASCADED} @of . (cascade_section (cascade_selector (identifier) @member @attribute)))
(_ {_CASCADED} @of . (cascade_section) @same)
(cascade_selector (identifier) @skip)
(cascade_section (cascade_selector (identifier) @of) . (argument_part) @call)
(cascade_section [(cascade_selector (identifier) @of) (argument_part) @of {_DOT.format("@of")}
    (_ (index_selector)) @of] . {_DOT.format("@member @attribute")})
(cascade_section {_DOT.format("@of")} . (argument_part) @call)
(type_cast_expression (type_cast (type_identifier) @of)) @instance
(new_expression (type_identifier) @of) @instance
(const_object_expression (type_identifier) @of) @instance
(unary_expression (await_expression) @of) @same
(await_expression (_) @of .) @same
(parenthesized_expression (_) @of .) @same
(this) @this
(super) @super
[(identifier) (type_identifier)] @name
"""


def _imports(captured: ImportCaptures) -> Iterable[ImportedName]:
    """Yield (library, imported name, local name) of an import: all names of the library.

    If the import has a prefix (`as p`), only the prefix is bound.
    """
    alias = captured.get("alias", "")
    yield ImportedName(captured["module"], "" if alias else "*", alias or "*")


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

_NAME = re.compile(r"^name:\s*['\"]?(\w+)", re.MULTILINE)


def _locate(tree: SourceTree, path: str, module: str) -> ModuleLocation | None:
    """Return the file of a relative path or of a `package:` URI; None if it is not indexed."""
    scheme, colon, rest = module.partition(":")
    if not colon:
        file = posixpath.normpath(join_path(path.rpartition("/")[0], module))
    else:
        package, _, inside = rest.partition("/")
        folder = _packages(tree).get(package) if scheme == "package" else None
        file = "" if folder is None else join_path(folder, f"lib/{inside}")
    return ModuleLocation((file,)) if file in tree.files else None


@lru_cache(maxsize=4)
def _packages(tree: SourceTree) -> Mapping[str, str]:
    """Return {package name: folder of its `pubspec.yaml`}."""
    packages = {}
    for path in sorted(tree.files, reverse=True):
        if path.rpartition("/")[2] == "pubspec.yaml":
            named = _NAME.search(tree.text(path))
            if named:
                packages[named[1]] = path.rpartition("/")[0]
    return packages


_PATTERN_TYPE = r"(?<![\w$])(?:\w+\.)?[_$]*[A-Z][\w$]*(?:<[^()\n]*>)?"
"""Matches the type of an object pattern: `Circle`, `shapes.Circle`, `Box<int>`."""
_BEFORE_VALUE = r"[=(,:\[{|&]\s*|[>?]\s+|\b(?:return|case)\s+"
_REPAIRS = (
    (
        # color = .red, const .zero() become the symbols #red, #zero()
        rf"(?P<kept>{_BEFORE_VALUE})(?:const\s+)?(?P<symbol>\.)(?=[A-Za-z_])",
        # [?perhaps, ...?more], {'key': ?value}, the value also in the next line
        r"(?P<kept>[\[({,.:]\s*)\?(?=\w)",
    ),
    (
        # case Circle(): and case null || Circle(): become case Circle _:
        rf"(?P<kept>(?:(?:\bcase|\|\||&&)\s+{_PATTERN_TYPE}|\bcase\s+\w+))\((?P<wildcard>\))",
        # Circle() => area, Circle() when round => area, Circle() || Square() => area
        rf"(?P<kept>{_PATTERN_TYPE})\((?P<wildcard>\))(?=\s*(?:=>|when\b|\|\||&&))",
    ),
    (
        # library; without a name
        r"(?m)^library[ \t]*;",
        # abstract int width;
        r"(?m)^[ \t]+abstract(?=[ \t]+\w)",
    ),
)
"""Match valid expressions that the grammar rejects: see `Language.repairs`."""

LANGUAGE = Language(
    name="dart",
    suffixes=(".dart",),
    grammar="dart",
    repairs=_REPAIRS,
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
    relations=_RELATIONS,
    imports=_imports,
    manifests=("pubspec.yaml",),
    locate=_locate,
    implicit_receiver=True,
    mixin_constraints=True,
    leading=("annotation", "comment", "documentation_comment"),
    tests=("*_test.dart", "**/integration_test/**/*.dart", "**/test/**/*.dart"),
    excludes=(".dart_tool/", "*.freezed.dart", "*.g.dart", "*.mocks.dart"),
    result_first=True,
    passive_decorators=frozenset({"deprecated", "override"}),
    visibility=Visibility(is_explicit=True),
    complexity="""
    [(if_statement) (if_element) (for_statement) (for_element) (while_statement) (do_statement)
        (switch_statement_case) (switch_expression_case) (catch_clause) (conditional_expression)
        (if_null_expression) (logical_and_operator) (logical_or_operator)] @branch
    [(if_statement) (for_statement) (while_statement) (do_statement) (switch_statement)
        (switch_expression) (try_statement)] @nest
    (if_statement alternative: (if_statement) @flat)
    (formal_parameter_list) @parameters
    (formal_parameter) @parameter
    """,
    fragment_contexts=(
        "PATTERN",
        "var x = PATTERN;",
        "class C { PATTERN }",
        "f() async { PATTERN }",
        "f() async { PATTERN; }",
    ),
    metavariable_forms=("name", "Name name", "name;", "var name;"),
)
