"""About symbols: where they are, what they are, who uses them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from codeindex.api.asking import Asking, checked_limit
from codeindex.errors import QueryError

if TYPE_CHECKING:
    import sqlite3

    from codeindex.analysis.listing_filter import ListingFilter
    from codeindex.analysis.outline.declarations import Declarations
    from codeindex.analysis.outline.explain_symbol import SymbolExplanations
    from codeindex.analysis.outline.lookup import DeclarationMatches
    from codeindex.analysis.relations.callees import Callees
    from codeindex.analysis.relations.callers import Callers
    from codeindex.analysis.relations.implementers import Implementers
    from codeindex.analysis.relations.related_tests import RelatedTests
    from codeindex.analysis.relations.type_flow import TypeFlow
    from codeindex.analysis.relations.unused import UnusedSymbols
    from codeindex.types import TestScope


class Symbols(Asking):
    """About symbols: where they are, what they are, who uses them."""

    def lookup(
        self,
        name: str,
        *,
        path: str = "",
        include_tests: Literal["include", "exclude", "only"] = "include",
        limit: int = 50,
    ) -> DeclarationMatches:
        """Find declarations with NAME in theirs, in any case: exact ones first; at most 200."""
        from codeindex.analysis.outline.lookup import MAX_NAME_MATCHES, find_by_name

        wanted = checked_limit(limit, most=MAX_NAME_MATCHES)
        inside = self._within(path, include_tests)
        return self._ask(lambda one: find_by_name(one, name, limit=wanted, inside=inside(one)))

    def _within(self, path: str, tests: TestScope) -> Callable[[sqlite3.Connection], ListingFilter]:
        """Return what reads the limits of a listing off the catalog; QueryError for a bad scope."""
        from codeindex.analysis.listing_filter import make_listing_filter
        from codeindex.query.validation import check_tests_scope

        scope, place = check_tests_scope(tests), self._inside(path)
        return lambda connection: make_listing_filter(connection, place, scope)

    def signatures(self, query: str, *, limit: int = 20) -> DeclarationMatches:
        """Find functions by QUERY in their signature, at most 100; `--` goes before `-> T`."""
        from codeindex.analysis.outline.lookup import MAX_SIGNATURE_MATCHES, find_by_signature

        wanted = checked_limit(limit, most=MAX_SIGNATURE_MATCHES)
        return self._ask(lambda connection: find_by_signature(connection, query, limit=wanted))

    def declarations(self, path: str, *, kind: str = "", shallow: bool = False) -> Declarations:
        """List what the file PATH declares, in its order."""
        from codeindex.analysis.outline.declarations import list_declarations

        return self._ask(
            lambda one: list_declarations(one, self._inside(path), kind=kind, shallow=shallow)
        )

    def public_api(self, path: str = "", *, limit: int = 500) -> Declarations:
        """List what other code may use of a file, a folder or everything; at most 2000."""
        from codeindex.analysis.outline.declarations import MAX_PUBLIC_API, list_public_api

        wanted = checked_limit(limit, most=MAX_PUBLIC_API)
        return self._ask(
            lambda connection: list_public_api(connection, self._inside(path), limit=wanted)
        )

    def explain_symbol(self, name: str) -> SymbolExplanations:
        """Tell how to use NAME: its signature, documentation, members, bases and uses."""
        from codeindex.analysis.outline.explain_symbol import explain_symbols

        return self._ask(lambda connection: explain_symbols(connection, self._inside(name)))

    def callers(
        self,
        symbol: str,
        *,
        path: str = "",
        include_tests: Literal["include", "exclude", "only"] = "include",
        limit: int = 20,
    ) -> Callers:
        """List who calls SYMBOL: certain calls first, then calls that may be meant; at most 200."""
        from codeindex.analysis.relations.callers import MAX_CALLERS, find_callers

        wanted = checked_limit(limit, most=MAX_CALLERS)
        inside = self._within(path, include_tests)
        return self._ask(
            lambda one: find_callers(one, self._inside(symbol), limit=wanted, inside=inside(one))
        )

    def callees(self, symbol: str, *, limit: int = 50) -> Callees:
        """List what SYMBOL calls, each once, in the order of its lines; at most 200."""
        from codeindex.analysis.relations.callees import MAX_CALLEES, find_callees

        wanted = checked_limit(limit, most=MAX_CALLEES)
        return self._ask(lambda one: find_callees(one, self._inside(symbol), limit=wanted))

    def implementers(
        self,
        symbol: str,
        *,
        path: str = "",
        include_tests: Literal["include", "exclude", "only"] = "include",
        limit: int = 50,
    ) -> Implementers:
        """List what implements SYMBOL, an interface, a type or a method of one; at most 500."""
        from codeindex.analysis.relations.implementers import MAX_IMPLEMENTERS, find_implementers

        wanted = checked_limit(limit, most=MAX_IMPLEMENTERS)
        inside = self._within(path, include_tests)
        return self._ask(
            lambda one: find_implementers(
                one, self._inside(symbol), limit=wanted, inside=inside(one)
            )
        )

    def related_tests(
        self, symbol: str, *, path: str = "", include_possible: bool = False, limit: int = 20
    ) -> RelatedTests:
        """Find tests of SYMBOL by calls, imports and names, the surest first; at most 200."""
        from codeindex.analysis.relations.related_tests import MAX_RELATED_TESTS, find_related_tests

        wanted = checked_limit(limit, most=MAX_RELATED_TESTS)
        return self._ask(
            lambda one: find_related_tests(
                one,
                self._inside(symbol),
                path=self._inside(path),
                include_possible=include_possible,
                limit=wanted,
            )
        )

    def type_flow(
        self, type_name: str, *, path: str = "", include_fields: bool = False, limit: int = 50
    ) -> TypeFlow:
        """List the functions that give TYPE_NAME and those that take it; at most 200 each."""
        from codeindex.analysis.relations.type_flow import MAX_TYPE_USES, find_type_flow

        wanted = checked_limit(limit, most=MAX_TYPE_USES)
        return self._ask(
            lambda connection: find_type_flow(
                connection,
                type_name,
                path=self._inside(path),
                include_fields=include_fields,
                limit=wanted,
            )
        )

    def unused(self, path: str = "", *, exported: bool = False, limit: int = 100) -> UnusedSymbols:
        """Find symbols below PATH that nothing is known to use: an estimate; at most 500."""
        from codeindex.analysis.relations.unused import MAX_UNUSED, find_unused

        wanted = checked_limit(limit, most=MAX_UNUSED)
        found = self._ask(
            lambda one: find_unused(one, self._inside(path), exported=exported, limit=wanted)
        )
        if not self._open.refreshed.is_complete:
            gaps = " ".join(self._open.refreshed.gaps())
            raise QueryError(
                f"What is unused cannot be told now, as not every file is read. {gaps}"
            )
        return found
