"""Define Swift. An extension of a type is a symbol of the kind `impl`."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache

from codeindex.languages._base import Language, Visibility
from codeindex.languages._xcode_projects import MANIFEST, project_targets
from codeindex.languages.source_tree import ModuleLocation, SourceTree

_FUNCTION = """[
        (simple_identifier) (custom_operator)
        "+" "-" "*" "/" "%" "<" ">" "<=" ">=" "==" "!=" "===" "!==" "+=" "-=" "*=" "/=" "%="
        "!" "~" "|" "&" "^" "<<" ">>" "++" "--"]"""
"""Pattern of the names of functions and operators."""

_RELATIONS = """
(import_declaration (identifier) @module @skip) @import @all
(import_declaration (identifier (simple_identifier) @skip))
(class_declaration name: (type_identifier) @skip)
(protocol_declaration name: (type_identifier) @skip)
(typealias_declaration name: (type_identifier) @skip)
(associatedtype_declaration name: (type_identifier) @skip)
(function_declaration name: (simple_identifier) @skip)
(protocol_function_declaration name: (simple_identifier) @skip)
(navigation_suffix suffix: (simple_identifier) @skip)
(value_argument name: (value_argument_label (simple_identifier) @skip))
(parameter external_name: (simple_identifier) @skip)
(prefix_expression target: (simple_identifier) @skip)
(switch_pattern (pattern (simple_identifier) @skip))
(enum_entry name: (simple_identifier) @skip)
(user_type (type_identifier) . (type_identifier) @skip)

(lambda_literal) @scope
[(if_statement) (guard_statement) (for_statement) (switch_entry) (catch_block)] @block

(type_parameter (type_identifier) @parameter @skip)
(parameter name: (simple_identifier) @bind . name: (_) @type)
(property_declaration name: (pattern bound_identifier: (simple_identifier) @bind)
    (type_annotation (_) @type))
(property_declaration name: (pattern bound_identifier: (simple_identifier) @bind)
    value: (_) @value)
(for_statement item: (pattern bound_identifier: (simple_identifier) @bind) collection: (_) @each)
(pattern (pattern bound_identifier: (simple_identifier) @bind) name: (_) @type)
(pattern bound_identifier: (simple_identifier) @bind)
(if_statement bound_identifier: (simple_identifier) @bind . "=" . (_) @value)
(guard_statement bound_identifier: (simple_identifier) @bind . "=" . (_) @value)
(while_statement bound_identifier: (simple_identifier) @bind . "=" . (_) @value)
((call_expression (navigation_expression target: (_) @each
    suffix: (navigation_suffix suffix: (simple_identifier) @_each))
    (call_suffix (lambda_literal type: (lambda_function_type (lambda_function_type_parameters
        . (lambda_parameter name: (simple_identifier) @bind) .)))))
    (#any-of? @_each "allSatisfy" "compactMap" "contains" "filter" "flatMap" "forEach" "map"))
(lambda_parameter name: (simple_identifier) @bind)

(function_declaration name: [(user_type) (optional_type)] @result)
(protocol_function_declaration name: [(user_type) (optional_type)] @result)
(class_declaration (inheritance_specifier
    inherits_from: (user_type . (type_identifier) @base . (type_arguments)? .)))
(protocol_declaration (inheritance_specifier
    inherits_from: (user_type . (type_identifier) @base .)))

(navigation_expression target: (_) @of
    suffix: (navigation_suffix suffix: (simple_identifier) @attribute)) @member
(call_expression . (_) @of (call_suffix (value_arguments . "["))) @item
(call_expression . (_) @of (call_suffix) @arguments) @call
(as_expression (as_operator) (_) @of) @instance
(tuple_expression . value: (_) @of .) @same
(postfix_expression target: (_) @of) @same
(try_expression expr: (_) @of) @same
(await_expression expr: (_) @of) @same
(optional_type wrapped: (_) @of) @same
(user_type . (type_identifier) @of . (type_identifier) @attribute .) @member
(user_type . (type_identifier) @of .) @same
(user_type . (type_identifier) @of . (type_arguments (_) @argument .) .) @generic
(array_type "[" @of (_) @argument) @generic
(self_expression) @this
(super_expression) @super
[(simple_identifier) (type_identifier)] @name
"""

_ROOTS = ("Sources", "Tests")
_WHOLE = ("Source", "src")
"""Source folders of a repository with a single target, which its manifest or project names."""


def _locate(tree: SourceTree, _path: str, module: str) -> ModuleLocation | None:
    """Return the files of the build target that a module name refers to."""
    target = module.partition(".")[0]
    files = _targets(tree).get(target) or _targets(tree).get("")
    known = target in _targets(tree) or any(
        file.endswith(f"{target}.podspec") for file in tree.files
    )
    return ModuleLocation(tuple(files)) if files and known else None


def _visible_files(tree: SourceTree, path: str) -> Sequence[str]:
    """Return the files of the build targets to which a file belongs, itself included.

    A file outside the folders of a package and the targets of Xcode projects sees its top folder.
    """
    target = _target(path)
    if target is None:
        return _files_beside(tree).get(path, ())
    return _targets(tree).get(target, ())


def _target(path: str) -> str | None:
    parts = path.split("/")[:-1]
    for at, part in enumerate(parts):
        if part in _ROOTS:
            return parts[at + 1] if at + 1 < len(parts) else f"{part}:"
    return "" if parts[:1] and parts[0] in _WHOLE else None


@lru_cache(maxsize=4)
def _targets(tree: SourceTree) -> Mapping[str, Sequence[str]]:
    """Return {name: files} of all targets; those of packages have precedence."""
    targets: dict[str, list[str]] = {}
    for path in sorted(tree.files):
        target = _target(path) if path.endswith(".swift") else None
        if target is not None:
            targets.setdefault(target, []).append(path)
    return {**project_targets(tree), **targets}


@lru_cache(maxsize=4)
def _files_beside(tree: SourceTree) -> Mapping[str, Sequence[str]]:
    """Return {file: files that it sees} for the files outside the folders of packages."""
    targets: dict[str, tuple[str, ...]] = {}
    for name, files in project_targets(tree).items():
        for path in files:
            targets[path] = (*targets.get(path, ()), name)
    groups: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for path in sorted(tree.files):
        if path.endswith(".swift") and _target(path) is None:
            groups[targets.get(path, ("", path.partition("/")[0]))].append(path)
    visible: dict[str, Sequence[str]] = {}
    for names, paths in groups.items():
        own = () if names[:1] == ("",) else names  # a folder can have the name of a target
        built = [file for name in own for file in project_targets(tree).get(name, ())]
        visible |= dict.fromkeys(paths, sorted({*paths, *built}))
    return visible


_REPAIRS = (
    (
        # func load() throws(LoadError)
        r"(?<=\bthrows)\([\w.]*\)",
        # nonisolated(unsafe) var
        r"(?<=\bnonisolated)\(\w+\)",
        # isolated deinit, sending Cart
        r"\b(?:isolated(?=[ \t]+deinit\b)|sending(?=[ \t]+\w))",
        # discard self
        r"(?m)^[ \t]*discard(?=[ \t]+self\b)",
    ),
)
"""Match valid expressions that the grammar rejects: see `Language.repairs`."""

LANGUAGE = Language(
    name="swift",
    suffixes=(".swift",),
    grammar="swift",
    repairs=_REPAIRS,
    interpreters=("swift",),
    symbols=f"""
    (class_declaration "struct" name: (_) @name) @symbol.struct
    (class_declaration "enum" name: (_) @name) @symbol.enum
    (class_declaration "extension" name: (_) @name) @symbol.impl
    (class_declaration name: (_) @name) @symbol.class
    (protocol_declaration name: (_) @name) @symbol.interface
    (enum_entry name: (simple_identifier) @name) @symbol.enum_member
    (typealias_declaration name: (type_identifier) @name) @symbol.type
    (associatedtype_declaration name: (type_identifier) @name) @symbol.type
    (precedence_group_declaration (simple_identifier) @name) @symbol.type
    (operator_declaration (custom_operator) @name) @symbol.function
    (macro_declaration (simple_identifier) @name) @symbol.macro

    (function_declaration name: {_FUNCTION} @name) @symbol.function
    (protocol_function_declaration name: {_FUNCTION} @name) @symbol.function
    (init_declaration "init" @name) @symbol.constructor
    (deinit_declaration "deinit" @name) @symbol.method
    (subscript_declaration "subscript" @name (computed_property) @body) @symbol.method

    (protocol_property_declaration
        name: (pattern bound_identifier: (simple_identifier) @name)) @symbol.property
    (class_body (property_declaration
        name: (pattern bound_identifier: (simple_identifier) @name)
        computed_value: (_)? @body) @symbol.property)
    (class_body (property_declaration
        name: (pattern (pattern (simple_identifier) @name))) @symbol.property)
    (enum_class_body (property_declaration
        name: (pattern bound_identifier: (simple_identifier) @name)
        computed_value: (_)? @body) @symbol.property)
    (source_file (property_declaration
        name: (pattern bound_identifier: (simple_identifier) @name)
        value: (lambda_literal) @body) @symbol.function)
    ((source_file (property_declaration (value_binding_pattern) @_let
        name: (pattern bound_identifier: (simple_identifier) @name)) @symbol.constant)
        (#eq? @_let "let"))
    (source_file (property_declaration
        name: (pattern bound_identifier: (simple_identifier) @name)
        computed_value: (_)? @body) @symbol.variable)
    """,
    relations=_RELATIONS,
    manifests=(MANIFEST,),
    locate=_locate,
    visible_files=_visible_files,
    mixed_targets=True,
    file_private=r"(?:@\S+ |(?!(?:actor|class|enum|func|let|protocol|struct|var)\b)\w+ )*?"
    r"(?:file)?private\b(?!\()",
    implicit_receiver=True,
    overloads=True,
    inherited_overloads="all",
    leading=("comment", "multiline_comment"),
    tests=("Tests/**", "*Tests/**/*.swift", "*Tests.swift", "*Test.swift", "*Spec.swift"),
    lock_files=("Package.resolved",),
    excludes=(".build/", ".swiftpm/", "DerivedData/", "Pods/", "Carthage/", "*.xcassets/"),
    passive_decorators=frozenset(
        {"MainActor", "available", "discardableResult", "inlinable", "usableFromInline"}
    ),
    visibility=Visibility(
        private=re.compile(r"\b(?:private|fileprivate)\b"),
        is_explicit=True,
        public_extension=re.compile(r"(?:public|open)\s+extension\b"),
    ),
    complexity="""
    [(if_statement) (guard_statement) (for_statement) (while_statement) (repeat_while_statement)
        (catch_block) (ternary_expression) (nil_coalescing_expression) (conjunction_expression)
        (disjunction_expression)] @branch
    (switch_entry (switch_pattern)) @branch
    [(if_statement) (for_statement) (while_statement) (repeat_while_statement) (switch_statement)
        (do_statement)] @nest
    (if_statement (else) . (if_statement) @flat)
    [(function_declaration) (init_declaration) (subscript_declaration)] @parameters
    (parameter) @parameter
    """,
    fragment_contexts=("PATTERN", "func f() { PATTERN }", "class C { PATTERN }"),
    metavariable_forms=("name", "name: Name", "var name: Name", "case name: name"),
)
