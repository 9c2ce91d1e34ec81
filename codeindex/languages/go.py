"""Define the language Go."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from posixpath import normpath

from codeindex.files.manifests import go_module_path
from codeindex.languages._base import ImportCaptures, ImportedName, Language, Visibility
from codeindex.languages.go_shapes import shape_of
from codeindex.languages.source_tree import ModuleLocation, SourceTree, join_path

_FIELDS = "(struct_type (field_declaration_list {}))"
_FIELD = "(field_declaration name: (field_identifier) @name) @symbol.field"

_KEY = "(keyed_element key: (literal_element (identifier) @member @attribute))"
_LITERAL = f"(composite_literal type: {{}} body: (literal_value {_KEY}))"
_ELEMENTS = f"""(composite_literal type: {{}} body: (literal_value [
    (literal_element (literal_value {_KEY}))
    (keyed_element value: (literal_element (literal_value {_KEY})))]))"""
"""In `[]T{{Name: 1}}` and `map[string]T{"a": {Name: 1}}` the keys are fields of T."""

_FIRST = "left: (expression_list . (identifier) @bind) right: (expression_list . (_) {} .)"
_SECOND = """left: (expression_list . (_) . (identifier) @bind)
    right: (expression_list . (_) . (_) @value)"""
_EMBEDDED = """[
    (type_identifier) @attribute {0}
    (generic_type type: (type_identifier) @attribute) {0}
    (qualified_type name: (type_identifier) @attribute) {0}
    (generic_type type: (qualified_type name: (type_identifier) @attribute)) {0}]"""
_GIVES = "(parameter_list . (parameter_declaration type: (_) @result))"

_RELATIONS = f"""
(import_spec !name path: (_) @module) @import
(import_spec name: (package_identifier) @alias path: (_) @module) @import
(import_spec name: (dot) @all path: (_) @module) @import
(import_spec name: (blank_identifier) @alias path: (_) @module) @import

[(func_literal) (function_type)] @scope
[(block) (if_statement) (for_statement) (expression_switch_statement) (type_switch_statement)
    (expression_case) (type_case) (default_case) (communication_case)] @block

(type_spec name: (_) @this)
(type_spec name: (_) @owner type: (struct_type (field_declaration_list
    (field_declaration name: (_) @attribute type: (_) @type))))
(type_spec name: (_) @owner type: (struct_type (field_declaration_list
    (field_declaration !name type: {_EMBEDDED.format("@type")}))))
(field_declaration !name type: {_EMBEDDED.format("@base")})
(interface_type (type_elem . [(type_identifier) (qualified_type) (generic_type)] @base .))
(type_spec name: (type_identifier) @bind
    type: [(slice_type) (array_type) (map_type) (channel_type) (pointer_type)] @value)
(type_alias name: (_) @bind type: (_) @value)

(type_parameter_declaration name: (identifier) @parameter @skip
    type: (type_constraint . (_) @type .))
(type_parameter_declaration name: (identifier) @parameter @skip)
(method_declaration receiver: (parameter_list (parameter_declaration name: (_) @self)))
(method_declaration receiver: (parameter_list (parameter_declaration type: [
    (generic_type type_arguments: (_ (type_elem (type_identifier) @parameter @skip)))
    (pointer_type
        (generic_type type_arguments: (_ (type_elem (type_identifier) @parameter @skip))))])))
(parameter_declaration name: (identifier) @bind type: (_) @type)
(variadic_parameter_declaration name: (identifier) @bind type: (_) @many)
(var_spec name: (identifier) @bind type: (_) @type)
(var_spec . name: (identifier) @bind value: (expression_list . (_) @value .))
(var_spec . name: (identifier) @bind value: (expression_list . (_) @value))
(var_spec . name: (_) . name: (identifier) @bind
    value: (expression_list . (_) . (_) @value))
(var_spec name: (identifier) @bind)
(const_spec name: (identifier) @bind type: (_) @type)
(const_spec name: (identifier) @bind)
(short_var_declaration {_FIRST.format("@value")})
(short_var_declaration left: (expression_list . (identifier) @bind)
    right: (expression_list . (_) @value . (_)))
(short_var_declaration {_SECOND})
(short_var_declaration left: (expression_list (identifier) @bind))
(receive_statement left: (expression_list . (identifier) @bind) ":=" right: (_) @value)
(receive_statement left: (expression_list (identifier) @bind) ":=")
(range_clause left: (expression_list (_) . (identifier) @bind) ":=" right: (_) @each)
(range_clause left: (expression_list (identifier) @bind) ":=")
(type_switch_statement alias: (expression_list (identifier) @bind)
    (type_case . type: (_) @type . (statement_list) @in))
(type_switch_statement alias: (expression_list (identifier) @bind) value: (_) @value)

(function_declaration result: {_GIVES})
(function_declaration result: (_) @result)
(method_declaration result: {_GIVES})
(method_declaration result: (_) @result)
(method_elem result: {_GIVES})
(method_elem result: (_) @result)

(package_clause (package_identifier) @skip)
(import_spec name: (package_identifier) @skip)
(function_declaration name: (identifier) @skip)
(qualified_type name: (type_identifier) @skip)

{_LITERAL.format("[(type_identifier) (qualified_type) (generic_type)] @of")}
{_ELEMENTS.format("[(slice_type element: (_) @of) (array_type element: (_) @of)]")}
{_ELEMENTS.format("(implicit_length_array_type element: (_) @of)")}
{_ELEMENTS.format("(map_type value: (_) @of)")}
(selector_expression operand: (_) @of field: (_) @attribute) @member
(qualified_type package: (_) @of name: (_) @attribute) @member
(composite_literal type: [(type_identifier) (qualified_type) (generic_type)] @of) @call
(composite_literal type: (_) @of) @same
((call_expression function: (identifier) @_new @skip arguments: (argument_list . (_) @of)) @instance
    (#any-of? @_new "new" "make"))
((call_expression function: (identifier) @_append @skip
    arguments: (argument_list . (_) @of)) @same (#eq? @_append "append"))
(call_expression function: (_) @of) @call
(type_conversion_expression type: (_) @of) @call
(type_assertion_expression type: (_) @of) @instance
(generic_type type: (_) @of) @same
(slice_type element: (_) @argument) @generic
(array_type element: (_) @argument) @generic
(implicit_length_array_type element: (_) @argument) @generic
(channel_type value: (_) @argument) @generic
(map_type value: (_) @argument) @generic
(struct_type) @record
(function_type result: (parameter_list . (parameter_declaration type: (_) @of))) @signature
(function_type result: (_) @of) @signature
(pointer_type (_) @of) @same
(parenthesized_type (_) @of) @same
(index_expression operand: (_) @of) @item
(slice_expression operand: (_) @of) @same
(unary_expression operator: "<-" operand: (_) @of) @item
(unary_expression operand: (_) @of) @same
(parenthesized_expression (_) @of) @same
[(identifier) (type_identifier) (package_identifier)] @name
"""


def _imports(captured: ImportCaptures) -> Iterable[ImportedName]:
    """Yield (package path, imported name, local name) of an import.

    Without an alias, the local name is a guess at the package's name: its folder without version or
    language affixes, like `yaml` for `gopkg.in/yaml.v3`.
    """
    path, whole = captured["module"], captured.get("imported", "")
    last = re.sub(r"/v\d+$|\.v\d+$", "", path).rpartition("/")[2]
    guessed = re.sub(r"^go-|[-.]go$", "", last).replace("-", "_")
    yield ImportedName(path, whole, whole or captured.get("alias", guessed).removeprefix("_"))


def _declared(keyword: str, spec: str, kind: str) -> str:
    """Return tree-sitter patterns for a definition of `kind` that begins with `keyword`.

    `spec` is the pattern of the text after the keyword. The definition begins at the keyword, as in
    `type T struct`, except in a group `type ( ... )`: there it is its own `spec` only.
    """
    return f"""
    ({keyword}_declaration "(" {spec} @symbol.{kind})
    ({keyword}_declaration {spec}) @symbol.{kind}
    """


_REPLACED = re.compile(r"^(?:replace)?\s*(\S+)(?: v\S+)? => (\.\S*)", re.MULTILINE)


def _locate(tree: SourceTree, _path: str, module: str) -> ModuleLocation | None:
    """Return the files of a package by its import path; None if it is external.

    Its Go module is the one whose path is the longest prefix of the import path.
    """
    for root in _ancestors(module):
        folder = _modules(tree).get(root)
        if folder is not None:
            inner = join_path(folder, module[len(root) + 1 :]).rstrip("/")
            files = _package(tree, inner)
            return ModuleLocation(files) if files else None
    return None


def _visible_files(tree: SourceTree, path: str) -> Sequence[str]:
    """Return the other files of a file's package; a test file also sees the other test files."""
    folder = path.rpartition("/")[0]
    package = _package(tree, folder)
    if not path.endswith("_test.go"):
        return [file for file in package if file != path]
    inside = tree.folders.get(folder, [])
    tests = [file for file in inside if file.endswith("_test.go") and file != path]
    return [*tests, *package]


def _package(tree: SourceTree, folder: str) -> tuple[str, ...]:
    inside = tree.folders.get(folder, [])
    return tuple(file for file in inside if file.endswith(".go") and not file.endswith("_test.go"))


def _ancestors(module: str) -> list[str]:
    """Return a path and the paths above it, the longest first: `a/b` and `a` for `a/b`."""
    parts = module.split("/")
    return ["/".join(parts[:end]) for end in range(len(parts), 0, -1)]


@lru_cache(maxsize=4)
def _modules(tree: SourceTree) -> dict[str, str]:
    """Return {module path: folder} from `go.mod` files, including `replace` directives."""
    modules: dict[str, str] = {}
    replaced: dict[str, str] = {}
    for path in sorted(file for file in tree.files if file.rpartition("/")[2] == "go.mod"):
        folder, text = path.rpartition("/")[0], tree.text(path)
        if name := go_module_path(text):
            modules.setdefault(name, folder)
        for name, target in _REPLACED.findall(text):
            replaced.setdefault(name, normpath(join_path(folder, target)).removeprefix("."))
    return replaced | modules


def _is_exported(name: str) -> bool:
    return name[:1].isupper()


_REPAIRS = ((r"\bnew(?=\()",),)  # new(16) and new(time.Now()) of Go 1.26
"""Match valid expressions that the grammar rejects: see `Language.repairs`."""

LANGUAGE = Language(
    name="go",
    suffixes=(".go",),
    grammar="go",
    repairs=_REPAIRS,
    symbols=f"""
    ([(const_spec (identifier) @name) (var_spec name: (identifier) @name)]
        (#eq? @name "_"))

    (function_declaration name: (identifier) @name) @symbol.function
    (method_declaration
        receiver: (parameter_list (parameter_declaration type: (_) @scope))
        name: (field_identifier) @name) @symbol.method

    ((call_expression
        function: (selector_expression field: (field_identifier) @run)
        arguments: (argument_list
            . (interpreted_string_literal) @name (func_literal body: (_) @body))) @symbol.test
        (#eq? @run "Run"))

    {_declared("type", "(type_spec name: (_) @name type: (struct_type (_) @body))", "struct")}
    {_declared("type", "(type_spec name: (_) @name type: (interface_type))", "interface")}
    {_declared("type", "(type_spec name: (_) @name)", "type")}
    {_declared("type", "(type_alias name: (_) @name)", "type")}

    (type_spec type: {_FIELDS.format(_FIELD)})
    (type_spec type: {_FIELDS.format(f"(field_declaration type: {_FIELDS.format(_FIELD)})")})
    (type_spec type: (interface_type
        (method_elem name: (field_identifier) @name) @symbol.method))

    (source_file (var_declaration
        (var_spec . name: (identifier) @name
            value: (expression_list . (func_literal body: (_) @body) .))) @symbol.function)
    (source_file (var_declaration (var_spec name: (identifier) @name)) @symbol.variable)
    (source_file (var_declaration
        (var_spec_list (var_spec name: (identifier) @name) @symbol.variable)))
    (source_file (const_declaration "(" (const_spec (identifier) @name) @symbol.constant))
    (source_file (const_declaration (const_spec (identifier) @name)) @symbol.constant)
    """,
    relations=_RELATIONS,
    imports=_imports,
    manifests=("go.mod",),
    locate=_locate,
    conditional_definitions=True,
    visible_files=_visible_files,
    block_scoped=True,
    tests=("*_test.go", "**/testdata/**"),
    enumerated=re.compile(r"^[^=]*$|\biota\b"),
    test_name=re.compile(r"(?:Example|Fuzz)(?![a-z])"),
    excludes=("**/vendor/**/*.go",),
    lock_files=("go.sum", "go.work.sum"),
    folder_packages=True,
    package_comment=re.compile(r"^// Package \w+ .+?(?=\n(?!//))", re.DOTALL | re.MULTILINE),
    inherited_implementations=False,
    method_shape=shape_of,
    reflective_names=frozenset({"MethodByName", "linkname"}),
    visibility=Visibility(by_name=_is_exported, is_explicit=True),
    complexity="""
    [(if_statement) (for_statement) (expression_case) (type_case) (communication_case)] @branch
    (binary_expression operator: ["&&" "||"]) @branch
    [(if_statement) (for_statement) (expression_switch_statement) (type_switch_statement)
        (select_statement)] @nest
    (if_statement alternative: (if_statement) @flat)
    (_ parameters: (parameter_list) @parameters)
    (_ parameters: (parameter_list [
        (parameter_declaration name: (identifier) @parameter)
        (parameter_declaration !name) @parameter
        (variadic_parameter_declaration) @parameter
    ]))
    """,
    fragment_contexts=(
        "package p\nPATTERN\n",
        "package p\nfunc f() {\nPATTERN\n}\n",
        "package p\nfunc f() {\nswitch x {\nPATTERN\n}\n}\n",
        "package p\nvar x = PATTERN\n",
        "package p\ntype T PATTERN\n",
    ),
    metavariable_forms=("name", "name Name", '"name"', "case name:"),
    sequence_nodes=("expression_list", "statement_list"),
    package_manifests=("go.mod",),
)
