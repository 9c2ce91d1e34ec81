"""Find every line that matches a text, an expression or syntax: `Index.exact`."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from codeindex.api.capability import capability
from codeindex.api.component import Component
from codeindex.api.requests.exact import GrepRequest
from codeindex.config import data_home
from codeindex.errors import QueryError
from codeindex.query.validation import check_texts
from codeindex.redact_query import redact_text
from codeindex.search.exact.grep import grep_lines
from codeindex.search.exact.key_uses import find_key_uses
from codeindex.search.exact.lines import GrepResult
from codeindex.search.exact.matchers import InProcessMatcher, Matcher
from codeindex.search.exact.nested_keys import find_nested_keys
from codeindex.search.exact.page import PageRequest
from codeindex.search.exact.pattern import LinePattern, Mode, PatternRequest
from codeindex.search.exact.redaction_prefilter import may_match
from codeindex.search.exact.split_messages import find_split_text
from codeindex.search.exact.texts import UnstoredFile, UnstoredFiles, minified_files
from codeindex.store.datadir.home import fingerprint_key_file
from codeindex.types import Filters, SafeText

_READ_SECONDS = 10.0
"""Most seconds of a query for reading files that the catalog lacks: redaction is slow."""


class ExactQueries(Component):
    """Finds every line that matches a text, a regular expression or syntax."""

    @capability(GrepRequest)
    def grep(self, request: GrepRequest) -> GrepResult:
        texts = self._texts(request)
        result = (
            self._syntax(request, texts) if request.mode == "ast" else self._lines(request, texts)
        )
        if request.parted and request.mode == "exact":
            result = self._with_parted(request, result)
        resources = self._session.resources
        refreshed = resources.refreshed = replace(resources.refreshed, unread=result.unread)
        # `result` names unread files itself
        return replace(result, refreshed=replace(refreshed, unread=()))

    def _lines(self, request: GrepRequest, texts: Sequence[str]) -> GrepResult:
        """Return the lines of all files that match one of the patterns `texts`.

        The mode of the request tells whether the patterns are plain texts or regular expressions.
        """
        mode: Mode = "regex" if request.mode == "regex" else "exact"
        wanted = PatternRequest(tuple(texts), mode, request.case, request.whole_words)
        patterns, page = wanted.patterns(), self._page_request(request)
        others = wanted.in_other_forms()

        def find(connection: sqlite3.Connection) -> GrepResult:
            unstored = self._files_outside_catalog(connection)
            found = grep_lines(connection, page, patterns, matcher, unstored)
            if not others or (found.counts and wanted.is_ascii):
                return found
            stored = unstored._replace(files=[])
            again = grep_lines(connection, page, others, InProcessMatcher(others), stored)
            counts = found.counts
            more = sum(count > counts.get(path, 0) for path, count in again.counts.items())
            return replace(found, in_other_form=more)

        with self._matching(patterns) as matcher:
            return self._runner.run(find)

    def _with_parted(self, request: GrepRequest, result: GrepResult) -> GrepResult:
        """Add the places where a single text stands in parts, and where code uses its key."""
        (text, *others) = (request.query,) if isinstance(request.query, str) else request.query
        if others:
            return result

        def search(pattern: str, **fields: Any) -> GrepResult:
            fields = {"filters": request.filters, "tests": request.tests} | fields
            wanted = GrepRequest(
                pattern, mode="regex", case=request.case, likely_first=True, **fields
            )
            return self._lines(wanted, (pattern,))

        filters = request.filters or Filters()
        with contextlib.suppress(QueryError):  # a pattern took too long; what was found stays
            result = find_key_uses(text, result, search)
            if not result.key_uses:
                result = find_split_text(text, result, search)
            result = find_nested_keys(text, filters, result, search)
        return result

    def _syntax(self, request: GrepRequest, texts: Sequence[str]) -> GrepResult:
        """Return the lines of all files in which a match of a syntax pattern in `texts` begins."""
        # Here, because few searches parse.
        from codeindex.structural.find import find_syntax
        from codeindex.structural.matcher import syntax_matcher

        if request.case != "exact" or request.whole_words:
            raise QueryError(
                "A search for syntax has no `case` and no `whole_words`: leave them out."
            )
        page, pool = self._page_request(request), self._session.resources.syntax_matchers()

        def find(connection: sqlite3.Connection) -> GrepResult:
            with syntax_matcher(pool, texts) as matcher:
                return find_syntax(
                    connection, page, matcher, self._files_outside_catalog(connection)
                )

        return self._runner.run(find)

    def _texts(self, request: GrepRequest) -> Sequence[str]:
        """Return the patterns of a request; raise QueryError if there are none.

        Indexed text is redacted, so the redacted form of each pattern is added, except in mode
        `regex`.
        """
        query = request.query
        texts = (query,) if isinstance(query, str) else check_texts("query", query)
        if not texts:
            raise QueryError("No pattern is given: say what you are looking for.")
        if request.mode == "regex":
            return texts
        return tuple(dict.fromkeys((*texts, *map(redact_text, texts))))

    def _page_request(self, request: GrepRequest) -> PageRequest:
        query = request.query
        shown = redact_text(query if isinstance(query, str) else " | ".join(query))
        filters = self._runner.filters(request.filters, request.tests)
        if filters.kinds:
            raise QueryError(
                "Lines cannot be filtered by kind: leave it out, or search by meaning."
            )
        return PageRequest(
            repo=self._runner.reader().repository.name,
            query=shown,
            mode=request.mode,
            filters=filters,
            before=request.before,
            after=request.after,
            limit=request.limit,
            cursor=request.cursor,
            spans=request.spans,
            per_file=request.per_file,
            likely_first=request.likely_first,
            symbols=request.symbols,
        )

    @contextlib.contextmanager
    def _matching(self, patterns: Sequence[LinePattern]) -> Iterator[Matcher]:
        """Yield the matcher for patterns.

        Plain texts are matched in this process. Regular expressions are matched in a child process,
        which can be killed if a match takes too long.
        """
        if all(pattern.is_literal for pattern in patterns):
            yield InProcessMatcher(patterns)
            return
        with self._session.resources.matchers().matching(patterns) as child:
            yield child

    def _files_outside_catalog(self, connection: sqlite3.Connection) -> UnstoredFiles:
        """Return the files whose current text is not in the catalog, with a function to read them.

        They are the minified files, whose text is never stored, and files that changed since the
        last refresh.
        """
        unread, until = self._runner.refreshed.unread, time.monotonic() + _READ_SECONDS
        files = minified_files(connection)

        def read(path: str, patterns: Sequence[LinePattern]) -> SafeText:
            if time.monotonic() > until:
                raise QueryError("There was no time to read it.")
            return self._redacted_text(path, patterns)

        if unread:
            from codeindex.ingest.on_demand.worktree import indexable_files  # takes 0.1 s

            config = self._session.settings.config
            changed = indexable_files(self._session.root, unread, config=config)
            files += [UnstoredFile(file.path, file.language, file.is_test) for file in changed]
        return UnstoredFiles(files, read)

    def _redacted_text(self, path: str, patterns: Sequence[LinePattern]) -> SafeText:
        """Return a file's text as a sync would store it, redacted.

        Return '' if no pattern can match it. Raises QueryError for a file that a sync would not
        index.
        """
        # Here, because few searches read files that the catalog does not hold.
        from codeindex.ingest.on_demand.worktree import read_worktree_text
        from codeindex.ingest.read.redact import redact_file, rules_of

        config = self._session.settings.config
        text = read_worktree_text(
            self._session.root, path, max_bytes=config.limits.max_file_kb * 1024
        )
        if not may_match(text, patterns):
            return SafeText("")
        rules = rules_of(config, fingerprint_key_file(data_home()))
        return redact_file(text, path=path, rules=rules).text
