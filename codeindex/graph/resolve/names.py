"""Resolve names at module level, in other modules, and after a dot."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, chain, pairwise
from posixpath import splitext

from codeindex.graph.expression_table import PATH_SEPARATOR
from codeindex.graph.resolve.members import member_of_side, member_of_type, own_definition
from codeindex.graph.resolve.session import ResolutionSession
from codeindex.graph.resolve.values import (
    ExternalValue,
    FileDeclarations,
    InstanceValue,
    MappedValue,
    ModuleValue,
    RecordValue,
    TupleValue,
    Value,
)
from codeindex.graph.resolve.variable_values import assigned_values, parts_of
from codeindex.graph.resolve.visible_declarations import (
    is_opaque,
    values_of_targets,
    whole_imports,
    without_repeated,
)
from codeindex.languages import BROUGHT, PACKAGE_CLAUSE, USED, language_for_path
from codeindex.languages.source_tree import (
    ANY_PACKAGE,
    DEFINITIONS_MODULE,
    PROJECT_IMPORTS,
    ModuleLocation,
)
from codeindex.types import (
    CALLABLE_KINDS,
    NAMESPACE_KINDS,
    OWNER_KINDS,
    Definition,
    Import,
    SymbolKind,
)

_SOURCE_FOLDERS = frozenset({"main", "test", "src"})
"""Folders whose folders can be variants of the sources for different builds."""
_VARIABLES = frozenset({SymbolKind.VARIABLE, SymbolKind.CONSTANT})


def module_level_values(
    session: ResolutionSession, declared: FileDeclarations, name: str
) -> Sequence[Value]:
    """Return the values of a name at the top level of the file `declared`.

    They are the file's own definition, or else imported values. If the file has a variable of the
    name and also imports it, the imported values come first.
    """
    bare = name.removesuffix("()")
    own = declared.named(name)
    imports = declared.locals.get(bare, ())
    if own and not (imports and all(imported.kind in _VARIABLES for imported in own)):
        return own[:1]
    matching = [
        value
        for imported in imports
        for value in imported_values(session, declared, imported, name[len(bare) :])
    ]
    if matching:
        return _prefer_types(matching, name)
    looks = (
        _wildcard_values,
        _values_of_whole_imports,
        _values_in_namespaces,
        _values_of_used_modules,
        _values_of_visible_files,
        _assigned_values,
    )
    for look in (looks[-1:] if declared.language.extension_functions else ()) + looks:
        values = look(session, declared, name)
        if values:
            return values
    if declared.language.textual_includes and declared.path != session.path:
        return _values_for_includer(session, declared, name)
    return tuple(_autoloaded_values(session, declared, name)) if declared.language.autoloads else ()


def _assigned_values(
    session: ResolutionSession, declared: FileDeclarations, name: str
) -> Sequence[Value]:
    return session.values(declared.value(name))


def _wildcard_values(
    session: ResolutionSession, declared: FileDeclarations, name: str
) -> Sequence[Value]:
    """Return the values that a file gets for a name by wildcard imports, like `import shop.*`.

    The file's own package comes first. If several other packages have the name, all are possible.
    """
    module_by_value = dict(wildcard_matches(session, declared, name))
    matching = {value: module_by_value[value] for value in _prefer_types([*module_by_value], name)}
    if declared.path == session.path:
        for value, module in matching.items():
            session.wildcard_uses.setdefault(module, {})[value] = True
    return tuple(matching)


def _prefer_types(values: Sequence[Value], name: str) -> Sequence[Value]:
    """Return those of the values of `name` to which a use of the name probably refers.

    For a name without a call, these are types, if there are any.
    """
    types = [
        value for value in values if isinstance(value, Definition) and value.kind in OWNER_KINDS
    ]
    return types if types and not name.endswith("()") else values


def wildcard_matches(
    session: ResolutionSession, declared: FileDeclarations, name: str
) -> Iterator[tuple[Value, str]]:
    """Yield (value, imported module) for each value that a name may have by a wildcard import.

    The file's own package counts as a wildcard import, because its names need none; its module is
    "".
    """
    for group in _wildcards_with(session, declared, name):
        known = False
        for imported in group:
            for value in _values_of_wildcard(session, declared, imported, name):
                known = True
                yield value, imported.module if imported.name != PACKAGE_CLAUSE else ""
        if known:
            return


def _wildcards_with(
    session: ResolutionSession, declared: FileDeclarations, name: str
) -> Iterable[Sequence[Import]]:
    """Return the wildcard imports that may provide `name` in groups, the nearest group first.

    If an import of a group provides the name, the later groups do not count. In languages with
    packages, one query finds the packages with a member of this name.
    """
    if declared.language.partial_types:
        return imported_namespaces(session, declared)
    if not declared.language.declares_package:
        return [(imported,) for imported in declared.patterns]
    place = session.locate(declared.path, ANY_PACKAGE + name.removesuffix("()"))
    packages = place.symbol.split(" ") if place else ()
    found = [
        imported
        for imported in declared.patterns
        if imported.module.removesuffix(".*") in packages or _is_type(imported)
    ]
    own = [(imported,) for imported in found if imported.name == PACKAGE_CLAUSE]
    return [*own, [imported for imported in found if imported.name != PACKAGE_CLAUSE]]


def imported_namespaces(
    session: ResolutionSession, declared: FileDeclarations
) -> Sequence[Sequence[Import]]:
    """Return the imports of namespaces that hold in a file, in groups, the nearest group first.

    It is the innermost namespace that the file declares; then come the imports that are written in
    it, the namespace around it, and so on; last are the other imports of the file and those of its
    whole project. All are in one group if the file declares namespaces that are not inside each
    other, because it is not known here in which of them a use is.
    """
    return session.remember(
        session.namespaces, declared.path, lambda: _find_namespaces(session, declared)
    )


def _find_namespaces(
    session: ResolutionSession, declared: FileDeclarations
) -> Sequence[Sequence[Import]]:
    is_nested = _is_nested(declared)
    groups: defaultdict[float, list[Import]] = defaultdict(list)
    outside = ((_OUTSIDE, imported) for imported in _project_imports(session, declared))
    for depth, imported in chain(_namespaces_by_depth(declared), outside):
        groups[depth if is_nested else 0.0].append(imported)
    return tuple(groups[depth] for depth in sorted(groups, reverse=True))


_OUTSIDE = -0.5
"""Depth of imports outside of all namespaces: the global namespace, of depth 0, is nearer."""


def _namespaces_by_depth(declared: FileDeclarations) -> Iterator[tuple[float, Import]]:
    """Yield (depth, import) for each import of a file, its namespaces, and those around them.

    The depth of the namespace `Shop.Web` is 2, and that of an import in it 1.5.
    """
    lines = declared.namespace_lines
    around = {outer for name in lines for outer in accumulate(name.split("."), "{}.{}".format)}
    yield from ((_depth(name), _import_of(name)) for name in sorted(around))
    for imported in declared.patterns:
        if imported.module == "*":
            yield 0.0, imported
        elif imported.module[:-2] not in around:
            before = (_depth(name) for name, line in lines.items() if line < imported.line)
            yield max(before, default=0) + _OUTSIDE, imported


def _project_imports(session: ResolutionSession, declared: FileDeclarations) -> Iterator[Import]:
    """Yield what other files of the project of a file, and its project files, import for all."""
    place = session.locate(declared.path, PROJECT_IMPORTS)
    for path in place.files if place else ():
        other = session.declared(path)
        if other and other is not declared:
            yield from (imported for imported in other.patterns if imported.exported)
    yield from map(_import_of, place.symbol.split() if place else ())


def _is_nested(declared: FileDeclarations) -> bool:
    """Tell whether each namespace of a file is inside the others, or contains them."""
    names = sorted(declared.namespace_lines, key=len)
    return all(inner.startswith(f"{outer}.") for outer, inner in pairwise(names))


def _depth(namespace: str) -> int:
    return namespace.count(".") + 1


def _import_of(namespace: str) -> Import:
    """Return a wildcard import of a namespace that is not written in the file."""
    return Import(f"{namespace}.*", "*", "*", line=0, at=0, top=True, exported=False)


def _is_type(imported: Import) -> bool:
    """Tell whether a wildcard import brings the members of a type, as in `import shop.Cart.*`.

    It probably does if the last name is capitalized.
    """
    return imported.name != PACKAGE_CLAUSE and imported.module[:-2].rpartition(".")[2][:1].isupper()


def _values_of_wildcard(
    session: ResolutionSession, declared: FileDeclarations, imported: Import, name: str
) -> Sequence[Value]:
    bare = name.removesuffix("()")
    if PATH_SEPARATOR in imported.module:  # `use crate::Shape::*` of Rust
        place = session.locate(declared.path, imported.module)
        return _member_at_location(session, place, name) if place and place.symbol else ()
    if "." in name:
        return ()
    place = session.locate(declared.path, imported.module.replace("*", bare))
    return (
        values_at_location(session, place, "", name[len(bare) :]) if place and place.symbol else ()
    )


def _values_of_whole_imports(
    session: ResolutionSession, declared: FileDeclarations, name: str
) -> Sequence[Value]:
    """Return the values of a name in files that this file imports as a whole, nearest first.

    With textual includes or conditional definitions, several definitions are possible, because the
    conditions are not known. A forward declaration counts only if there is no definition.
    """
    values: list[Value] = []
    language = declared.language
    has_variants = language.textual_includes or language.conditional_definitions
    for other in whole_imports(session, declared):
        if name in other.symbols or name in other.locals or name in other.values:
            values += _own_values(session, other, name)
        if values and not has_variants:
            break
    return without_repeated(
        session, [value for value in values if not is_opaque(session, value)] or values
    )


def _own_values(
    session: ResolutionSession, declared: FileDeclarations, name: str
) -> Iterator[Value]:
    own = declared.named(name)
    if own:
        yield own[0]
        return
    for imported in declared.locals.get(name, ()):
        yield from imported_values(session, declared, imported)
    yield from session.values(declared.value(name))


def _values_in_namespaces(
    session: ResolutionSession, declared: FileDeclarations, name: str
) -> Sequence[Value]:
    """Return the values of a name in the namespaces that a file opens (`using namespace`).

    They are those of the first namespace that has the name, or of all such namespaces if the types
    of a call's arguments decide between them, or if one may have a type and another one a value.
    """
    types = declared.language.type_only_kinds
    takes_all = declared.language.accepted_arguments is not None
    found: list[Value] = []
    known: set[bool] = set()
    for imported in declared.spaces if "." not in name else ():
        space = imported.name[:-1]  # empty if an import is incomplete
        values = module_level_values(session, declared, space + name) if space else ()
        new = [(each, isinstance(each, Definition) and each.kind in types) for each in values]
        found += [each for each, is_type in new if takes_all or is_type not in known]
        known.update(is_type for _, is_type in new)
        if not takes_all and len(known) == (2 if types else 1):
            break
    return found


def _values_of_used_modules(
    session: ResolutionSession, declared: FileDeclarations, name: str
) -> Sequence[Value]:
    """Return the values of a name that imports of used modules bind.

    A file gets the imports of the modules that it uses: see `Language.exporting_macro`.
    """
    if not declared.language.exporting_macro:
        return ()
    bare = name.removesuffix("()")
    found: list[Value] = []
    for other, imported in _brought_imports(session, declared):
        if imported.local == bare:
            found += imported_values(session, other, imported, name[len(bare) :])
        elif imported.local == "*" and not imported.module and "." not in name:
            found += module_level_values(session, declared, imported.name[:-1] + name)
    return [value for value in found if isinstance(value, Definition)]


def _brought_imports(
    session: ResolutionSession, declared: FileDeclarations
) -> Sequence[tuple[FileDeclarations, Import]]:
    """Return (file of a used module, import in it) for each import that a file gets from there."""
    known = session.brought.get(declared.path)
    if known is not None:
        return known
    found: list[tuple[FileDeclarations, Import]] = []
    queue = [each for each in declared.imports if each.top and each.local.startswith(USED)]
    visited: set[Import] = set()
    while queue:
        used = queue.pop(0)
        place = session.locate(declared.path, used.module) if used not in visited else None
        other = session.declared(place.files[0]) if place and place.files else None
        for imported in other.imports if other and other is not declared else ():
            function, _, local = imported.local.rpartition(BROUGHT)
            if imported.exported and function in {"", used.local.removeprefix(USED)}:
                brought = imported._replace(local=local)
                if local.startswith(USED):
                    queue.append(brought)
                elif other:
                    found.append((other, brought))
        visited.add(used)
    return session.brought.setdefault(declared.path, found)


def _values_of_visible_files(
    session: ResolutionSession, declared: FileDeclarations, name: str
) -> Sequence[Value]:
    if declared.language.mixed_targets:
        return values_of_targets(session, declared, name)
    for path in session.beside(declared.path):
        other = session.declared(path)
        definitions = other.named(name) if other else []
        if definitions:
            return definitions[:1]
    return ()


def _autoloaded_values(
    session: ResolutionSession, declared: FileDeclarations, name: str
) -> Iterator[Value]:
    """Yield the values of a name in the file where autoloading expects its definition.

    Such a convention is that `Shop::Cart` is in `shop/cart.rb`.
    """
    first, dot, rest = name.partition(".")
    if dot and first in declared.locals:  # an alias of an enclosing module
        with session.evaluating((declared.path, _autoloaded_values, first)) as is_first:
            # `Shop` may be an alias of `Shop.Shop`, whose name begins with the alias again
            for value in module_level_values(session, declared, first) if is_first else ():
                if isinstance(value, Definition):
                    yield from scoped_member(session, declared, value, rest)
        return
    place = session.locate(declared.path, f"::{name}")
    for path in place.files if place else ():
        other = session.declared(path)
        definitions = other.named(name) if other else []
        if declared.language.names_in_tree:  # which file is loaded is not known
            in_space = bool(declared.patterns)
            yield from (
                each for each in definitions[:1] if not (in_space and each.kind in OWNER_KINDS)
            )
        elif definitions:
            yield definitions[0]
            return


def _values_for_includer(
    session: ResolutionSession, declared: FileDeclarations, name: str
) -> Sequence[Value]:
    """Return the values of a name that a header uses, as seen in the file that includes it.

    If there are none, return the definition of this name in the sources of the header, if it is a
    type and the only definition.
    """
    user = session.declared(session.path)
    values = module_level_values(session, user, name) if user else ()
    if values:
        return values
    place = session.locate(declared.path, DEFINITIONS_MODULE)
    others = [session.declared(path) for path in place.files] if place else []
    definitions = [
        definition for other in others if other for definition in other.symbols.get(name, ())
    ]
    return definitions if len(definitions) == 1 and definitions[0].kind in OWNER_KINDS else ()


def imported_values(
    session: ResolutionSession, declared: FileDeclarations, imported: Import, suffix: str = ""
) -> Sequence[Value]:
    """Return the values that an import binds in the file `declared`.

    With the suffix `()`, only those that can be called are returned.
    """
    if not imported.module:  # an alias of a name in this file
        with session.evaluating((declared.path, imported)) as first:  # aliases may be in a circle
            is_other = first and imported.name != imported.local
            return module_level_values(session, declared, imported.name) if is_other else ()
    place = session.locate(declared.path, imported.module)
    if place is None or is_external_import(session, declared, imported, place):
        return (
            ExternalValue(
                f"{imported.module}.{imported.name}" if imported.name else imported.module
            ),
        )
    return values_at_location(session, place, imported.name, suffix)


def qualified_values(
    session: ResolutionSession, declared: FileDeclarations, name: str
) -> Sequence[Value]:
    """Return the values of a name with namespaces in the file `declared`.

    `.A.B` is absolute; in `A.B`, A may be imported or be in an opened namespace.
    """
    first, _, rest = name.partition(".")
    imported = [each.module for each in declared.locals.get(first, ()) if each.module]
    own = [each.module[:-1] for each in declared.patterns if each.name == "*"]
    modules = [f"{module}.{rest}" for module in imported] or [f"{space}{name}" for space in own]
    modules = [rest] if not first else modules or [name]
    places = [session.locate(declared.path, module) for module in modules]
    for place in places:
        values = values_at_location(session, place, "") if place and place.symbol else ()
        if values:
            return values
    return () if any(places) else (ExternalValue(modules[0]),)


def is_external_import(
    session: ResolutionSession, declared: FileDeclarations, imported: Import, place: ModuleLocation
) -> bool:
    """Tell whether an import is external although `place`, its module, is in the repository.

    It is if the module does not define the imported name.
    """
    fully = declared.language.declares_package and place.symbol and "*" not in imported.module
    return bool(fully) and not values_at_location(session, place, imported.name)


def values_at_location(
    session: ResolutionSession, place: ModuleLocation, name: str, suffix: str = ""
) -> Sequence[Value]:
    """Return the values of a name in the module or symbol at a location.

    If the name is empty, return the module or symbol itself. With the suffix `()`, return only
    values that can be called.
    """
    if place.symbol and name:
        return _member_at_location(session, place, name + suffix)
    if place.symbol:
        return _symbol_at_location(session, place, suffix)
    return exported_values(session, place, name + suffix) if name else (ModuleValue(place),)


def _member_at_location(
    session: ResolutionSession, place: ModuleLocation, name: str
) -> Sequence[Value]:
    """Return the values of `name` as a member of the symbol at a location.

    The symbol may be defined in the location's files or imported there.
    """
    first, *rest = place.symbol.split(".")
    values: Sequence[Value] = exported_values(session, replace(place, symbol=""), first)
    for part in (*rest, name):
        values = [member for value in values for member in member_values(session, value, part)]
    return values


def _symbol_at_location(
    session: ResolutionSession, place: ModuleLocation, suffix: str
) -> Sequence[Value]:
    """Return the definitions of a location's symbol in the location's files.

    Names that these files import are not searched. Extension functions of one name may be in
    several files of a folder, so all are returned, and so are the variants of a definition for
    other builds.
    """
    owner, _, name = place.symbol.rpartition(".")
    all_values: list[Value] = []
    folder = ""
    for path in place.files:
        declared = session.declared(path)
        if all_values and not path.startswith(folder):
            break
        values: Sequence[Value] = ()
        for called in (suffix, "()") if declared and declared.language.method_names else (suffix,):
            own = own_definition(session, declared, place.symbol + called) if declared else ()
            around = declared.symbols.get(owner, ())[:1] if declared and not own else ()
            values = (
                values
                or own
                or [
                    each
                    for type_ in around
                    for each in member_of_type(session, type_, name + called)
                ]
            )
        all_values += values
        if values and (owner or declared is None or not declared.language.extension_functions):
            all_values += _in_build_variants(session, place, path)
            break
        folder = folder or path.removesuffix(path.rpartition("/")[2])
    return all_values


def _in_build_variants(
    session: ResolutionSession, place: ModuleLocation, path: str
) -> Iterator[Value]:
    """Yield the definitions of a location's symbol in the variants of a file for other builds.

    Their paths differ in the source folder: `src/main/scala-2.13` and `src/main/scala-3`.
    """
    parts = path.split("/")
    for other in place.files:
        unlike = [pair for pair in zip(parts, other.split("/"), strict=False) if len({*pair}) > 1]
        at = parts.index(unlike[0][0]) if len(unlike) == 1 else 0
        is_root = (
            at > 0 and parts[at - 1] in _SOURCE_FOLDERS and other.count("/") == path.count("/")
        )
        if is_root and all("-" in part for part in unlike[0]):
            declared = None if parts[at] in session.path.split("/") else session.declared(other)
            yield from declared.symbols.get(place.symbol, ())[:1] if declared else ()


def exported_values(
    session: ResolutionSession, place: ModuleLocation, name: str
) -> Sequence[Value]:
    """Return the values that the module at `place` exports under a name."""
    end, last_name = _follow_reexports(session, place, name)
    if end != place and (values := exported_values(session, end, last_name)):
        return values
    with session.evaluating((place, name)) as first:
        for path in place.files if first else ():
            declared = session.declared(path)
            values = module_level_values(session, declared, name) if declared else ()
            if values:
                return values
            if declared and declared.language.module_default:
                if name in {"default", "exports"}:
                    exports = module_level_values(session, declared, "exports")
                    return exports or (ModuleValue(place),)
                values = own_definition(session, declared, f"exports.{name}")
                if values:
                    return values
        child = _undeclared_submodule(session, place, name) if first else None
        return (ModuleValue(child),) if child else ()


def _follow_reexports(
    session: ResolutionSession, place: ModuleLocation, name: str
) -> tuple[ModuleLocation, str]:
    """Follow a name through re-exports; return (module that no longer re-exports it, name there).

    The search ends at the first module that is not one file with one import of the name. It uses no
    recursion, because chains can be longer than the depth limit.
    """
    bare = name.removesuffix("()")
    visited: set[tuple[ModuleLocation, str]] = set()
    while (place, bare) not in visited and not place.symbol and len(place.files) == 1:
        visited.add((place, bare))
        declared = session.declared(place.files[0])
        imports = declared.locals.get(bare, ()) if declared else ()
        if declared is None or declared.named(bare) or len(imports) != 1:
            break
        imported = imports[0]
        named = imported.module and imported.name and imported.name != "*"
        further = session.locate(declared.path, imported.module) if named else None
        if further is None or further.symbol:
            break
        place, bare = further, imported.name
    return place, bare + "()" * name.endswith("()")


def _undeclared_submodule(
    session: ResolutionSession, place: ModuleLocation, name: str
) -> ModuleLocation | None:
    """Return the submodule `name`, found by the path of its file; None if there is no such file.

    It is for submodules that no code imports or declares.
    """
    if place.folder:  # as a relative import in the package finds it
        return session.locate(f"{place.folder}/_{splitext(session.path)[1]}", f".{name}")
    language = language_for_path(place.files[0]) if len(place.files) == 1 else None
    if language is None or not language.nested_modules:
        return None
    child = session.locate(place.files[0], f"self::{name.removesuffix('()')}")
    return child if child and not child.symbol else None


def member_values(session: ResolutionSession, value: Value, name: str) -> Iterable[Value]:
    """Return the values of the member `name` of a value."""
    match value:
        case ModuleValue(place):
            return exported_values(session, place, name)
        case ExternalValue(package):
            return (ExternalValue(f"{package}.{name.removesuffix('()')}"),)
        case MappedValue() | RecordValue() | TupleValue():
            return _member_of_structure(session, value, name)
        case InstanceValue(of, _, above):
            return member_of_side(session, of, name, is_type=False, above=above) if of else ()
        case Definition():
            return _members_of_definition(session, value, name)
        case _:
            return ()


def _member_of_structure(
    session: ResolutionSession, value: MappedValue | RecordValue | TupleValue, name: str
) -> Iterable[Value]:
    """Return the values of a member of an object with known structure.

    A mapped type has members of any name, with the same values. A tuple has its parts, by index.
    """
    if isinstance(value, MappedValue):
        return session.values(value.member)
    if isinstance(value, RecordValue):
        _, *members = session.expression(value.members)
        types = dict(zip(members[::2], members[1::2], strict=True))
        number = types.get(name.removesuffix("()"), 0)
        return session.values(value.members._replace(number=int(number)))
    return parts_of(session, value, int(name)) if name.isdecimal() else ()


def _member_of_namespace(session: ResolutionSession, of: Definition, name: str) -> Sequence[Value]:
    """Return the values of the member `name` of a namespace.

    They are its own definitions, or else names that the namespace imports one by one.
    """
    own = member_of_type(session, of, name)
    declared = session.declared(of.file)
    imports: Sequence[Import] = ()
    if declared and not own:
        imports = declared.locals.get(f"{of.qualified}.{name.removesuffix('()')}", ())
    if declared is None or not imports:
        return own
    return session.remember(
        session.namespace_imports,
        (of, name),
        lambda: _namespace_imports(session, declared, imports, of, name),
    )


def _namespace_imports(
    session: ResolutionSession,
    declared: FileDeclarations,
    imports: Sequence[Import],
    of: Definition,
    name: str,
) -> Sequence[Value]:
    ending = name[len(name.removesuffix("()")) :]
    with session.evaluating((of, name)) as first:
        return [
            value
            for imported in (imports if first else ())
            for value in imported_values(session, declared, imported, ending)
        ]


def _members_of_definition(
    session: ResolutionSession, of: Definition, name: str
) -> Sequence[Value]:
    """Return what the member `name` of a definition may be.

    Of a variable it is the member of its values, of a function a method of the function object.
    """
    if of.kind in NAMESPACE_KINDS:
        return _member_of_namespace(session, of, name)
    if of.kind in OWNER_KINDS:
        return member_of_type(session, of, name)
    declared = session.declared(of.file)
    own = f"{of.qualified}.{name}"
    if of.kind in CALLABLE_KINDS:
        has_members = declared is not None and declared.language.object_methods
        methods = declared.symbols.get(own, ()) if declared and has_members else ()
        return [method for method in methods if method.kind is SymbolKind.METHOD]
    members = [
        member
        for each in assigned_values(session, of)
        for member in member_values(session, each, name)
    ]
    return members or (own_definition(session, declared, own) if declared else ())


def scoped_member(
    session: ResolutionSession,
    declared: FileDeclarations,
    of: Definition,
    name: str,
    *,
    is_any_side: bool = False,
) -> Sequence[Value]:
    """Return the values of a type's or namespace's member.

    If `of` does not define the member itself, other files may. With `is_any_side`, members of its
    instances are returned too; see `member_of_side`.
    """
    members = member_of_side(session, of, name, is_type=of.kind is not SymbolKind.TEST)
    if is_any_side:
        members = tuple(
            dict.fromkeys((*members, *member_of_side(session, of, name, is_type=False)))
        )
    constants = declared.language.outer_members
    if of.kind is SymbolKind.TEST or (constants and not constants.match(name)):
        return members
    if any(isinstance(member, Definition) and member.kind is SymbolKind.IMPL for member in members):
        return ()  # an `impl` has the name of its type: the name refers to the type
    return members or module_level_values(session, declared, f"{of.qualified}.{name}")
