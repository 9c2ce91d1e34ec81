"""Find the base types of types: named ones, and those by rules of languages and libraries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from codeindex.graph.resolve.session import ResolutionSession
from codeindex.graph.resolve.values import (
    ExpressionRef,
    FileDeclarations,
    InstanceValue,
    SharedBases,
)
from codeindex.graph.resolve.variable_values import instances_of_type
from codeindex.languages.source_tree import MEMBERS_MARK
from codeindex.types import CONTAINER_KINDS, Definition, SymbolKind

MAX_BASES = 250
"""Maximum base types of a type: `ActiveRecord::Base` has more than a hundred."""


def reopening_files(session: ResolutionSession, of: Definition) -> Sequence[str]:
    """Return the files that define the type `of` again, and so add members to it.

    Return () in languages without reopened or partial types.
    """
    declared = session.declared(of.file)
    if declared is None or of.kind not in CONTAINER_KINDS:
        return ()
    if declared.language.partial_types:
        return [*_files_with_parts(session, declared, of)]
    if not declared.language.reopened_types:
        return ()
    place = session.locate(of.file, f"::{of.qualified}{MEMBERS_MARK}")
    return place.files if place else ()


def _files_with_parts(
    session: ResolutionSession, declared: FileDeclarations, of: Definition
) -> Iterator[str]:
    """Yield the other files with parts of the type `of`, which all have the word `partial`."""
    partial = declared.language.visibility.shared_type
    if partial is None or not partial.search(of.signature):
        return
    for path in session.beside_defining(of.file, of.qualified):
        other = session.declared(path)
        same = other.symbols.get(of.qualified, ()) if other else ()
        if any(partial.search(each.signature) for each in same):
            yield path


def base_types(session: ResolutionSession, of: Definition) -> Sequence[Definition]:
    """Return the direct base types of a type; the base type of an alias is its target.

    A base type can be looked up in an earlier base type of the same type; a call during that
    look-up returns the base types found so far.
    """
    so_far = session.unfinished_bases.get(of)
    if so_far is not None:
        session.refused += 1
        return so_far
    if of not in session.bases:
        shared = _shared_bases(session, of)
        if shared:
            session.adopt(shared)
            session.bases[of] = shared.types
    return session.remember(session.bases, of, lambda: _collect_bases(session, of))


def _shared_bases(session: ResolutionSession, of: Definition) -> SharedBases | None:
    """Return the direct base types of a type from a cache for all files, with their dependencies.

    If they are missing there, they are found in a new session, which records the dependencies. None
    if the current session has to find them: while it looks up other base types, if they are part of
    a cycle, if the file being resolved defines the type, or in languages without reopened types.
    """
    declared = session.declared(of.file)
    if declared is None or not declared.language.reopened_types or of.file == session.path:
        return None
    shared = session.shared_bases.get(of)
    if shared is None and not session.unfinished_bases:
        apart = session.apart(of.file)
        found = base_types(apart, of)
        if of not in apart.bases:  # they were looked up while they were being found
            found = base_types(apart, of)
        if of in apart.bases:
            shared = session.shared_bases[of] = apart.shared(tuple(found))
    return shared


def _collect_bases(session: ResolutionSession, of: Definition) -> tuple[Definition, ...]:
    session.unfinished_bases[of] = ()
    try:
        for base in _direct_bases(session, of):
            session.unfinished_bases[of] += (base,)
    finally:
        found = session.unfinished_bases.pop(of)
    return found


def _direct_bases(session: ResolutionSession, of: Definition) -> Iterator[Definition]:
    for path in (of.file, *reopening_files(session, of)):
        declared = session.declared(path)
        if declared is None or (path != of.file and of.qualified not in declared.symbols):
            continue
        numbers = [*declared.bases.get(of.qualified, ())]
        if of.kind is SymbolKind.TYPE:
            numbers.append(declared.values.get(of.qualified, 0))
        for number in numbers:
            place = ExpressionRef(path, "declared", number)
            found = [
                instance.of
                for value in session.values(place)
                for instance in instances_of_type(session, value)
                if isinstance(instance, InstanceValue) and instance.of
            ]
            yield from found or _bases_of_library(session, declared, place)
    yield from _bases_by_language(session, of)


def has_unknown_base(session: ResolutionSession, of: Definition) -> bool:
    """Tell whether a type or one of its base types extends a type from outside the repository."""
    queue, visited = [of], {of}
    while queue and len(visited) < MAX_BASES:
        type_ = queue.pop()
        declared = session.declared(type_.file)
        written = declared.bases.get(type_.qualified, ()) if declared else ()
        bases = base_types(session, type_)
        if len({*written}) > sum(base.kind is not SymbolKind.IMPL for base in bases):
            return True
        queue += [base for base in bases if base not in visited]
        visited.update(bases)
    return False


def declared_definitions(
    session: ResolutionSession, path: str, numbers: Iterable[int]
) -> Iterator[Definition]:
    """Yield the definitions among the values of a file's declared expressions."""
    for number in numbers:
        for value in session.values(ExpressionRef(path, "declared", number)):
            if isinstance(value, Definition):
                yield value


def _bases_by_language(session: ResolutionSession, of: Definition) -> Iterator[Definition]:
    """Yield the base types that a type has without naming them, like the group around a test."""
    declared = session.declared(of.file)
    if declared is None:
        return
    if of.kind is SymbolKind.TEST and declared.language.test_groups:
        yield from _around(declared, of) or _included_in_tests(session, of)
    for name in declared.language.library_bases.get(of.qualified, ()):
        yield from type_named(session, declared, name)


def _around(declared: FileDeclarations, of: Definition) -> Sequence[Definition]:
    """Return the definition that encloses another one, as a tuple of one; () if there is none.

    Every dot in the qualified name may be the separator, because titles of tests contain dots too.
    """
    owner = of.qualified
    while "." in owner:
        owner = owner.rpartition(".")[0]
        if owner in declared.symbols:
            return declared.symbols[owner][:1]
    return ()


def _included_in_tests(session: ResolutionSession, of: Definition) -> Iterator[Definition]:
    """Yield the modules that test files include into all tests: RSpec's `config.include`."""
    place = session.locate(of.file, f"::{MEMBERS_MARK}")
    for path in place.files if place else ():
        declared = session.declared(path)
        numbers = declared.bases.get("", ()) if declared else ()
        for included in declared_definitions(session, path, numbers):
            if included.kind in CONTAINER_KINDS:
                yield included


def _bases_of_library(
    session: ResolutionSession, declared: FileDeclarations, base: ExpressionRef
) -> Iterator[Definition]:
    """Yield the repository's types among the bases of the library type `base`.

    The language's `library_bases` names the bases of such types.
    """
    known = declared.language.library_bases
    names = [*known.get(_dotted_name(session, base), ())] if known else []
    while names:
        name = names.pop()
        found = [*type_named(session, declared, name)]
        yield from found
        names += () if found else known.get(name, ())


def type_named(
    session: ResolutionSession, declared: FileDeclarations, name: str
) -> Iterator[Definition]:
    """Yield the first type with this qualified name in the repository; nothing without one."""
    place = session.locate(declared.path, f"::{name}")
    for path in place.files if place else ():
        other = session.declared(path)
        for definition in other.symbols.get(name, ())[:1] if other else ():
            if definition.kind in CONTAINER_KINDS:
                yield definition
                return


def _dotted_name(session: ResolutionSession, place: ExpressionRef) -> str:
    """Return the name that an expression spells, such as "A.B"; "" if it is no name or member."""
    operation, *operands = session.expression(place)
    if operation in {"name", "own"}:
        return str(operands[-1])
    if operation != "member":
        return ""
    around = _dotted_name(session, place._replace(number=int(operands[0])))
    return f"{around}.{operands[-1]}" if around else ""


def with_base_types(session: ResolutionSession, of: Definition) -> Iterator[Definition]:
    """Yield the type `of` and all its base types, also indirect ones, nearest first."""
    queue, queued = [of], {of}
    while queue:
        type_ = queue.pop(0)
        yield type_
        bases = [base for base in base_types(session, type_) if base not in queued]
        if len(queued) < MAX_BASES:
            queued.update(bases)
            queue += dict.fromkeys(bases)
