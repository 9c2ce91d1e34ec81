"""Python."""

from codeindex.languages._base import Language

_NAMED = "name: (identifier) @name"
_BODY = """":" @body body: (block . (string) @doc)?"""
_DOTTED = "[(identifier) @{0} (attribute attribute: (identifier) @{0})]"

_ENUM = f"""superclasses: (argument_list {_DOTTED.format("base")})"""
_IS_ENUM = """(#any-of? @base "Enum" "Flag" "IntEnum" "IntFlag" "ReprEnum" "StrEnum"
    "IntegerChoices" "TextChoices")"""

_SHOUTED = """(#match? @name "^_*[A-Z][A-Z0-9_]*$")"""
_CALL = f"(assignment left: (identifier) @name right: (call function: {_DOTTED.format('callee')}))"
_LAMBDA = "(assignment left: (identifier) @name right: (lambda body: (_) @body))"
_TARGET = "(assignment left: [(identifier) @name (pattern_list (identifier) @name)])"
_TOP_LEVEL = "[(module {0}) (module (_ (block {0}))) (module (_ (_ (block {0}))))]"
"""A module's own names, also those bound under `if sys.version_info` and `except ImportError`."""

LANGUAGE = Language(
    name="python",
    suffixes=(".py", ".pyi", ".pyw"),
    grammar="python",
    filenames=("SConscript", "SConstruct", "wscript"),
    interpreters=("python", "pypy", "uv"),
    symbols=f"""
    ((class_definition {_NAMED} {_ENUM} {_BODY}) @symbol.enum {_IS_ENUM})
    (class_definition {_NAMED} {_BODY}) @symbol.class

    ((decorated_definition
        (decorator {_DOTTED.format("by")})
        definition: (function_definition {_NAMED} {_BODY}) @symbol.property)
        (#any-of? @by "property" "cached_property" "abstractproperty" "classproperty"
            "hybrid_property" "getter" "setter" "deleter"))
    ((function_definition {_NAMED} {_BODY}) @symbol.constructor
        (#any-of? @name "__init__" "__new__"))
    (function_definition {_NAMED} {_BODY}) @symbol.function

    ((class_definition {_ENUM}
        body: (block (assignment left: (identifier) @name right: (_)) @symbol.enum_member))
        {_IS_ENUM} (#not-match? @name "^_"))
    ((class_definition body: (block {_TARGET} @symbol.constant)) {_SHOUTED})
    (class_definition body: (block {_TARGET} @symbol.field))

    ((function_definition name: (identifier) @init
        body: (block (assignment
            left: (attribute object: (identifier) @self attribute: (identifier) @name))
            @symbol.field))
        (#eq? @init "__init__") (#eq? @self "self"))

    ((module (if_statement
        condition: (comparison_operator . (identifier) @main)
        (block (assignment left: (_) @name))))
        (#eq? @main "__name__"))

    (type_alias_statement
        left: (type [(identifier) @name (generic_type . (identifier) @name)])) @symbol.type
    ((assignment left: (identifier) @name type: (type (identifier) @alias)) @symbol.type
        (#eq? @alias "TypeAlias"))
    ({_CALL} @symbol.type
        (#any-of? @callee "NewType" "ParamSpec" "TypeVar" "TypeVarTuple"))
    ({_CALL} @symbol.class
        (#any-of? @callee "NamedTuple" "TypedDict" "make_dataclass" "namedtuple"))

    {_TOP_LEVEL.format(_LAMBDA + "@symbol.function")}
    ({_TOP_LEVEL.format(_TARGET + "@symbol.constant")} {_SHOUTED})
    {_TOP_LEVEL.format(_TARGET + "@symbol.variable")}
    """,
    wrappers=("decorated_definition",),
    tests=(
        "test_*.py",
        "*_test.py",
        "tests.py",
        "conftest.py",
        "**/test/**/*.py",
        "**/tests/**/*.py",
    ),
    excludes=(
        "__pycache__/",
        "__pypackages__/",
        "*.py[co]",
        "*.egg-info/",
        ".eggs/",
        "venv/",
        ".venv/",
        "site-packages/",
        ".ipynb_checkpoints/",
        ".mypy_cache/",
        ".nox/",
        ".pytest_cache/",
        ".ruff_cache/",
        ".tox/",
    ),
)
