"""Define OCaml. A file is a module; its interface file declares the public names."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from codeindex.languages._base import ImportCaptures, ImportedName, Language
from codeindex.languages._packages import nearest_first
from codeindex.languages.source_tree import (
    DEFINITIONS_MODULE,
    ModuleLocation,
    SourceTree,
    join_path,
)
from codeindex.types import SymbolKind

_SEPARATOR = "::"
_FUNCTIONS = "[(function_expression) (fun_expression)]"
_VALUE_NAME = "[(value_name) @name (parenthesized_operator (_) @name)]"

_RELATIONS = f"""
(open_module module: (module_path) @module) @import
(include_module module: (module_path) @module) @import @exported
(value_specification (value_name) @declares)

[(fun_expression) (function_expression) (match_case) (object_expression)] @scope
[(let_expression) (let_module_expression) (let_open_expression) (for_expression)] @block

(let_binding pattern: (value_name) @named (parameter))
(let_binding pattern: (value_name) @named body: {_FUNCTIONS})
(let_binding pattern: (value_name) @bind type: (_) @type)
(let_binding pattern: (value_name) @bind body: (_) @value)
(typed_pattern pattern: (value_pattern) @bind type: (_) @type)
(object_expression self: (value_pattern) @self)
(value_pattern) @bind
[(tuple_pattern (value_name) @bind) (constructor_pattern pattern: (value_name) @bind)
    (cons_pattern (value_name) @bind) (alias_pattern (value_name) @bind)
    (list_pattern (value_name) @bind) (array_pattern (value_name) @bind)
    (or_pattern (value_name) @bind) (lazy_pattern (value_name) @bind)
    (parenthesized_pattern (value_name) @bind)]
(field_pattern (field_path (field_name) @bind) .)
(field_pattern pattern: (value_name) @bind)
(typed_pattern pattern: (value_name) @bind type: (_) @type)
(instance_variable_definition (instance_variable_name) @bind body: (_) @value)
(module_binding (module_name) @bind body: (module_path) @value)
(module_parameter (module_name) @bind module_type: (_) @type)
(field_declaration (field_name) @shared @bind type: (_) @type)
(constructor_declaration (constructor_name) @shared)

(let_binding (parameter) type: (_) @result)
(let_binding (parameter) body: (_) @returned)

(inheritance_definition class: [
    (class_path (class_name) @base)
    (class_application class: (class_path (class_name) @base))])
(module_binding module_type: [
    (module_type_path (module_type_name) @base)
    (module_type_constraint module_type: (module_type_path (module_type_name) @base))])

(module_path (module_path) @of (module_name) @attribute) @member
(module_path . (module_name) @of .) @same
(extended_module_path (extended_module_path) @of (module_name) @attribute) @member
(extended_module_path . (module_name) @of .) @same
(module_path . (module_name) @name @path .)
(extended_module_path . (module_name) @name @path .)

(value_path (module_path) @of (value_name) @attribute) @member
(value_path . (value_name) @of .) @same
(value_path . (value_name) @name .)
(constructor_path (module_path) @of (constructor_name) @attribute) @member
(constructor_path . (constructor_name) @name .)
(type_constructor_path (extended_module_path) @of (type_constructor) @attribute) @member
(type_constructor_path . (type_constructor) @of .) @same
(type_constructor_path . (type_constructor) @name .)
(class_path (module_path) @of (class_name) @attribute) @member
(class_path . (class_name) @of .) @same
(class_path . (class_name) @name .)
(module_type_path (extended_module_path) @of (module_type_name) @attribute) @member
(module_type_path . (module_type_name) @of .) @same
(module_type_path . (module_type_name) @name .)
(field_get_expression record: (_) @of field: (field_path (field_name) @attribute .)) @member
(method_invocation object: (_) @of method: (method_name) @attribute) @member
(method_invocation) @of @call
(new_expression (class_path (class_name) @of .)) @call
(application_expression function: (value_path (module_path) @of (value_name) @attribute) @member)
(application_expression function: (value_path . (value_name) @of .)) @call
(application_expression function: (_) @of) @call
((infix_expression operator: (_) @_pipe right: (value_path . (value_name) @of .)) @call
    (#eq? @_pipe "|>"))
((infix_expression operator: (_) @_pipe right: (_) @of) @call (#eq? @_pipe "|>"))
((infix_expression left: (value_path . (value_name) @of .) operator: (_) @_apply) @call
    (#eq? @_apply "@@"))
((infix_expression left: (_) @of operator: (_) @_apply) @call (#eq? @_apply "@@"))
(parenthesized_expression expression: (_) @of) @same
(typed_expression type: (_) @of) @instance
(constructed_type (_) @argument . (type_constructor_path) @of .) @generic
"""


def _imports(captured: ImportCaptures) -> Iterable[ImportedName]:
    """Yield (module, imported name, local name) twice for `open M` or `include M`.

    Both import all names: once from the file of M, with `::` between the parts of its path, and
    once from M as a module that is visible in this file. Parts after the file's own name may be
    modules inside the file.
    """
    module = re.sub(r"\s", "", captured["module"])
    yield ImportedName(module.replace(".", _SEPARATOR), "*", "*")
    yield ImportedName("", f"{module}.*", "*")


def _locate(tree: SourceTree, path: str, module: str) -> ModuleLocation | None:
    """Return the file of a module by its name; None if it is external.

    Of several files, it is the one nearest to the importing file. A `dune` file marks the folder of
    a library.
    """
    if module == DEFINITIONS_MODULE:
        file = tree.first(path.removesuffix("i")) if path.endswith(".mli") else None
        return ModuleLocation((file,)) if file else None
    if module.startswith("."):
        return _in_folder(tree, path.rpartition("/")[0], module.removeprefix("."))
    first, *rest = module.replace(_SEPARATOR, ".").split(".")
    files = _files_by_module(tree).get(first, ())
    if files:
        return ModuleLocation((nearest_first(files, path)[0],), symbol=".".join(rest))
    for folder in nearest_first(_libraries(tree).get(first, ()), path):
        if not rest:
            return ModuleLocation((), folder=folder)
        location = _in_folder(tree, folder, rest[0])
        if location:
            return ModuleLocation(location.files, symbol=".".join(rest[1:]))
    return None


def _in_folder(tree: SourceTree, folder: str, module: str) -> ModuleLocation | None:
    stem = join_path(folder, module[:1].lower() + module[1:])
    file = tree.first(f"{stem}.ml", f"{stem}.mli")
    return ModuleLocation((file,)) if file else None


@lru_cache(maxsize=4)
def _files_by_module(tree: SourceTree) -> Mapping[str, Sequence[str]]:
    """Return {module name: files}, those in outer folders first.

    They are implementations (`.ml`), and interfaces (`.mli`) that have no implementation.
    """
    modules: dict[str, list[str]] = {}
    for path in sorted(tree.files, key=lambda file: (file.count("/"), file)):
        if path.endswith(".ml") or (path.endswith(".mli") and path[:-1] not in tree.files):
            stem = path.rpartition("/")[2].partition(".")[0]
            modules.setdefault(stem[:1].upper() + stem[1:], []).append(path)
    return modules


@lru_cache(maxsize=4)
def _libraries(tree: SourceTree) -> Mapping[str, Sequence[str]]:
    """Return {module name of a library: folders of the `dune` files that define it}.

    The module of the library `shop` is `Shop`.
    """
    libraries: dict[str, list[str]] = {}
    for path in sorted(tree.files):
        folder, _, name = path.rpartition("/")
        if name == "dune":
            for library in re.findall(r"\(name\s+(\w+)\)", tree.text(path)):
                libraries.setdefault(library[:1].upper() + library[1:], []).append(folder)
    return libraries


LANGUAGE = Language(
    name="ocaml",
    suffixes=(".ml", ".mli"),
    grammar="ocaml",
    grammars=((".mli", "ocaml_interface"),),
    interpreters=("ocaml",),
    symbols=f"""
    ; An alias of a module defines nothing.
    (module_binding (module_name) @name body: (module_path))
    (module_definition (module_binding (module_name) @name
        body: (structure) @body)) @symbol.module
    (module_definition (module_binding (module_name) @name
        module_type: (signature) @body)) @symbol.module
    (module_definition (module_binding (module_name) @name)) @symbol.module
    (module_type_definition (module_type_name) @name body: (_)? @body) @symbol.interface

    ; Bindings joined by `and` end separately.
    (type_definition . (type_binding name: (type_constructor) @name
        body: (variant_declaration)) @extent) @symbol.enum
    (type_definition . (type_binding name: (type_constructor) @name
        body: (record_declaration)) @extent) @symbol.struct
    (type_definition . (type_binding name: (type_constructor) @name) @extent) @symbol.type
    (type_binding name: (type_constructor) @name body: (variant_declaration)) @symbol.enum
    (type_binding name: (type_constructor) @name body: (record_declaration)) @symbol.struct
    (type_binding name: (type_constructor) @name) @symbol.type
    (exception_definition (constructor_declaration (constructor_name) @name)) @symbol.class
    (constructor_declaration (constructor_name) @name) @symbol.enum_member
    (field_declaration (field_name) @name) @symbol.field

    ((value_definition (attribute_id) @_test
        (let_binding pattern: (string (string_content) @name) body: (_) @body)) @symbol.test
        (#match? @_test "^test"))

    (value_definition . (let_binding pattern: {_VALUE_NAME} (parameter)
        body: (_) @body) @extent) @symbol.function
    (value_definition . (let_binding pattern: {_VALUE_NAME}
        body: {_FUNCTIONS} @body) @extent) @symbol.function
    (let_binding pattern: {_VALUE_NAME} (parameter) body: (_) @body) @symbol.function
    (let_binding pattern: {_VALUE_NAME} body: {_FUNCTIONS} @body) @symbol.function
    (value_definition . (let_binding pattern: (value_name) @name) @extent) @symbol.constant
    (let_binding pattern: (value_name) @name) @symbol.constant
    (external {_VALUE_NAME}) @symbol.function
    (value_specification {_VALUE_NAME} type: (function_type)) @symbol.function
    (value_specification {_VALUE_NAME}) @symbol.constant

    (class_definition . (class_binding (class_name) @name body: (_)? @body) @extent
        ) @symbol.class
    (class_binding (class_name) @name body: (_)? @body) @symbol.class
    (class_type_definition (class_type_binding (class_type_name) @name)) @symbol.interface
    (method_definition (method_name) @name body: (_)? @body) @symbol.method
    (method_specification (method_name) @name) @symbol.method
    (instance_variable_definition (instance_variable_name) @name) @symbol.field
    """,
    relations=_RELATIONS,
    imports=_imports,
    manifests=("dune",),
    locate=_locate,
    module_separator=".",
    type_nodes=frozenset({"type_constructor"}),
    type_only_kinds=frozenset({SymbolKind.ENUM, SymbolKind.STRUCT, SymbolKind.TYPE}),
    block_scoped=True,
    inline_tests=True,
    tests=("test_*.ml", "*_test.ml", "**/test/**/*.ml", "**/tests/**/*.ml"),
    excludes=("_build/", "_opam/"),
    complexity="""
    [(if_expression) (while_expression) (for_expression) (match_case)] @branch
    ((match_case pattern: (value_pattern) @_rest) @default (#eq? @_rest "_"))
    (infix_expression operator: [(and_operator) (or_operator)]) @branch
    [(if_expression) (while_expression) (for_expression) (match_expression)
        (function_expression) (try_expression)] @nest
    (else_clause (if_expression) @flat)
    (let_binding (parameter) @parameter) @parameters
    (method_definition (parameter) @parameter) @parameters
    """,
    fragment_contexts=("PATTERN", "let x = PATTERN", "type t = PATTERN"),
    metavariable_forms=("name", "Name", "name -> name"),
)
