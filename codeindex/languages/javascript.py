"""Define JavaScript, including JSX."""

from codeindex.languages import _ecmascript as es
from codeindex.languages import _ecmascript_exports as exports
from codeindex.languages import _ecmascript_modules as modules
from codeindex.languages import _ecmascript_relations as related
from codeindex.languages._base import Language

_SUFFIXES = (".js", ".jsx", ".mjs", ".cjs")

LANGUAGE = Language(
    name="javascript",
    suffixes=_SUFFIXES,
    grammar="javascript",
    filenames=("Jakefile",),
    interpreters=("node", "nodejs", "bun"),
    symbols=f"""
    {es.NOTHING}
    {es.COMMON_JS}
    {es.FUNCTIONS}
    (class_declaration name: (_) @name) @symbol.class
    (field_definition property: (_) @name value: {es.FUNCTION}) @symbol.method
    (field_definition property: (_) @name) @symbol.field
    ((method_definition name: (_) @constructor
        body: (statement_block (expression_statement (assignment_expression
            left: (member_expression object: (this) property: (_) @name)) @symbol.field)))
        (#eq? @constructor "constructor"))
    {es.MEMBERS}
    {es.TESTS}
    {es.variables("[(program {0}) (export_statement declaration: {0})]")}
    """,
    relations=related.JSX
    + related.IMPORTS
    + related.SCOPES
    + related.UNTYPED
    + related.BINDINGS
    + related.EXPECTED
    + related.EXPRESSIONS,
    imports=related.imports,
    family=es.FAMILY,
    locate=modules.locate_ecmascript_module,
    manifests=modules.MANIFESTS,
    module_default=True,
    wrappers=("export_statement",),
    anonymous_classes=("class",),
    tests=es.tests(*_SUFFIXES),
    excludes=es.EXCLUDES,
    lock_files=es.LOCK_FILES,
    outputs=es.OUTPUTS,
    object_methods=True,
    is_used_where_defined=exports.is_class_expression,
    any_argument_count=True,
    protocol_members=es.PROTOCOL_MEMBERS,
    member_by_value=es.MEMBER_BY_VALUE,
    sigil="#",
    visibility=exports.VISIBILITY,
    complexity=es.COMPLEXITY
    + """
    (formal_parameters [(identifier) (assignment_pattern) (rest_pattern) (object_pattern)
        (array_pattern)] @parameter)
    """,
    fragment_contexts=es.FRAGMENT_CONTEXTS,
    metavariable_forms=es.METAVARIABLE_FORMS,
    package_manifests=("package.json",),
)
