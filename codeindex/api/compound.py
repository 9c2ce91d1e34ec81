"""One tool for what several others answer: the few that an agent needs to know."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from codeindex.api.asking import checked_limit
from codeindex.api.exact import Exact
from codeindex.api.explaining import Explaining
from codeindex.api.files import Files
from codeindex.api.symbols import Symbols
from codeindex.errors import QueryError
from codeindex.text.globs import literal

if TYPE_CHECKING:
    from codeindex.analysis.outline.declarations import Declarations
    from codeindex.analysis.outline.explain_symbol import SymbolExplanations
    from codeindex.analysis.outline.lookup import DeclarationMatches
    from codeindex.analysis.outline.summary import FileSummaries, FileSummary
    from codeindex.analysis.relations.callees import Callees
    from codeindex.analysis.relations.callers import Callers
    from codeindex.analysis.relations.implementers import Implementers
    from codeindex.ask.compose import AskResults
    from codeindex.ask.extract import Extract
    from codeindex.llm_command import TextGenerator
    from codeindex.search.explore import Exploration
    from codeindex.search.relevant_places import RelevantPlaces

_GLOB = frozenset("*?[")
_MOST_ASKED = 20
_CANDIDATES = 12
"""Files that are read for an answer, and sections of documents."""


class Compound(Exact, Explaining, Symbols, Files):
    """One tool for what several others answer."""

    def ask(  # noqa: PLR0913 (the command line's options, each by its name)
        self,
        query: str,
        path: str = "",
        *,
        limit: int = 5,
        min_score: float = 0.0,
        agentic: int = 0,
        llm_cmd: str = "",
        llm_seconds: float = 120.0,
    ) -> Extract:
        """Answer QUERY, about all or what is below PATH, in sentences that each cite their place.

        Without a model they are put together from definitions, documents and the graph. A command
        that reads a prompt and prints an answer has it written from the same evidence: what it
        says without evidence is marked. `agentic` rounds look again for what is missing.
        """
        from codeindex.llm_command import parse_llm_command

        command = parse_llm_command(llm_cmd, seconds=llm_seconds) if llm_cmd else None
        return self.ask_writer(
            query,
            command,
            model=command.name if command else "",
            limit=limit,
            path=path,
            min_score=min_score,
            agentic=agentic,
        )

    def ask_writer(  # noqa: PLR0913 (as above)
        self,
        query: str,
        writer: TextGenerator | None,
        *,
        model: str,
        limit: int = 5,
        path: str = "",
        min_score: float = 0.0,
        agentic: int = 0,
    ) -> Extract:
        """Answer as `ask` does, written by any function from a prompt to a text."""
        from codeindex.ask.write import MOST_ROUNDS, refine_answer, write_answer

        started = time.monotonic()
        wanted = checked_limit(limit, most=_MOST_ASKED)
        rounds = checked_limit(agentic, most=MOST_ROUNDS, least=0, name="agentic") or 1

        def look(question: str) -> Extract:
            return self._extract(question, limit=wanted, path=path, min_score=min_score)

        found = look(query)
        if writer is not None:
            found = write_answer(found, writer, model=model, rounds=rounds, look=look)
        elif rounds > 1 and found.found:
            found = refine_answer(found, rounds=rounds, look=look, unsaid=self._unsaid)
        elapsed = round((time.monotonic() - started) * 1000, 1)
        return replace(found, meta=found.meta | {"elapsedMs": elapsed})

    def _extract(self, query: str, *, limit: int, path: str, min_score: float) -> Extract:
        from codeindex.ask.compose import compose_extract

        found = self._looked_for(query, limit=limit, path=path, min_score=min_score)
        return self._ask(lambda connection: compose_extract(connection, found, limit=limit))

    def _unsaid(self, found: Extract) -> str:
        """Return the words of a question that its evidence does not say, though they occur here."""
        from codeindex.ask.question import weigh_question
        from codeindex.text.words import words

        with self.reader().corpus() as (_, corpus):
            question = weigh_question(corpus, found.query)
        said = question.terms(word for one in found.evidences for word in words(one.text))
        left = question.weights.keys() - said - question.absent - question.compounds.keys()
        spelt = [one for one in found.query.split() if left.intersection(words(one))]
        return " ".join(one.strip("?!.,;:") for one in spelt)

    def _looked_for(self, query: str, *, limit: int, path: str, min_score: float) -> AskResults:
        """Search for what may answer: places of any kind, and documents apart."""
        from codeindex.ask.compose import AskResults
        from codeindex.ask.question import weigh_question
        from codeindex.languages import LANGUAGES
        from codeindex.search.answer import SearchRequest
        from codeindex.types import Filters

        filters = Filters(paths=(path.strip("/"),) if path else ())
        wide = max(limit, _CANDIDATES)
        answer = self.search(query, limit=wide, filters=filters, min_score=min_score)
        prose = tuple(one.name for one in LANGUAGES.values() if one.prose)
        asked = SearchRequest(
            answer.query, _CANDIDATES, self._filters(replace(filters, languages=prose), "include")
        )
        documents = self._answered(asked).hits
        with self.reader().corpus() as (_, corpus):
            question, files = weigh_question(corpus, answer.query), int(corpus.is_indexed.sum())
        meta = dict(answer.meta) | {"limit": limit}
        return AskResults(replace(answer, meta=meta), documents, question, files)

    def explore(
        self,
        query: str,
        path: str = "",
        *,
        budget: int = 2_000,
        sent_as: Literal["json", "text"] = "text",
    ) -> Exploration:
        """Answer QUERY in one call: the code, and what calls, is called by and tests its best part.

        Three quarters of the `budget` of tokens are for the code (`search`); 0 is no limit.
        """
        from codeindex.search.explore import (
            Exploration,
            link_symbols,
            remaining_budget,
            search_budget,
        )
        from codeindex.types import Filters

        filters = Filters(paths=(path.strip("/"),) if path else ())
        answer = self.search(query, filters=filters, budget=search_budget(budget), sent_as=sent_as)
        left = remaining_budget(budget, answer, sent_as)
        return self._ask(lambda one: Exploration(answer, link_symbols(one, answer, budget=left)))

    def search_relevant(self, query: str, *, limit: int = 20) -> RelevantPlaces:
        """List where to look for QUERY, without the code: places, names, signatures; at most 50."""
        from codeindex.search.relevant_places import MAX_RELEVANT_PLACES, find_relevant_places

        answer = self.search(query, limit=checked_limit(limit, most=MAX_RELEVANT_PLACES))
        with self.reader().catalog() as (catalog, _generation):
            return find_relevant_places(catalog.connection, answer)

    def find(
        self,
        query: str,
        *,
        mode: Literal[
            "relevant", "symbol", "callers", "callees", "implementers", "signature"
        ] = "relevant",
        limit: int = 20,
    ) -> RelevantPlaces | DeclarationMatches | Callers | Callees | Implementers:
        """Find where QUERY is: by meaning, name, who calls it, what it calls or what implements it.

        A signature is part of one, or types: `Locks -> Diagnostics` takes one and gives the other.
        """
        match mode:
            case "relevant":
                return self.search_relevant(query, limit=limit)
            case "symbol":
                return self.lookup(query, limit=limit)
            case "callers":
                return self.callers(query, limit=limit)
            case "callees":
                return self.callees(query, limit=limit)
            case "implementers":
                return self.implementers(query, limit=limit)
            case "signature":
                return self.signatures(query, limit=limit)
        raise QueryError(
            f"mode is {mode!r}: use relevant, symbol, callers, callees, implementers or signature."
        )

    def summarize(
        self, path: str, *, scope: Literal["all", "public"] = "all"
    ) -> FileSummary | FileSummaries | SymbolExplanations | Declarations:
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
        from codeindex.analysis.file_selection import normalize_path
        from codeindex.languages import for_path
        from codeindex.store.symbols.declarations import files_under

        place = normalize_path(self._inside(said))
        self._freshen(related=False)
        with self.reader().catalog() as (catalog, _generation):
            found = files_under(catalog.connection, place)
        if found:
            return place, "file" if found[0].path == place else "folder"
        if _GLOB & set(said):
            return place, "glob"
        is_path = "::" not in place and ("/" in place or for_path(place))
        return place, "file" if is_path else "symbol"
