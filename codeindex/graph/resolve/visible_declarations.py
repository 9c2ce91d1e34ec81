"""Find and compare the declarations of a name in the files that a file includes or sees."""

from __future__ import annotations

import re
from collections.abc import Sequence
from posixpath import commonprefix

from codeindex.graph.resolve.session import ResolutionSession
from codeindex.graph.resolve.values import FileDeclarations, Value
from codeindex.types import Definition, SymbolKind

_MAX_TARGETS = 4
"""Maximum number of build targets whose definitions of a name count as possible."""


_REPEATABLE = frozenset({"elsewhere", "name", "own"})
"""Operations of declarations that may be repeated in several headers."""


def whole_imports(
    session: ResolutionSession, declared: FileDeclarations
) -> Sequence[FileDeclarations]:
    """Return the files whose names a file imports all together, nearest first.

    Files that such a file re-exports are included.
    """
    known = session.opened.get(declared.path)
    if known is not None:
        return known
    queue, visited = [declared], {declared.path}
    opened: list[FileDeclarations] = []
    while queue:
        opening = queue.pop(0)
        for imported in opening.locals.get("*", ()):
            passed = imported.module and (opening is declared or imported.exported)
            place = session.locate(opening.path, imported.module) if passed else None
            for path in place.files if place and not place.symbol else ():
                other = session.declared(path) if path not in visited else None
                visited.add(path)
                if other:
                    opened.append(other)
                    queue.append(other)
    return session.opened.setdefault(declared.path, opened)


def without_repeated(session: ResolutionSession, values: Sequence[Value]) -> list[Value]:
    """Return the values, with only the first of repeated declarations.

    An example is a `typedef` that two headers contain.
    """
    first: dict[object, Value] = {}
    for value in values:
        first.setdefault(_declared_meaning(session, value), value)
    return [*first.values()]


def _declared_meaning(session: ResolutionSession, value: Value) -> object:
    """Return a key that is equal for repeated declarations of a name, such as a `typedef`.

    The key of any other value is the value itself.
    """
    declared = session.declared(value.file) if isinstance(value, Definition) else None
    if declared is None or not isinstance(value, Definition):
        return value
    meaning = declared.expressions[declared.values.get(value.qualified, 0)]
    is_repeatable = meaning[0] in _REPEATABLE and declared.language.textual_includes
    # an `own` expression is (operation, number of a fallback, name); the number differs by file
    return (value.qualified, meaning[0], meaning[-1]) if is_repeatable else value


def is_opaque(session: ResolutionSession, value: Value) -> bool:
    """Tell whether a value says nothing: a forward declaration, or an alias of its own name.

    A definition is preferred to such a value.
    """
    if not isinstance(value, Definition):
        return False
    declared = session.declared(value.file)
    if declared is None or declared.is_forward(value.qualified):
        return declared is not None
    meaning = declared.expressions[declared.values.get(value.qualified, 0)]
    names_itself = meaning[0] in {"name", "define"} and meaning[-1] == value.qualified
    return value.kind is SymbolKind.TYPE and names_itself


def values_of_targets(
    session: ResolutionSession, declared: FileDeclarations, name: str
) -> Sequence[Definition]:
    """Return the definitions of a name in the nearest visible files that have one, but no others.

    For a type that the files only extend, return its first extension, which stands for the type.
    """
    private = re.compile(declared.language.file_private).match
    found: list[Definition] = []
    extension: list[Definition] = []
    for path in session.beside_defining(declared.path, name.removesuffix("()")):
        other = session.declared(path)
        visible = (
            [each for each in other.named(name) if not private(each.signature)] if other else []
        )
        found += visible[:1]
        if other and not (extension or found):
            extension = [*other.symbols.get(name.removesuffix("()"), ())][:1]
    if not found:
        return [each for each in extension if each.kind is SymbolKind.IMPL]
    folders = declared.path.split("/")[:-1]
    common = [len(commonprefix([folders, each.file.split("/")[:-1]])) for each in found]
    nearest = [each for each, count in zip(found, common, strict=True) if count == max(common)]
    return nearest if len(nearest) <= _MAX_TARGETS else ()
