"""Define TypeScript, without JSX."""

import re
from dataclasses import replace

from codeindex.languages import _ecmascript as es
from codeindex.languages import _ecmascript_modules as modules
from codeindex.languages import _ecmascript_relations as related
from codeindex.languages import javascript

_SUFFIXES = (".ts", ".mts", ".cts")
_SHAPE = """[
    (interface_body {0})
    (type_alias_declaration value: (object_type {0}))
    (type_alias_declaration value: (_ (object_type {0})))
    (type_alias_declaration value: (_ (_ (object_type {0}))))
    (type_alias_declaration value: (conditional_type (conditional_type
        (conditional_type (object_type {0})))))
]"""
"""Pattern of members of named types; members of object types in signatures are left out."""

_PLACE = """[
    (program {0})
    (export_statement declaration: {0})
    (ambient_declaration {0})
    (ambient_declaration (statement_block {0}))
    (internal_module body: (statement_block {0}))
    (module body: (statement_block {0}))
]"""

RELATIONS = (
    related.IMPORTS
    + related.SCOPES
    + related.TYPES
    + related.BINDINGS
    + related.EXPECTED
    + related.EXPRESSIONS
)

_GENERIC_ARROW = """
(type_assertion (type_arguments (type_identifier) @parameter @skip) (arrow_function) @scope)
"""
"""Pattern of the form in which the grammar parses `<T>(x: T) => x`."""

TYPE_EXPORTS = (r"(?<=\bexport )type(?=[ \t]+\*)",)
"""Match what the grammar does not know of `export type * from "./cart"`."""
_TYPES_OF_MODULES = (r"""(?<=\w)<(?:typeof )?import\((?:'[^'\n]*'|"[^"\n]*")\)(?:\.\w+)*>(?=\()""",)
"""Match type arguments with `import`, which the grammar does not know in a call:
`load<typeof import("./cart")>()`."""
_SIGNATURE_AHEAD = r"(?=[ \t]*<(?:\s*$|\s*\w+\s+extends\b|\w[\w ,=.|&\[\]]*>\())"
_REPAIRS = (
    (
        # a call signature after one that ends without a semicolon: the grammar reads type arguments
        rf"(?m)(?<=[\w>\])\n]\n)(?P<end>[ \t]){_SIGNATURE_AHEAD}",
    ),
    TYPE_EXPORTS,
    _TYPES_OF_MODULES,
)
"""Match valid syntax that the grammar rejects: see `Language.repairs`."""

_TYPE_TEST = re.compile(r"type \w+ = (?:\w+\.)*(?:[Aa]ssert|[Ee]xpect|[Ee]qual)\w*<")
"""Matches a type that exists only to be checked: `type _Test = AssertTrue<IsExact<A, B>>`."""

LANGUAGE = replace(
    javascript.LANGUAGE,
    name="typescript",
    nested_namespaces=True,
    repairs=_REPAIRS,
    suffixes=_SUFFIXES,
    shared_suffixes=(".tsx",),
    grammar="typescript",
    filenames=(),
    interpreters=("deno", "ts-node", "tsx"),
    symbols=f"""
    {es.NOTHING}
    {es.FUNCTIONS}
    (function_signature name: (_) @name) @symbol.function
    (class_declaration name: (_) @name) @symbol.class
    (abstract_class_declaration name: (_) @name) @symbol.class
    (interface_declaration name: (_) @name) @symbol.interface
    (type_alias_declaration name: (_) @name) @symbol.type
    (enum_declaration name: (_) @name) @symbol.enum
    (enum_body name: (_) @name @symbol.enum_member)
    (enum_assignment name: (_) @name) @symbol.enum_member
    (internal_module name: (_) @name) @symbol.namespace
    (module name: (_) @name) @symbol.module
    (public_field_definition name: (_) @name value: {es.FUNCTION}) @symbol.method
    (public_field_definition "static" "readonly" name: (_) @name) @symbol.constant
    (public_field_definition name: (_) @name) @symbol.field
    (required_parameter [(accessibility_modifier) "readonly"]
        pattern: (identifier) @name) @symbol.field
    (optional_parameter (accessibility_modifier) pattern: (identifier) @name) @symbol.field
    {es.MEMBERS}
    (class_body (method_signature name: (_) @name) @symbol.method)
    (abstract_method_signature ["get" "set"] name: (_) @name) @symbol.property
    (abstract_method_signature name: (_) @name) @symbol.method
    {_SHAPE.format('(method_signature ["get" "set"] name: (_) @name) @symbol.property')}
    {_SHAPE.format("(method_signature name: (_) @name) @symbol.method")}
    {_SHAPE.format("(property_signature name: (_) @name) @symbol.field")}
    {es.TESTS}
    {es.variables(_PLACE)}
    """,
    relations=_GENERIC_ARROW + RELATIONS + "(type_assertion (type_arguments (_) @of)) @instance",
    overload_heads=True,
    declaration_suffixes=(".d.ts", ".d.mts", ".d.cts"),
    visible_files=modules.visible_files,
    transparent=related.TRANSPARENT,
    leading=("comment", "decorator"),
    wrappers=("export_statement", "ambient_declaration"),
    tests=es.tests(*_SUFFIXES),
    excludes=(*es.EXCLUDES, "*.tsbuildinfo"),
    any_argument_count=False,
    used_unnamed=_TYPE_TEST,
    complexity=es.COMPLEXITY
    + """
    (formal_parameters [(required_parameter) (optional_parameter)] @parameter)
    (required_parameter pattern: (this)) @receiver
    """,
    fragment_contexts=(*es.FRAGMENT_CONTEXTS, "interface C { PATTERN }", "type T = PATTERN"),
)
