"""Every line that says something, letter by letter, as `grep` finds them."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from codeindex.api.searching import Searching
from codeindex.errors import QueryError

if TYPE_CHECKING:
    import sqlite3

    from codeindex.search.exact.lines import GrepResult
    from codeindex.search.exact.matchers import Matcher
    from codeindex.search.exact.pattern import Case, LinePattern, Mode
    from codeindex.search.exact.texts import UnstoredFiles
    from codeindex.types import Filters, SafeText, TestScope

_READ_SECONDS = 10.0
"""For files beside the catalog, in one question: they are redacted at about 1 MB a second."""


class Exact(Searching):
    """Every line that says something."""

    def grep(  # noqa: PLR0913 (those of `grep`, each by its name)
        self,
        query: str | Sequence[str],
        *,
        mode: Mode = "exact",
        case: Case = "exact",
        whole_words: bool = False,
        filters: Filters | None = None,
        tests: TestScope = "include",
        before: int = 0,
        after: int = 0,
        limit: int = 0,
        per_file: int = 0,
        cursor: str = "",
        spans: bool = False,
        likely_first: bool = False,
        symbols: bool = False,
    ) -> GrepResult:
        """Return every line with one of the texts of `query`, or with a match of one, and counts.

        Nothing is ranked or left out: a `limit` of lines in all, or `per_file`, cuts the list,
        never the counts. In mode `regex` they are Python's. What changed is read first; text is
        redacted before it is looked through. With `spans`, each line says where it matches.
        Files come by their paths, or `likely_first`: code that others use, tests last.
        With `symbols`, each line names the innermost function, type or section around it.
        QueryError for a pattern that cannot be read, or that takes longer than
        `search.exact.matching.MOST_SECONDS`.
        """
        from codeindex.query.validation import check_page
        from codeindex.query.validation import check_texts as all_texts
        from codeindex.redact_query import redact_text
        from codeindex.search.exact.grep import LineSearch, grep_lines
        from codeindex.search.exact.pattern import PatternRequest

        check_page(limit=limit, per_file=per_file, cursor=cursor, before=before, after=after)
        texts = (query,) if isinstance(query, str) else all_texts("query", query)
        if not texts:
            raise QueryError("No pattern is given: say what you are looking for.")
        said = redact_text(" | ".join(texts))
        chosen = self._filters(filters, tests)
        if chosen.kinds:
            raise QueryError("Lines have no kind: leave it out, or search by meaning.")
        if mode == "exact":  # a line with a secret is found as it is kept
            texts = tuple(dict.fromkeys((*texts, *map(redact_text, texts))))
        wanted = PatternRequest(texts, mode, case, whole_words)
        search = LineSearch(
            repo=self.reader().repository.name,
            query=said,
            mode=mode,
            patterns=wanted.patterns(),
            filters=chosen,
            before=before,
            after=after,
            limit=limit,
            cursor=cursor,
            spans=spans,
            per_file=per_file,
            likely_first=likely_first,
            symbols=symbols,
        )
        with self._matching(search.patterns) as matcher:
            found = self._ask(lambda one: grep_lines(one, search, matcher, self._beside(one)))
        refreshed = self._open.refreshed = replace(self._open.refreshed, unread=found.unread)
        return replace(found, refreshed=replace(refreshed, unread=()))  # named by themselves

    @contextlib.contextmanager
    def _matching(self, patterns: Sequence[LinePattern]) -> Iterator[Matcher]:
        """Match here what takes no longer than the text is long, and all else in a child."""
        from codeindex.search.exact.matchers import InProcessMatcher

        if all(one.is_literal for one in patterns):
            yield InProcessMatcher(patterns)
            return
        with self._open.matchers().matching(patterns) as child:
            yield child

    def _beside(self, connection: sqlite3.Connection) -> UnstoredFiles:
        """Return the files whose text the catalog does not hold, or not as it is now."""
        from codeindex.search.exact.texts import UnstoredFile, UnstoredFiles, minified_files

        unread, until = self._open.refreshed.unread, time.monotonic() + _READ_SECONDS
        files = minified_files(connection)

        def read(path: str, patterns: Sequence[LinePattern]) -> SafeText:
            if time.monotonic() > until:
                raise QueryError("There was no time to read it.")
            return self._redacted(path, patterns)

        if unread:
            from codeindex.ingest.on_demand.worktree import indexable_files  # 0.1 s

            changed = indexable_files(self.root, unread, config=self.settings.config)
            files += [UnstoredFile(one.path, one.language, one.is_test) for one in changed]
        return UnstoredFiles(files, read)

    def _redacted(self, path: str, patterns: Sequence[LinePattern]) -> SafeText:
        """Return a file as a sync would keep it, nothing if it cannot match; QueryError if none."""
        from codeindex.config import data_home
        from codeindex.ingest.on_demand.worktree import read_worktree_text
        from codeindex.ingest.read.redact import SecretRules, fingerprint_key_for, redact_file
        from codeindex.search.exact.redaction_prefilter import may_match
        from codeindex.store.datadir.home import fingerprint_key_file
        from codeindex.types import SafeText

        config = self.settings.config
        text = read_worktree_text(self.root, path, max_bytes=config.limits.max_file_kb * 1024)
        if not may_match(text, patterns):
            return SafeText("")
        secrets = config.secrets
        key = fingerprint_key_for(secrets.ignore, fingerprint_key_file(data_home()))
        rules = SecretRules(secrets.ignore, config.secret_patterns, key)
        return redact_file(text, path=path, rules=rules).text
