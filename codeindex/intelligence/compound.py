"""One tool for what several others answer: the few that an agent needs to know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from codeindex.errors import QueryError
from codeindex.intelligence.asking import checked_limit
from codeindex.intelligence.files import Files
from codeindex.intelligence.symbols import Symbols

if TYPE_CHECKING:
    from codeindex.analysis.callers import Callers
    from codeindex.analysis.explain import Explanations
    from codeindex.analysis.listing import Declarations
    from codeindex.analysis.lookup import Matches
    from codeindex.analysis.summary import Summaries, Summary
    from codeindex.search.relevant import Relevant
    from codeindex.types import Answer

_GLOB = frozenset("*?[")


class Compound(Symbols, Files):
    """One tool for what several others answer."""

    def search(self, query: str, *, limit: int = 10) -> Answer:
        """Find code by meaning; `Index` does."""
        raise NotImplementedError

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
        if _GLOB & set(path):
            return self.summaries(glob=path)
        match self._kind_of(path):
            case "symbol":
                return self.explain_symbol(path)
            case _ if scope == "public":
                return self.public_api(path)
            case "file":
                return self.summary(path)
        return self.summaries(glob=f"{path.rstrip('/')}/*")

    def _kind_of(self, place: str) -> Literal["file", "folder", "symbol"]:
        """Tell what a name is of: what is no path and looks like none is a symbol."""
        from codeindex.analysis.places import as_indexed
        from codeindex.languages import for_path
        from codeindex.store.declarations import files_under

        wanted = as_indexed(place)
        with self.reader().catalog() as (catalog, _generation):
            found = files_under(catalog.connection, wanted)
        if found:
            return "file" if found[0].path == wanted else "folder"
        return "file" if "/" in wanted or for_path(wanted) else "symbol"
