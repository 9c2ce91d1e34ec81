"""Find the macros to which an invocation may refer.

Macros have a namespace of their own: the name of an invocation ends in `MACRO_SUFFIX`. A macro of
the file comes first, then an imported one, then those in textual scope, which follows the order of
the text and reaches into submodules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from codeindex.graph.expression_table import MACRO_SUFFIX
from codeindex.graph.resolve.session import ResolutionSession
from codeindex.graph.resolve.values import FileDeclarations, Value
from codeindex.languages.source_tree import MACRO_SCOPE_MODULE, ModuleLocation
from codeindex.types import Definition, Import


def visible_macros(
    session: ResolutionSession, declared: FileDeclarations, name: str
) -> Sequence[Value]:
    """Return the macros that an invocation of `name` in the file `declared` may mean.

    There are several only if the nearest file with macros of this name defines several.
    """
    bare = name.removesuffix(MACRO_SUFFIX)
    return _macros_for(session, declared, bare) or declared.local_macros.get(bare, ())


def macros_at(session: ResolutionSession, place: ModuleLocation, name: str) -> Sequence[Value]:
    """Return the macros `name` that the module at `place` defines or exports; () without any."""
    bare = name.removesuffix(MACRO_SUFFIX)
    if place.symbol:
        return ()
    with session.evaluating((place, bare, MACRO_SUFFIX)) as first:
        for path in place.files if first else ():
            declared = session.declared(path)
            found = _macros_for(session, declared, bare) if declared else ()
            if found:
                return found
    return ()


def _macros_for(
    session: ResolutionSession, declared: FileDeclarations, bare: str
) -> Sequence[Value]:
    return (
        declared.macros.get(bare)
        or _imported_macros(session, declared, bare)
        or _macros_in_textual_scope(session, declared.path, bare)
        or _macros_of_whole_imports(session, declared, bare)
    )


def _imported_macros(
    session: ResolutionSession, declared: FileDeclarations, bare: str
) -> Sequence[Value]:
    return [
        value
        for imported in declared.locals.get(bare, ())
        for value in _macros_of_import(session, declared, imported)
    ]


def _macros_of_import(
    session: ResolutionSession, declared: FileDeclarations, imported: Import
) -> Iterable[Value]:
    place = session.locate(declared.path, imported.module) if imported.module else None
    if place is None:
        return ()
    return macros_at(session, place, imported.name) if imported.name else ()


def _macros_in_textual_scope(
    session: ResolutionSession, path: str, bare: str
) -> Sequence[Definition]:
    place = session.locate(path, MACRO_SCOPE_MODULE)
    for file in place.files if place else ():
        declared = session.declared(file)
        found = declared.macros.get(bare) if declared else ()
        if found:
            return found
    return ()


def _macros_of_whole_imports(
    session: ResolutionSession, declared: FileDeclarations, bare: str
) -> Sequence[Value]:
    """Return the macros `bare` in the first wholly imported module that has any.

    Such an import, like `use shop::*`, brings all names of a module.
    """
    for imported in declared.locals.get("*", ()):
        place = session.locate(declared.path, imported.module) if imported.module else None
        found = macros_at(session, place, bare) if place else ()
        if found:
            return found
    return ()
