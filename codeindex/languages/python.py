"""Define the language Python."""

import re
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache

from codeindex.languages._base import (
    ImportCaptures,
    ImportedName,
    Language,
    Visibility,
    plain_import,
)
from codeindex.languages.source_tree import (
    DEFINITIONS_MODULE,
    ModuleLocation,
    SourceTree,
    ancestor_folder,
    join_path,
)

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
"""Pattern of module-level names, also under `if sys.version_info` and `except ImportError`."""

_SELF = "[(identifier) {0} (typed_parameter . (identifier) {0})]"
_HEAD = f"parameters: [(parameters . {_SELF}) (parameters . (comment) . {_SELF})]"
_FIRST = f"""(class_definition body: (block [
    (function_definition {_HEAD})
    (decorated_definition definition: (function_definition {_HEAD}))]))"""
_FIRST_DECORATED = f"""((class_definition body: (block (decorated_definition
    (decorator (identifier) @_by)
    definition: (function_definition {_HEAD})))) {{1}})"""

_PARTS = "[(pattern_list (identifier) @bind @nth) (tuple_pattern (identifier) @bind @nth)]"

_RELATIONS = f"""
(import_statement name: (dotted_name) @module) @import
(import_statement name: (aliased_import name: (dotted_name) @module alias: (_) @alias)) @import
(import_from_statement module_name: (_) @module name: (dotted_name) @imported) @import
(import_from_statement module_name: (_) @module
    name: (aliased_import name: (_) @imported alias: (_) @alias)) @import
(import_from_statement module_name: (_) @module (wildcard_import) @all @exported) @import
(import_statement (_ (identifier) @skip))
(import_from_statement (_ (identifier) @skip))
(aliased_import (_ (identifier) @skip))
(aliased_import alias: (identifier) @skip)
(keyword_argument name: (identifier) @skip)
(keyword_pattern . (identifier) @skip)
(function_definition name: (identifier) @skip)
(class_definition name: (identifier) @skip)
(attribute attribute: (identifier) @skip)
(global_statement (identifier) @skip @outer)
(nonlocal_statement (identifier) @skip @outer)

[(lambda) (list_comprehension) (set_comprehension) (dictionary_comprehension)
    (generator_expression) (function_definition)] @scope
(block) @block
(default_parameter value: (_) @outside)
(typed_default_parameter value: (_) @outside)
(typed_default_parameter type: (type) @outside)
(typed_parameter type: (type) @outside)
(function_definition return_type: (type) @outside)

{_FIRST_DECORATED.format("@bind", '(#eq? @_by "staticmethod")')}
{_FIRST_DECORATED.format("@cls", '(#eq? @_by "classmethod")')}
({_FIRST.format("@cls")} (#any-of? @cls "cls" "mcs" "metacls"))
{_FIRST.format("@self")}
(typed_parameter . (identifier) @bind @skip type: (type) @type)
(typed_parameter (list_splat_pattern (identifier) @bind @skip) type: (type) @type_many)
(typed_default_parameter name: (identifier) @bind @skip type: (type) @type)
(default_parameter name: (identifier) @bind @skip value: (_) @value)
(parameters (identifier) @bind @skip)
(lambda_parameters (identifier) @bind @skip)
(list_splat_pattern (identifier) @bind @skip)
(dictionary_splat_pattern (identifier) @bind @skip)
(assignment left: (identifier) @bind type: (type) @type)
(assignment left: (identifier) @bind right: (assignment right: (_) @value))
(assignment left: (identifier) @bind right: (_) @value)
(assignment left: (attribute object: (_) @owner attribute: (_) @attribute) type: (type) @type)
(assignment left: (attribute object: (_) @owner attribute: (_) @attribute) right: (_) @value)
(augmented_assignment left: (identifier) @bind)
(named_expression name: (identifier) @bind value: (_) @value)
((for_statement left: (pattern_list . (_) . (identifier) @bind .)
    right: (call function: (identifier) @_by arguments: (argument_list . (_) @each)))
    (#eq? @_by "enumerate"))
((for_in_clause left: (pattern_list . (_) . (identifier) @bind .)
    right: (call function: (identifier) @_by arguments: (argument_list . (_) @each)))
    (#eq? @_by "enumerate"))
(assignment left: {_PARTS} right: (_) @value)
(for_statement left: {_PARTS} right: (_) @each)
(for_in_clause left: {_PARTS} right: (_) @each)
(pattern_list (identifier) @bind)
(tuple_pattern (identifier) @bind)
(list_pattern (identifier) @bind)
(for_statement left: (identifier) @bind right: (_) @each)
(for_in_clause left: (identifier) @bind right: (_) @each)
((if_statement condition: (call function: (identifier) @_isinstance
    arguments: (argument_list . (identifier) @checked . (_) @type .)) consequence: (block) @in)
    (#eq? @_isinstance "isinstance"))
((assert_statement . (call function: (identifier) @_isinstance
    arguments: (argument_list . (identifier) @checked . (_) @type .)))
    (#eq? @_isinstance "isinstance"))
(with_item value: (as_pattern . (_) @enter alias: (as_pattern_target (identifier) @bind)))
(except_clause value: (as_pattern . (_) @type alias: (as_pattern_target (identifier) @bind)))
(as_pattern alias: (as_pattern_target (identifier) @bind))
(delete_statement (identifier) @bind)
(case_pattern (dotted_name . (identifier) @bind .))

(function_definition return_type: (type) @result)
(return_statement (_) @returned)
(yield (_) @yielded)
(class_definition superclasses: (argument_list [
    (identifier) @base (attribute) @base (subscript value: (_) @base) (call) @base]))

((call function: {_DOTTED.format("_patch")} arguments: (argument_list
    . (string . (string_start) . (string_content) @quoted @path .  (string_end))))
    (#any-of? @_patch "patch" "setattr" "delattr" "spy")
    (#match? @quoted "^[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)+$"))
((call function: {_DOTTED.format("_patch")} arguments: (argument_list
    . (_) @of . (string . (string_start) . (string_content) @attribute . (string_end)) @member))
    (#any-of? @_patch "object" "getattr" "setattr" "delattr" "spy")
    (#match? @attribute "^[A-Za-z_][A-Za-z0-9_]*$"))
(attribute object: (_) @of attribute: (identifier) @attribute) @member
((call function: {_DOTTED.format("_cast")} arguments: (argument_list
    . [(string (string_content) @quoted @of) (_) @of] (_) .)) @instance (#eq? @_cast "cast"))
((call function: {_DOTTED.format("_closing")} arguments: (argument_list . (_) @of .)) @same
    (#any-of? @_closing "closing" "aclosing"))
((call function: (identifier) @_super) @super (#eq? @_super "super"))
(call function: (_) @of) @call
((type (generic_type . {_DOTTED.format("_union")} (type_parameter) @of) @same)
    (#eq? @_union "Union"))
((type (generic_type . {_DOTTED.format("_tuple")} (type_parameter) @of) @same)
    (#any-of? @_tuple "tuple" "Tuple"))
((generic_type . {_DOTTED.format("_union")} (type_parameter) @either) (#eq? @_union "Union"))
((generic_type . {_DOTTED.format("_tuple")} (type_parameter) @parts)
    (#any-of? @_tuple "tuple" "Tuple"))
(type (generic_type . (_) @of (type_parameter (type) @argument .)) @generic)
(type (subscript value: (_) @of subscript: (_) @argument) @generic)
(subscript value: (_) @of) @item
(type (string (string_content) @quoted @of)) @same
(type (_) @of) @same
(await (_) @of) @same
(parenthesized_expression (_) @of) @same
(named_expression value: (_) @of) @same
(conditional_expression . (_) @of (_) (_) @of) @either
(boolean_operator left: (_) @of right: (_) @of) @either
(type (binary_operator left: (_) @of right: (_) @of) @either)
(binary_operator left: (_) @of "|" right: (_) @of) @either
(list) @holding
[(tuple) (expression_list)] @parts
(list_comprehension body: (_) @of) @holding
(generator_expression body: (_) @of) @holding
(identifier) @name
"""


def _imports(captured: ImportCaptures) -> Iterable[ImportedName]:
    """Yield (module, imported name, local name) for each import of a statement.

    `import a.b` yields (`a`, "", `a`), since it binds `a`, and (`a.b`, "", ""), since it also
    imports the module `a.b`.
    """
    for imported in plain_import(captured):
        module, _, local = imported
        if local == module and "." in module:
            first = module.partition(".")[0]
            yield ImportedName(first, "", first)
            yield ImportedName(module, "", "")
        else:
            yield imported


def _locate(tree: SourceTree, path: str, module: str) -> ModuleLocation | None:
    """Return the location of a module, in the folders that are probably on the search path."""
    if module == DEFINITIONS_MODULE:
        return _place(tree, path.removesuffix(".pyi")) if path.endswith(".pyi") else None
    name = module.lstrip(".")
    dots = len(module) - len(name)
    folder = path.rpartition("/")[0]
    if dots:
        base = ancestor_folder(folder, dots - 1)
        return None if base is None else _place(tree, join_path(base, name.replace(".", "/")))
    first = name.partition(".")[0]
    for root in _roots(tree, folder, first):
        if _place(tree, join_path(root, first)):
            found = _place(tree, join_path(root, name.replace(".", "/")))
            # a plain module hides no later one of its name, which may be a namespace package
            if found or _is_package(tree, join_path(root, first)):
                return found
    return None


def _place(tree: SourceTree, stem: str) -> ModuleLocation | None:
    """Return the location of the module at a path without suffix, like `src/shop/cart`.

    It is a file or a package's folder; None if neither exists.
    """
    stem = stem.rstrip("/")
    package = tree.first(join_path(stem, "__init__.py"), join_path(stem, "__init__.pyi"))
    if package:
        return ModuleLocation((package,), stem)
    file = tree.first(f"{stem}.py", f"{stem}.pyi", f"{stem}.pyx")
    if file:
        return ModuleLocation((file,))
    return ModuleLocation((), stem) if stem in tree.folders else None


def _roots(tree: SourceTree, folder: str, first: str) -> Iterator[str]:
    """Yield the folders that may be on the module search path of a file in `folder`.

    First come the enclosing folders that are not packages, nearest first, each with its `src` and
    `lib`. For names outside of the standard library, two kinds follow: folders with a package
    `first`, and the root of the repository if it is a package, as its scripts import its modules by
    bare names.
    """
    around: str | None = folder
    while around is not None:
        if not _is_package(tree, around):
            yield around
            for inner in ("src", "lib"):
                if join_path(around, inner) in tree.folders:
                    yield join_path(around, inner)
        around = ancestor_folder(around, 1)
    if first not in sys.stdlib_module_names:
        yield from _packages(tree).get(first, ())
        if _is_package(tree, ""):
            yield ""


def _is_package(tree: SourceTree, folder: str) -> bool:
    return join_path(folder, "__init__.py") in tree.files


@lru_cache(maxsize=4)
def _packages(tree: SourceTree) -> dict[str, list[str]]:
    """Return {package name: folders that contain a top-level package of this name}."""
    packages: dict[str, list[str]] = {}
    for folder in tree.folders:
        outer, _, name = folder.rpartition("/")
        if folder and _is_package(tree, folder) and not _is_package(tree, outer):
            packages.setdefault(name, []).append(outer)
    return packages


_ALL = re.compile(r"^__all__\b[^=\n]*=\s*[\[(]([^\])]*)[\])]", re.MULTILINE)
_QUOTED = re.compile(r"['\"](\w+)['\"]")


def _exported_names(text: str) -> frozenset[str] | None:
    """Return the names in `__all__`; None if the file does not define it."""
    match = _ALL.search(text)
    return frozenset(_QUOTED.findall(match[1])) if match else None


LANGUAGE = Language(
    name="python",
    unicode_form="NFKC",
    suffixes=(".py", ".pyi", ".pyw"),
    grammar="python",
    filenames=("SConscript", "SConstruct", "wscript"),
    interpreters=("python", "pypy", "uv"),
    library_manifests=("pyproject.toml", "setup.py", "setup.cfg"),
    enumerated=re.compile(r"^\w+\s*,[^=]*="),
    calls_overridden=lambda name: re.compile(rf"\bsuper\([^()]*\)\.{re.escape(name)}\("),
    protocol_members=frozenset(
        {"acquire", "release", "read", "readline", "readlines", "write", "writelines", "flush"}
        | {"close", "seek", "tell", "fileno", "isatty", "emit", "handle", "format", "filter"}
        | {"readable", "writable", "seekable", "truncate", "readinto", "getvalue", "detach"}
        | {"get_source", "get_code", "find_spec", "create_module", "exec_module", "load_module"}
    ),
    plugin_hook=re.compile(r"pytest_", re.IGNORECASE),
    # PyTorch registers operators by `@impl`
    callback_mark=re.compile(r"^\s*@impl\b", re.MULTILINE),
    subtype_hooks=frozenset({"__init_subclass__"}),
    structural_base="Protocol",
    package_file="__init__.py",
    member_by_value=re.compile(r"""\bgetattr\(\s*(?:self|cls)\s*,\s*[^"'\s]"""),
    fixture=re.compile(r"^\s*@(?:\w+\.)*\w*fixture\b", re.MULTILINE),
    fixture_files=("conftest.py",),
    symbols=f"""
    ((class_definition {_NAMED} {_ENUM} {_BODY}) @symbol.enum {_IS_ENUM})
    (class_definition {_NAMED} {_BODY}) @symbol.class

    ((decorated_definition
        (decorator {_DOTTED.format("by")})
        definition: (function_definition {_NAMED} {_BODY}) @symbol.property)
        (#any-of? @by "property" "cached_property" "abstractproperty" "classproperty"
            "hybrid_property" "getter" "setter" "deleter"))
    ((decorated_definition
        (decorator {_DOTTED.format("by")})
        definition: (function_definition {_NAMED} {_BODY}) @symbol.constructor @bodiless)
        (#eq? @by "overload") (#any-of? @name "__init__" "__new__"))
    ((decorated_definition
        (decorator {_DOTTED.format("by")})
        definition: (function_definition {_NAMED} {_BODY}) @symbol.function @bodiless)
        (#eq? @by "overload"))
    ((function_definition {_NAMED} {_BODY}) @symbol.constructor
        (#any-of? @name "__init__" "__new__"))
    (function_definition {_NAMED} {_BODY}) @symbol.function

    ((class_definition {_ENUM}
        body: (block (assignment left: (identifier) @name right: (_)) @symbol.enum_member))
        {_IS_ENUM} (#not-match? @name "^_"))
    ((class_definition body: (block {_TARGET} @symbol.constant)) {_SHOUTED})
    (class_definition body: (block {_TARGET} @symbol.field))

    ((assignment left: (attribute object: (identifier) @self attribute: (identifier) @name))
        @symbol.field (#eq? @self "self"))

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
    relations=_RELATIONS,
    imports=_imports,
    manifests=("pyproject.toml",),
    locate=_locate,
    class_body_scope=True,
    call_method="__call__",
    overload_heads=True,
    declaration_suffixes=(".pyi",),
    transparent=(
        *("Annotated", "Awaitable", "ClassVar", "Coroutine", "Final", "InitVar", "Mapped"),
        *("Optional", "Required", "NotRequired", "ReadOnly", "Type", "Union", "type"),
    ),
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
    outputs=(("build", ("setup.py", "setup.cfg", "pyproject.toml")),),
    passive_decorators=frozenset(
        {
            "abstractmethod",
            "asynccontextmanager",
            "cache",
            "cached_property",
            "classmethod",
            "contextmanager",
            "dataclass",
            "deprecated",
            "final",
            "lru_cache",
            "overload",
            "override",
            "property",
            "staticmethod",
            "total_ordering",
            "wraps",
        }
    ),
    reflective_names=frozenset({"getattr", "globals"}),
    visibility=Visibility(exported=_exported_names),
    result_end=re.compile(":"),
    complexity="""
    [(if_statement) (elif_clause) (if_clause) (conditional_expression) (case_clause)
        (for_statement) (for_in_clause) (while_statement) (except_clause)
        (boolean_operator)] @branch
    ((case_clause . (case_pattern) @_rest) @default (#eq? @_rest "_"))
    [(if_statement) (match_statement) (for_statement) (while_statement) (try_statement)] @nest
    [(parameters) (lambda_parameters)] @parameters
    (parameters [(identifier) (default_parameter) (typed_parameter) (typed_default_parameter)
        (list_splat_pattern) (dictionary_splat_pattern)] @parameter)
    (lambda_parameters [(identifier) (default_parameter) (list_splat_pattern)
        (dictionary_splat_pattern)] @parameter)
    ((parameters . (identifier) @receiver) (#any-of? @receiver "self" "cls" "mcs"))
    """,
    fragment_contexts=(
        "PATTERN",
        "PATTERN\ndef f(): pass\n",
        "try:\n    pass\nPATTERN\n",
        "if x:\n    pass\nPATTERN\n",
        "match x:\n    PATTERN\n",
    ),
    sequence_nodes=("block",),
    clause_start=re.compile(r"\s+(?=(?:except|finally|elif|else)\b)"),
    package_manifests=("pyproject.toml", "setup.py", "setup.cfg"),
    published_folders=("", "src", "lib"),
)
