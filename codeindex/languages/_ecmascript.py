"""Define the symbols and complexity queries that JavaScript and TypeScript share."""

import re

FUNCTION = """[
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
]"""
_UNNAMED = """[
    (arrow_function body: (_) @body)
    (function_expression !name body: (_) @body)
    (generator_function !name body: (_) @body)
]"""
_NAMED = """[
    (function_expression name: (_) @name)
    (generator_function name: (_) @name)
    (class name: (_) @name)
]"""
_CLASS = "(class body: (_) @body)"
_WRAPPED = f"(call_expression function: (_) @wrapper arguments: (arguments . {FUNCTION}))"
_IS_WRAPPER = (
    r"""(#match? @wrapper "^(\\w+\\.)?(memo|forwardRef|observer|useCallback|debounce|throttle)$")"""
)
_REQUIRED = """[
    (call_expression function: (identifier) @callee)
    (call_expression function: (call_expression function: (identifier) @callee))
    (member_expression object: (call_expression function: (identifier) @callee))
]"""
_LITERAL = "[(object) (array) (string) (number) (regex) (new_expression) (call_expression)]"
_EXPORTS = "left: (member_expression object: (_) @exports property: (property_identifier) @name)"
_IS_EXPORTS = '(#any-of? @exports "exports" "module.exports")'
_DESTRUCTURED = """[
    (shorthand_property_identifier_pattern) @name
    (pair_pattern value: (identifier) @name)
]"""
_OWNED = """left: (member_expression
    object: [(identifier) (member_expression)] @scope
    property: (property_identifier) @name)"""
_PROTOTYPE = """left: (member_expression object: (identifier) @scope
    property: (property_identifier) @prototype)"""


def _declared(kind: str, value: str) -> str:
    """Return query patterns for a declaration of exactly one variable.

    `kind` is the kind of the symbol; `value` is the pattern of the variable's value.
    """
    declarator = f"(variable_declarator name: (identifier) @name value: {value})"
    return f"""[
        (lexical_declaration . {declarator} .) @symbol.{kind}
        (variable_declaration . {declarator} .) @symbol.{kind}
    ]"""


def variables(place: str) -> str:
    """Return query patterns for the variables and constants in a place, like a module.

    `place` is the pattern of the node around them, with `{0}` where they are.
    """
    name = "(variable_declarator name: (identifier) @name)"
    kinds = (
        ('lexical_declaration "const"', "constant"),
        ("lexical_declaration", "variable"),
        ("variable_declaration", "variable"),
    )
    return "\n".join(
        place.format(f"({node} . {name} .) @symbol.{kind}")
        + place.format(f"({node} {name} @symbol.{kind})")
        for node, kind in kinds
    )


NOTHING = f"""
    (variable_declarator value: {_NAMED})
    (assignment_expression left: (member_expression property: (_) @property) right: {_NAMED}
        (#not-eq? @property "exports"))
    (pair value: {_NAMED})
    ((variable_declarator value: (call_expression function: (_) @wrapper
        arguments: (arguments . {_NAMED}))) {_IS_WRAPPER})
"""
"""Patterns of function expressions whose name only repeats the name of the variable."""

COMMON_JS = f"""
    ((variable_declarator name: (identifier) @name value: {_REQUIRED}) (#eq? @callee "require"))
    ((assignment_expression {_EXPORTS} right: {_REQUIRED}) (#eq? @callee "require"))

    ((assignment_expression {_EXPORTS} right: {FUNCTION}) @symbol.function {_IS_EXPORTS})
    ((assignment_expression {_EXPORTS} right: {_CLASS}) @symbol.class {_IS_EXPORTS})
    ((assignment_expression {_EXPORTS} right: {_LITERAL}) @symbol.variable {_IS_EXPORTS})
    ((assignment_expression left: (member_expression property: (_) @name)
        right: {_UNNAMED}) @symbol.function
        (#eq? @name "exports"))
    ((assignment_expression
        left: (member_expression object: (identifier) @module property: (_) @name)
        right: (object [(method_definition) (pair value: {FUNCTION})])) @symbol.variable
        (#eq? @module "module") (#eq? @name "exports"))

    ((assignment_expression {_PROTOTYPE} right: (object [
        (pair key: (property_identifier) @name value: {FUNCTION}) @symbol.method
        (method_definition name: (property_identifier) @name) @symbol.method
    ])) (#eq? @prototype "prototype"))
"""
"""Patterns of CommonJS exports and prototype assignments."""

FUNCTIONS = f"""
    (function_declaration name: (_) @name) @symbol.function
    (generator_function_declaration name: (_) @name) @symbol.function
    {_declared("function", FUNCTION)}
    (variable_declarator name: (identifier) @name value: {FUNCTION}) @symbol.function
    ({_declared("function", _WRAPPED)} {_IS_WRAPPER})
    {_declared("class", _CLASS)}
    (function_expression name: (_) @name) @symbol.function
    (generator_function name: (_) @name) @symbol.function
    (class name: (_) @name) @symbol.class
    (export_statement "default" @name value: {_UNNAMED}) @symbol.function
    (export_statement "default" @name value: (class !name body: (_) @body)) @symbol.class
    (export_statement "default" @name value: [(object) (call_expression)]) @symbol.constant
    (export_statement declaration: (lexical_declaration (variable_declarator
        name: (object_pattern {_DESTRUCTURED}))) @symbol.constant)
"""

MEMBERS = f"""
    ((method_definition name: (property_identifier) @name) @symbol.constructor
        (#eq? @name "constructor"))
    (method_definition ["get" "set"] name: (_) @name) @symbol.property
    (method_definition name: (_) @name) @symbol.method
    (pair key: [(property_identifier) (string)] @name value: {FUNCTION}) @symbol.method
    (assignment_expression left: (member_expression object: (this) property: (_) @name)
        right: {FUNCTION}) @symbol.method
    ((assignment_expression {_OWNED}
        right: (assignment_expression
            left: (member_expression property: (property_identifier) @name)
            right: {FUNCTION})) @symbol.method
        (#not-eq? @name "exports"))
    ((assignment_expression {_OWNED} right: {FUNCTION}) @symbol.method
        (#not-eq? @name "exports"))
"""

TESTS = f"""
    ((call_expression
        function: [
            (identifier) @runner
            (member_expression object: (identifier) @runner)
            (call_expression function: (member_expression object: (identifier) @runner))
        ]
        arguments: (arguments . [(string) (template_string)] @name {FUNCTION})) @symbol.test
        (#any-of? @runner "describe" "it" "test" "suite" "context" "specify" "bench"
            "fdescribe" "fit" "xdescribe" "xit"))
"""

COMPLEXITY = """
    [(if_statement) (for_statement) (for_in_statement) (while_statement) (do_statement)
        (switch_case) (catch_clause) (ternary_expression)] @branch
    (binary_expression operator: ["&&" "||" "??"]) @branch
    [(if_statement) (for_statement) (for_in_statement) (while_statement) (do_statement)
        (switch_statement) (try_statement)] @nest
    (else_clause (if_statement) @flat)
    (formal_parameters) @parameters
    (arrow_function parameter: (identifier) @parameter @parameters)
"""

FAMILY = ("javascript", "svelte", "tsx", "typescript", "vue")

EXCLUDES = (
    "node_modules/",
    "bower_components/",
    "jspm_packages/",
    "dist/",
    ".next/",
    ".nuxt/",
    ".output/",
    ".parcel-cache/",
    ".svelte-kit/",
    ".turbo/",
    ".yarn/",
    "*.min.js",
    "*.min.mjs",
    "*.bundle.js",
)
LOCK_FILES = ("package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "bun.lockb")
OUTPUTS = (("coverage", ("package.json",)),)


def tests(*suffixes: str) -> tuple[str, ...]:
    """Return globs of the test files that end in one of the suffixes, like `.ts`."""
    files = ("*.test", "*.spec", "*.cy", "*.e2e", "*.test-d", "*-test", "*_test")
    folders = ("test", "tests", "__tests__", "__mocks__", "e2e", "cypress")
    return tuple(name + suffix for suffix in suffixes for name in files) + tuple(
        f"**/{folder}/**/*{suffix}" for suffix in suffixes for folder in folders
    )


MEMBER_BY_VALUE = re.compile(r"""\bthis(?:\s+as\s[^()]*\))?\s*\[\s*[^\s"'`\d\]]""")
"""Matches `this[kind]` and `(this as any)[kind]`."""

PROTOCOL_MEMBERS = frozenset(
    {"toJSON", "toString", "valueOf", "then", "next", "return", "throw", "handleEvent"}
    | {"connectedCallback", "disconnectedCallback", "attributeChangedCallback"}
    | {"adoptedCallback", "observedAttributes", "formAssociated"}
)
"""Members that the runtime or a browser uses by name."""

FRAGMENT_CONTEXTS = (
    "PATTERN",
    "(PATTERN)",
    "({ PATTERN })",
    "class C { PATTERN }",
    "try { } PATTERN",
    "switch (x) { PATTERN }",
)
METAVARIABLE_FORMS = ("name", '"name"', "case name:")
