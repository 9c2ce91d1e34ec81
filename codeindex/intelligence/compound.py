"""One tool for what several others answer: the few that an agent needs to know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from codeindex.errors import QueryError
from codeindex.globs import literal
from codeindex.intelligence.asking import checked_limit
from codeindex.intelligence.explaining import Explaining
from codeindex.intelligence.files import Files
from codeindex.intelligence.symbols import Symbols

if TYPE_CHECKING:
    from codeindex.analysis.callers import Callers
    from codeindex.analysis.explain import Explanations
    from codeindex.analysis.listing import Declarations
    from codeindex.analysis.lookup import Matches
    from codeindex.analysis.summary import Summaries, Summary
    from codeindex.search.ask import Extract
    from codeindex.search.relevant import Relevant

_GLOB = frozenset("*?[")


class Compound(Explaining, Symbols, Files):
    """One tool for what several others answer."""

    def ask(self, query: str, *, limit: int = 5, path: str = "", min_score: float = 0.0) -> Extract:
        """Answer QUERY in sentences that each cite their place; from at most 20 places."""
        from codeindex.search.ask import MOST, extract
        from codeindex.search.filters import Filters

        wanted = checked_limit(limit, most=MOST)
        filters = Filters(paths=(path.strip("/"),) if path else ())
        answer = self.search(query, limit=wanted, filters=filters, min_score=min_score)
        with self.reader().catalog() as (catalog, _):
            return extract(catalog.connection, answer)

    def search_relevant(self, query: str, *, limit: int = 20) -> Relevant:
        """List where to look for QUERY, without the code: places, names, signatures; at most 50."""
        from codeindex.search.relevant import MOST, relevant

        answer = self.search(query, limit=checked_limit(limit, most=MOST))
        with self.reader().catalog() as (catalog, _generation):
            return relevant(catalog.connection, answer)

    def find(
        self,
        query: str,
        *,
        mode: Literal["relevant", "symbol", "callers", "signature"] = "relevant",
        limit: int = 20,
    ) -> Relevant | Matches | Callers:
        """Find where QUERY is: by meaning, by a symbol's name, its callers, or a signature."""
        match mode:
            case "relevant":
                return self.search_relevant(query, limit=limit)
            case "symbol":
                return self.lookup(query, limit=limit)
            case "callers":
                return self.callers(query, limit=limit)
            case "signature":
                return self.signatures(query, limit=limit)
        raise QueryError(f"mode is {mode!r}: use relevant, symbol, callers or signature.")

    def summarize(
        self, path: str, *, scope: Literal["all", "public"] = "all"
    ) -> Summary | Summaries | Explanations | Declarations:
        """Sum up PATH: a file, a folder, a glob of files, or a symbol by its name."""
        if scope not in {"all", "public"}:
            raise QueryError(f"scope is {scope!r}: use all or public.")
        place, kind = self._named(path)
        if kind == "glob":
            return self.summaries(glob=path)
        if kind == "symbol":
            return self.explain_symbol(path)
        if scope == "public":
            return self.public_api(place)
        return self.summary(place) if kind == "file" else self.summaries(glob=f"{literal(place)}/*")

    def _named(self, said: str) -> tuple[str, Literal["file", "folder", "glob", "symbol"]]:
        """Return a name as the index spells it, and of what it is.

        Files may have brackets in their names; what is no path and looks like none is a symbol.
        """
        from codeindex.analysis.places import as_indexed
        from codeindex.languages import for_path
        from codeindex.store.declarations import files_under

        place = as_indexed(self._inside(said))
        self._freshen()
        with self.reader().catalog() as (catalog, _generation):
            found = files_under(catalog.connection, place)
        if found:
            return place, "file" if found[0].path == place else "folder"
        if _GLOB & set(said):
            return place, "glob"
        return place, "file" if "/" in place or for_path(place) else "symbol"
