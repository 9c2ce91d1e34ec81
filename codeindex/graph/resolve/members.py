"""Find the members of types and of instances, own and inherited."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from codeindex.graph.expression_table import CLASS_MARK, INCLUDER_MARK, SETTER_SUFFIX
from codeindex.graph.resolve.base_types import (
    MAX_BASES,
    base_types,
    declared_definitions,
    reopening_files,
    type_named,
    with_base_types,
)
from codeindex.graph.resolve.session import ResolutionSession
from codeindex.graph.resolve.values import (
    STORED_KINDS,
    FileDeclarations,
    MappedValue,
    Value,
)
from codeindex.graph.resolve.variable_values import aliased_values
from codeindex.languages import Language
from codeindex.languages.source_tree import ANY_PACKAGE, INCLUDERS_MARK
from codeindex.types import (
    CALLABLE_KINDS,
    CONTAINER_KINDS,
    NAMESPACE_KINDS,
    OWNER_KINDS,
    Definition,
    SymbolKind,
)

_MAX_INCLUDERS = 8
"""Maximum files that include a module: to look at more costs more time than all other steps, and
their types rarely agree in a member."""
_MEMBER_KINDS = CALLABLE_KINDS | {SymbolKind.PROPERTY, SymbolKind.FIELD}
"""Kinds of members that belong either to a type itself or to its instances."""
_CONCERN = "Concern"
_CONSTANTS = CONTAINER_KINDS | {SymbolKind.CONSTANT}
_NO_CONSTRUCTORS = NAMESPACE_KINDS | {SymbolKind.TEST}


def own_definition(
    session: ResolutionSession, declared: FileDeclarations, qualified: str
) -> tuple[Value, ...]:
    """Return the first definition of a qualified name in a file, as a tuple of one.

    Without a definition, return the values assigned to the name. A name that ends in `()` matches
    only methods and functions.
    """
    bare = qualified.removesuffix("()")
    definitions: Sequence[Definition] = declared.symbols.get(bare, ())
    if declared.language.reopened_types:  # `describe Cart` in a module is no `Cart` of it
        definitions = [each for each in definitions if each.kind is not SymbolKind.TEST]
    if not definitions and bare.endswith(SETTER_SUFFIX):  # `attr_accessor :name`
        same = declared.symbols.get(bare.removesuffix(SETTER_SUFFIX), ())
        definitions = [each for each in same if each.kind is SymbolKind.PROPERTY]
    if not definitions:
        return session.values(declared.value(qualified))
    if bare != qualified:
        makes = {SymbolKind.ENUM_MEMBER} if declared.language.uncallable else set()
        stored = STORED_KINDS - makes  # variants with fields are called like functions
        methods = [definition for definition in definitions if definition.kind not in stored]
        definitions = methods or (definitions if declared.language.callable_variables else ())
    elif declared.language.method_names:
        definitions = [each for each in definitions if each.kind not in CALLABLE_KINDS]
    if declared.language.reopened_types and len(definitions) > 1:
        return _one_of_each_side(declared, definitions)
    return tuple(definitions[:1]) or session.values(declared.value(qualified))


def _one_of_each_side(
    declared: FileDeclarations, definitions: Sequence[Definition]
) -> tuple[Definition, ...]:
    """Return the first method of a class itself, and the first method of its instances.

    If a constant has the same name, like `Integer` in Ruby, return the constant.
    """
    constants = [each for each in definitions if each.kind in _CONSTANTS]
    if constants:
        return (constants[0],)
    sides: dict[bool, Definition] = {}
    for each in definitions:
        sides.setdefault(declared.is_class_method(each), each)
    return tuple(sides.values())


def member_of_side(
    session: ResolutionSession, of: Definition, name: str, *, is_type: bool, above: bool = False
) -> Sequence[Value]:
    """Return the values of the member `name` that a type itself has, or that its instances have.

    Only languages with reopened types, such as Ruby, tell both kinds of members apart by their
    definitions. There, a type itself has its own methods, those of its superclasses, and the
    methods for instances of the modules that extend it. A module that it includes gives it only the
    methods with which the module extends each type that includes it.
    """
    declared = session.declared(of.file)
    language = declared.language if declared else None
    constants = language.outer_members if language and language.reopened_types else None
    if language is None or constants is None or constants.match(name):
        return member_of_type(session, of, name, above=above)
    return session.remember(
        session.sides,
        (of, name, is_type, above),
        lambda: _nearest_of_side(session, language, of, name, is_type=is_type, above=above),
    )


def _nearest_of_side(
    session: ResolutionSession,
    language: Language,
    of: Definition,
    name: str,
    *,
    is_type: bool,
    above: bool,
) -> tuple[Value, ...]:
    queue, queued = [(of, is_type)], {(of, is_type)}
    while queue:
        type_, is_side = queue.pop(0)
        members = () if above and type_ == of else own_member(session, type_, name)
        on_side = _on_side(session, language, members, is_type=is_side)
        if not on_side and is_type and type_ == of and of.kind is SymbolKind.MODULE:
            on_side = members  # `module_function` and `extend self`
        if on_side:
            return tuple(on_side)
        bases = _bases_of_side(session, type_, is_type=is_side) if len(queued) < MAX_BASES else ()
        new = [each for each in bases if each not in queued]
        queue += new
        queued.update(new)
    return ()


def _on_side(
    session: ResolutionSession, language: Language, members: Sequence[Value], *, is_type: bool
) -> Sequence[Value]:
    """Return those of `members` that a type itself has, or those that its instances have."""
    shared = language.type_members
    return [
        each
        for each in members
        if not isinstance(each, Definition)
        or each.kind not in _MEMBER_KINDS
        or (shared and shared.match(each.signature))
        or _is_class_method(session, each) == is_type
    ]


def _bases_of_side(
    session: ResolutionSession, of: Definition, *, is_type: bool
) -> Sequence[tuple[Definition, bool]]:
    """Return the types from which a type itself, or its instances, get members, nearest first.

    Each is a pair (type, whether its own members count, not those of its instances).
    """
    return session.remember(
        session.side_bases,
        (of, is_type),
        lambda: tuple(dict.fromkeys(_find_bases_of_side(session, of, is_type=is_type))),
    )


def _find_bases_of_side(
    session: ResolutionSession, of: Definition, *, is_type: bool
) -> Iterator[tuple[Definition, bool]]:
    bases = _last_module_first(base_types(session, of))
    if not is_type:
        yield from ((base, False) for base in bases)
        return
    for base in reversed([*_marked_bases(session, of, CLASS_MARK)]):
        yield base, base.kind is not SymbolKind.MODULE
    modules = [base for base in bases if base.kind is SymbolKind.MODULE]
    included = dict.fromkeys(modules)
    for module in modules:
        included |= dict.fromkeys(with_base_types(session, module))
    for module in included:
        yield from ((each, False) for each in _extending_includers(session, module))
        if _is_concern(session, module):
            yield module, True
    yield from ((base, True) for base in bases if base.kind is not SymbolKind.MODULE)


def _last_module_first(bases: Sequence[Definition]) -> Sequence[Definition]:
    """Return base types as Ruby looks members up: the last module first, the superclass last."""
    modules = [base for base in reversed(bases) if base.kind is SymbolKind.MODULE]
    return [*modules, *(base for base in bases if base.kind is not SymbolKind.MODULE)]


def _extending_includers(session: ResolutionSession, of: Definition) -> Iterator[Definition]:
    """Yield the modules with which the module `of` extends each type that includes it."""
    yield from _marked_bases(session, of, INCLUDER_MARK)
    declared = session.declared(of.file)
    if declared is not None and declared.language.extending_module:
        name = f"{of.qualified}.{declared.language.extending_module}"
        yield from type_named(session, declared, name)


def _marked_bases(session: ResolutionSession, of: Definition, mark: str) -> Iterator[Definition]:
    """Yield the types that any file declares for `of` with this mark before its name."""
    for path in (of.file, *reopening_files(session, of)):
        declared = session.declared(path)
        numbers = declared.bases.get(mark + of.qualified, ()) if declared else ()
        for base in declared_definitions(session, path, numbers):
            if base.kind in CONTAINER_KINDS:
                yield base


def _is_concern(session: ResolutionSession, of: Definition) -> bool:
    """Tell whether types that include a module also get the methods of the module itself.

    `extend ActiveSupport::Concern` makes it so.
    """
    declared = session.declared(of.file)
    numbers = declared.bases.get(CLASS_MARK + of.qualified, ()) if declared else ()
    return declared is not None and any(
        declared.expressions[number][-1] == _CONCERN for number in numbers
    )


def _is_class_method(session: ResolutionSession, value: Value) -> bool:
    if not isinstance(value, Definition):
        return False
    declared = session.declared(value.file)
    return declared is not None and declared.is_class_method(value)


def member_of_type(
    session: ResolutionSession, of: Definition, name: str, *, above: bool = False
) -> tuple[Value, ...]:
    """Return the values of the member `name` of a type, own or inherited.

    They are those in the nearest base type that has the member. With `above`, only base types are
    searched, as for `super`. Return () without such a member.
    """
    return session.remember(
        session.members, (of, name, above), lambda: _nearest_member(session, of, name, above=above)
    )


def _nearest_member(
    session: ResolutionSession, of: Definition, name: str, *, above: bool
) -> tuple[Value, ...]:
    order = _LookupOrder(session, of)
    mapped: list[Value] = []
    promised: tuple[Value, ...] = ()
    for type_ in order.types():
        members = () if above and type_ == of else own_member(session, type_, name)
        if members and type_.kind is not SymbolKind.INTERFACE:
            return members
        promised = promised or members
        bases = order.new_bases(type_)
        if type_.kind is SymbolKind.TYPE and len(bases) > 1:
            members = _member_of_any(session, type_, bases, name)
            if members:
                return members
        else:
            order.append(type_, bases)
        if type_.kind is SymbolKind.TYPE:
            mapped += _mapped_members(session, type_)
    return promised or tuple(dict.fromkeys(mapped))


class _LookupOrder:
    """The types in which a member of the type `of` is looked up, nearest first.

    The base types of a mixin come last in languages with `mixin_constraints`: they are also base
    types of the types that it is mixed into, and these may override their members.
    """

    def __init__(self, session: ResolutionSession, of: Definition) -> None:
        self._session = session
        self._of = of
        self._queue = [of]
        self._queued = {of}
        self._required: dict[Definition, None] = {}

    def types(self) -> Iterator[Definition]:
        """Yield the types; `append` adds more."""
        while self._queue or self._required:
            if self._queue:
                yield self._queue.pop(0)
            else:
                self._extend([base for base in self._required if base not in self._queued])
                self._required.clear()

    def new_bases(self, type_: Definition) -> Sequence[Definition]:
        """Return the direct base types of a type that were not added before, nearest first."""
        bases = [base for base in base_types(self._session, type_) if base not in self._queued]
        declared = self._session.declared(type_.file) if len(bases) > 1 else None
        is_reopened = declared is not None and declared.language.reopened_types
        return _last_module_first(bases) if is_reopened else bases

    def append(self, type_: Definition, bases: Iterable[Definition]) -> None:
        """Add the base types of `type_`, unless there are too many."""
        if len(self._queued) < MAX_BASES:
            if type_ != self._of and self._is_constrained(type_):
                self._required.update(dict.fromkeys(bases))
            else:
                self._extend(bases)

    def _extend(self, types: Iterable[Definition]) -> None:
        self._queue += dict.fromkeys(types)
        self._queued.update(types)

    def _is_constrained(self, type_: Definition) -> bool:
        is_mixin = type_.kind is SymbolKind.TRAIT
        declared = self._session.declared(type_.file) if is_mixin else None
        return declared is not None and declared.language.mixin_constraints


def _mapped_members(session: ResolutionSession, of: Definition) -> Iterator[Value]:
    """Yield the values of a mapped type's members.

    All members have the same values, as in TypeScript's `{[K in Keys]: Value}`.
    """
    for value in aliased_values(session, of):
        if isinstance(value, MappedValue):
            yield from session.values(value.member)


def _member_of_any(
    session: ResolutionSession, of: Definition, types: Sequence[Definition], name: str
) -> tuple[Value, ...]:
    """Return the values of the member `name` in those types of a union that have it."""
    with session.evaluating((of, name)) as first:
        members = (
            (member for type_ in types for member in member_of_type(session, type_, name))
            if first
            else ()
        )
        return tuple(dict.fromkeys(members))


def own_member(session: ResolutionSession, of: Definition, name: str) -> tuple[Value, ...]:
    """Return the values of the member `name` of a type itself, without its base types."""
    if name == of.qualified.rpartition(".")[2] and of.kind not in _NO_CONSTRUCTORS:
        return ()  # a constructor in Java and C++: such a name refers to the type
    qualified = f"{of.qualified}.{name}"
    found: list[Value] = []
    for path in _files_with(session, of, qualified):
        declared = session.declared(path)
        members = own_definition(session, declared, qualified) if declared else ()
        if members and declared and not declared.language.reopened_types:
            return members
        found += members
    return _of_one_kind(found) if found else ()


def _of_one_kind(members: Sequence[Value]) -> tuple[Value, ...]:
    """Return all of `members` if all are functions; several files may define them.

    Otherwise return only the first member, which is a constant or attribute.
    """
    functions = [
        each for each in members if isinstance(each, Definition) and each.kind in CALLABLE_KINDS
    ]
    return tuple(dict.fromkeys(functions if len(functions) == len(members) else members[:1]))


def _files_with(session: ResolutionSession, of: Definition, member: str) -> Sequence[str]:
    """Return the files that may define a member of a type; `member` is its qualified name."""
    declared = session.declared(of.file)
    language = declared.language if declared else None
    constants = language.outer_members if language and language.reopened_types else None
    name = member.rpartition(".")[2]
    if constants and constants.match(name):
        having = session.locate(session.path, f"{ANY_PACKAGE}{name}")  # one query for all bases
        if having is None or of.qualified not in having.symbol.split(" "):
            return (of.file,)
        place = session.locate(of.file, f"::{member}")
        return (of.file, *(place.files if place else ()))
    return _files_of_type(session, of)


def _files_of_type(session: ResolutionSession, of: Definition) -> Sequence[str]:
    """Return the files that may define members of a type, the type's own file first."""
    parts = session.parts.get(of)
    if parts is None:
        parts = session.parts[of] = tuple(
            dict.fromkeys(
                (
                    of.file,
                    *_parts_beside(session, of),
                    *_extending_file(session, of),
                    *reopening_files(session, of),
                )
            )
        )
    return parts


def _parts_beside(session: ResolutionSession, of: Definition) -> Iterable[str]:
    """Return the visible files that may define members of a type.

    In languages with `mixed_targets`, these are the files that extend the type.
    """
    declared = session.declared(of.file)
    if declared is None or not declared.language.mixed_targets:
        return session.beside(of.file)
    defining = session.beside_defining(of.file, of.qualified)
    visible = [(path, session.declared(path)) for path in defining]
    parts = [(path, other.symbols.get(of.qualified)) for path, other in visible if other]
    return [
        path for path, own in parts if own and all(part.kind is SymbolKind.IMPL for part in own)
    ]


def _extending_file(session: ResolutionSession, of: Definition) -> Iterator[str]:
    """Yield the path of the file being resolved if it only adds members to the type `of`.

    A Rust `impl` adds members to a type that another file defines. Else yield nothing.
    """
    own = session.declared(session.path) if of.file != session.path else None
    parts = own.symbols.get(of.qualified, ()) if own else ()
    if parts and all(part.kind is SymbolKind.IMPL for part in parts):
        yield session.path


def constructors_of(session: ResolutionSession, of: Definition) -> Sequence[Definition]:
    """Return the first constructor that a type declares, else the type itself, as one item.

    Return () for interfaces and for definitions that are not types.
    """
    if of.kind is SymbolKind.INTERFACE or of.kind not in OWNER_KINDS:
        return ()
    declared = session.declared(of.file)
    name = of.qualified.rpartition(".")[2]
    same = declared.symbols.get(f"{of.qualified}.{name}", ()) if declared else ()
    constructors = [each for each in same if each.kind is SymbolKind.CONSTRUCTOR]
    return constructors[:1] or (of,)


def members_of_includers(session: ResolutionSession, of: Definition, name: str) -> Sequence[Value]:
    """Return the members `name` of the types that include a module.

    The module's own code may call these members. Return () for constants, for types that are not
    modules, in languages without reopened types, and for modules that more than `_MAX_INCLUDERS`
    files include.
    """
    declared = session.declared(of.file)
    constants = declared.language.outer_members if declared else None
    if (
        declared is None
        or not declared.language.reopened_types
        or of.kind is not SymbolKind.MODULE
        or (constants and constants.match(name))
    ):
        return ()
    includers = session.remember(session.includers, of, lambda: tuple(_includers(session, of)))
    members = (
        member
        for includer, is_type in includers
        for member in member_of_side(session, includer, name, is_type=is_type)
    )
    return tuple(dict.fromkeys(members))


def _includers(session: ResolutionSession, of: Definition) -> Iterator[tuple[Definition, bool]]:
    """Yield (type, whether `of` extends the type itself) for each user of the module `of`.

    The users are the types that include the module, and those that it extends.
    """
    name = of.qualified.rpartition(".")[2]
    place = session.locate(of.file, f"::{name}{INCLUDERS_MARK}")
    files = place.files if place else ()
    for path in files if len(files) <= _MAX_INCLUDERS else ():
        declared = session.declared(path)
        if declared is None:
            continue
        for owner, numbers in declared.bases.items():
            named = [number for number in numbers if declared.expressions[number][-1] == name]
            included = declared_definitions(session, path, named)
            if any(definition.qualified == of.qualified for definition in included):
                for includer in declared.symbols.get(owner.lstrip(CLASS_MARK), ())[:1]:
                    yield includer, owner.startswith(CLASS_MARK)


def adds_method_outside(session: ResolutionSession, function: Definition) -> bool:
    """Tell whether a definition adds a method to a function from outside the repository.

    Its head names the other module, or its file or one beside it imports the name from there. See
    `Language.added_method`.
    """
    declared = session.declared(function.file)
    added = declared.language.added_method if declared else None
    if declared is None or added is None or function.kind not in CALLABLE_KINDS:
        return False
    return session.remember(
        session.added_methods, function, lambda: _is_of_outside(session, declared, added, function)
    )


def _is_of_outside(
    session: ResolutionSession,
    declared: FileDeclarations,
    added: re.Pattern[str],
    function: Definition,
) -> bool:
    head = added.match(function.signature)
    if head:
        module = head[1]
        is_here = module in declared.symbols or session.locate(declared.path, module) is not None
        return not is_here and not session.beside_defining(declared.path, module)
    name = function.qualified.rpartition(".")[2]
    files = (declared, *map(session.declared, session.beside(declared.path)))
    return any(
        imported.module and session.locate(file.path, imported.module) is None
        for file in files
        if file
        for imported in file.locals.get(name, ())
    )
