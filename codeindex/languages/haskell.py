"""Define the language Haskell."""

import re
from collections.abc import Iterable
from functools import lru_cache

from codeindex.languages._base import ImportCaptures, ImportedName, Language
from codeindex.languages.source_tree import ModuleLocation, SourceTree

_NAME = "[(variable) @name (prefix_id (_) @name)]"
_TYPE_NAME = """[
        (name) @name
        (qualified id: (name) @name)
        (apply constructor: (name) @name)
        (apply constructor: (qualified id: (name) @name))
        (apply constructor: (apply constructor: (name) @name))
        (parens type: (apply constructor: (name) @name))
        (parens type: (apply constructor: (qualified id: (name) @name)))
        (parens type: (apply constructor: (apply constructor: (name) @name)))
        (list) @name
        (tuple) @name
        (unit) @name
    ]"""
"""Pattern of the type of an instance; its arguments are left out if they are few."""


def _deep(form: str, levels: int) -> str:
    """Return a query pattern for `form` at a node or up to `levels` levels below it."""
    nested = [form]
    for _ in range(levels):
        nested.append(f"(_ {nested[-1]})")
    return "[" + " ".join(nested) + "]"


_BOUND = _deep("(variable) @bind", 3)

_RELATIONS = f"""
(import) @import @statement
(import (_ (_) @skip))
(import (_ (_ (_) @skip)))
(export (_) @skip)
(export (_ (_) @skip))
[(signature name: (_) @skip) (function name: (_) @skip) (field_name (variable) @skip)]
(signature names: (binding_list (variable) @skip))
[(data_type name: (_) @skip) (newtype name: (_) @skip) (type_synomym name: (_) @skip)]
(class name: (_) @skip)
(data_constructor constructor: [
    (prefix name: (constructor) @shared @skip) (record name: (constructor) @shared @skip)])
(newtype_constructor name: (constructor) @shared @skip)
(gadt_constructor name: (constructor) @shared @skip)
(field name: (field_name (variable) @shared @skip))
(class_declarations (signature name: (variable) @shared @skip))
[(instance name: (_) @base) (deriving_instance name: (_) @base)]
(deriving classes: [(name) @base (qualified) @base
    (parens [(name) (qualified)] @base) (tuple [(name) (qualified)] @base)])
(field_update field: (field_name (variable) @name))
(type_params (_ (variable) @skip))
(type_params bind: (variable) @skip)

[(lambda) (alternative) (lambda_case)] @scope
(patterns {_BOUND})
(alternative pattern: {_BOUND})
(bind pattern: {_BOUND})
(generator pattern: {_BOUND})
(local_binds (bind name: (variable) @bind))
(declarations (bind name: (variable) @skip))
(instance_declarations (bind name: (variable) @skip))

(qualified module: (module . (module_id) @name .))
(qualified id: (_) @skip)
(qualified module: (module . (module_id) @of .) id: (_) @attribute) @member
(apply function: (_) @of) @call
(parens (_) @of) @same
[(variable) (constructor) (name)] @name
"""


def _imports(captured: ImportCaptures) -> Iterable[ImportedName]:
    """Yield (module, imported name, local name) of an import.

    The module is imported under its name or alias; unless it is `qualified`, the names in its list,
    or all names, are imported too.
    """
    form = r"import\s+(?:safe\s+)?(qualified\s+)?([\w.]+)(\s+qualified)?(?:\s+as\s+([\w.]+))?(.*)"
    named = re.match(form, captured["statement"], re.DOTALL)
    if named is None:
        return
    before, module, after, alias, rest = named.groups()
    yield ImportedName(module, "*", "*")
    yield ImportedName("", module, alias or module)
    if before or after:
        return
    names = rest.strip()
    if not names or names.startswith("hiding") or "(..)" in names:
        yield ImportedName("", f"{module}.*", "*")
    for name in re.findall(r"[(,]\s*(\w[\w']*)", names) if names.startswith("(") else ():
        yield ImportedName("", f"{module}.{name}", name)


def _locate(tree: SourceTree, path: str, module: str) -> ModuleLocation | None:
    """Return the file whose path ends with the module's name; of several, the nearest one.

    None if there is no such file, or if several are equally near.
    """
    stem = module.replace(".", "/")
    candidates = [
        candidate
        for candidate in _by_last(tree).get(stem.rpartition("/")[2], ())
        if _ends(candidate, stem)
    ]
    if not candidates:
        return None
    nearest = max(_shared(candidate, path) for candidate in candidates)
    best = [candidate for candidate in candidates if _shared(candidate, path) == nearest]
    return ModuleLocation((best[0],)) if len(best) == 1 else None


def _ends(path: str, stem: str) -> bool:
    bare = path.rpartition(".")[0]
    return bare == stem or bare.endswith(f"/{stem}")


def _shared(first: str, other: str) -> int:
    """Return the number of leading folders that two paths share.

    The number is 99 if they share all folders of the shorter path.
    """
    folders = zip(first.split("/")[:-1], other.split("/")[:-1], strict=False)
    return next((n for n, (a, b) in enumerate(folders) if a != b), 99)


@lru_cache(maxsize=4)
def _by_last(tree: SourceTree) -> dict[str, list[str]]:
    names: dict[str, list[str]] = {}
    for path in sorted(tree.files):
        if path.endswith((".hs", ".hsc")):
            names.setdefault(path.rpartition("/")[2].rpartition(".")[0], []).append(path)
    return names


_BRACKETS = {"(": ")", "[": "]", "{": "}"}


def _signature_types(signature: str) -> tuple[str, str]:
    """Return (parameter types, result type) of a signature.

    For `f :: X => A -> B -> C`, these are `A B` and `C`.
    """
    types = signature.partition("::")[2].rpartition("=>")[2]
    parts, depth, start = [], 0, 0
    for at, character in enumerate(types):
        depth += (character in _BRACKETS) - (character in _BRACKETS.values())
        if depth == 0 and types.startswith("->", at):
            parts.append(types[start:at])
            start = at + len("->")
    return " ".join(parts), types[start:]


LANGUAGE = Language(
    name="haskell",
    suffixes=(".hs", ".hs-boot", ".hsc"),
    grammar="haskell",
    interpreters=("runghc", "runhaskell", "stack"),
    symbols=f"""
    (haskell (header module: (module) @name) @symbol.module) @extent

    ; Types: data, classes, families
    (data_type name: [(name) (prefix_id (_)) (qualified)] @name "where" @body) @symbol.struct
    (data_type name: [(name) (prefix_id (_)) (qualified)] @name
        constructors: (_)? @body) @symbol.struct
    (newtype name: [(name) (prefix_id (_))] @name constructor: (_)? @body) @symbol.struct

    (data_constructor constructor: [
        (prefix name: [(constructor) @name (prefix_id (_) @name)])
        (record name: [(constructor) @name (prefix_id (_) @name)])
        (infix operator: (_) @name)
    ]) @symbol.constructor
    (newtype_constructor name: [(constructor) @name (prefix_id (_) @name)]) @symbol.constructor
    (gadt_constructor name: [(constructor) @name (prefix_id (_) @name)]) @symbol.constructor
    (gadt_constructor names: (binding_list (constructor) @name)) @symbol.constructor

    (field name: (field_name (variable) @name)) @symbol.field

    (type_synomym name: [(name) @name (prefix_id (_) @name)]) @symbol.type
    (type_family name: [(name) @name (prefix_id (_) @name)]) @symbol.type
    (data_family name: [(name) @name (prefix_id (_) @name)]) @symbol.type
    (kind_signature name: [(name) @name (prefix_id (_) @name)]) @symbol.type

    (class name: [(name) @name (prefix_id (_) @name)] declarations: (_)? @body) @symbol.trait

    (instance name: (_) @scope patterns: (type_patterns . {_TYPE_NAME})
        declarations: (_)? @body) @symbol.impl
    (deriving_instance name: (_) @scope patterns: (type_patterns . {_TYPE_NAME})) @symbol.impl

    ; A signature and the equations below it are one function.
    (foreign_import signature: (signature name: {_NAME})) @symbol.function
    (foreign_export signature: (signature name: {_NAME}))

    (declarations (signature name: {_NAME}) @symbol.function @clause)
    (declarations (signature names: (binding_list {_NAME})) @symbol.function @clause)
    (class_declarations [
        (signature name: {_NAME})
        (signature names: (binding_list {_NAME}))
        (default_signature signature: (signature name: {_NAME}))
    ] @symbol.function @clause)

    (function name: {_NAME} match: (_) @body) @symbol.function @clause
    (function (infix operator: [(operator) @name (infix_id (variable) @name)])
        match: (_) @body) @symbol.function @clause

    (declarations (bind name: {_NAME} match: (_) @body) @symbol.function @clause)
    (class_declarations (bind name: {_NAME} match: (_) @body) @symbol.function @clause)
    (instance_declarations (bind name: {_NAME} match: (_) @body) @symbol.function @clause)
    (declarations (bind pattern: (tuple element: (variable) @name)) @symbol.variable)

    (pattern_synonym (signature synonym: (constructor) @name)) @symbol.constructor @clause
    (pattern_synonym (equation synonym: [
        (constructor) @name
        (apply function: (constructor) @name)
        (apply function: (apply function: (constructor) @name))
        (apply function: (apply function: (apply function: (constructor) @name)))
        (infix operator: (_) @name)
        (record name: (constructor) @name)
    ])) @symbol.constructor @clause

    (local_binds (signature) @_leading)
    (haddock) @_leading @doc
    """,
    relations=_RELATIONS,
    imports=_imports,
    locate=_locate,
    tests=("*Spec.hs", "*Test.hs", "*Tests.hs", "**/test/**/*.hs", "**/tests/**/*.hs"),
    excludes=("dist-newstyle/", ".stack-work/", ".cabal-sandbox/"),
    signature_types=_signature_types,
    complexity="""
    [(conditional) (alternative)] @branch
    (alternative pattern: (wildcard)) @default
    (match guards: (guards)) @branch
    ((match guards: (guards . (boolean (variable) @_rest))) @default (#eq? @_rest "otherwise"))
    ((infix operator: (operator) @_operator) @branch (#any-of? @_operator "&&" "||"))
    [(conditional) (case) (multi_way_if) (lambda_case)] @nest
    (conditional else: (conditional) @flat)
    (declarations (function) @clause)
    (class_declarations (function) @clause)
    (instance_declarations (function) @clause)
    (function patterns: (patterns (_) @parameter) @parameters)
    """,
    fragment_contexts=("PATTERN", "x = PATTERN", "x :: PATTERN"),
    metavariable_forms=("name", "Name", "name -> name"),
)
