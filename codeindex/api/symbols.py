"""Find declarations by name or signature: `Index.symbols`."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from codeindex.analysis.outline.explain_symbol import SymbolExplanations, explain_symbols
from codeindex.analysis.outline.lookup import DeclarationMatches, find_by_name, find_by_signature
from codeindex.api.capability import capability
from codeindex.api.component import Component
from codeindex.api.listing import listing_filter
from codeindex.api.requests.symbols import ExplainSymbolRequest, LookupRequest, SignaturesRequest
from codeindex.store.symbols.nodes import symbols_by_name


class SymbolQueries(Component):
    """Finds declarations by name or signature."""

    @capability(LookupRequest)
    def lookup(self, request: LookupRequest) -> DeclarationMatches:
        inside = listing_filter(self._runner, request.path, request.include_tests)
        return self._runner.run(
            lambda connection: find_by_name(
                connection, request.name, limit=request.limit, inside=inside(connection)
            )
        )

    def kinds(self, names: Sequence[str]) -> Mapping[str, frozenset[str]]:
        """Map each name to the kinds (`function`, `class`) of all symbols that are called so.

        The index is refreshed once for all names.
        """
        self._runner.freshness.refresh()
        with self._runner.reader().catalog() as (catalog, _generation):
            return {name: _kinds(catalog.connection, name) for name in names}

    @capability(SignaturesRequest)
    def signatures(self, request: SignaturesRequest) -> DeclarationMatches:
        return self._runner.run(find_by_signature, request.query, limit=request.limit)

    @capability(ExplainSymbolRequest)
    def explain(self, request: ExplainSymbolRequest) -> SymbolExplanations:
        name = self._runner.indexed_path(request.name)
        return self._runner.run(explain_symbols, name)


def _kinds(connection: sqlite3.Connection, name: str) -> frozenset[str]:
    """Return the kinds of the symbols whose qualified name is `name` or ends with `.name`."""
    return frozenset(
        node.kind
        for node in symbols_by_name(connection, name)
        if f".{node.qualified}".endswith(f".{name}")
    )
