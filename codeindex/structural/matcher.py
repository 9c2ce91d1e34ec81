"""Match syntax in a child process that is killed if a text or the pattern takes too long."""

from __future__ import annotations

import contextlib
import textwrap
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from codeindex.errors import QueryError
from codeindex.languages import LANGUAGES
from codeindex.search.exact.matchers import MatcherPool, MatcherProcess, text_batches
from codeindex.structural.syntax_reply import ANYTHING, TOO_DEEP, SyntaxMatch
from codeindex.types import SafeText

MATCH_CHILD = "codeindex.structural.match_child"
MOST_SECONDS = 10.0
"""Time limit of one query, the same as for a regular expression."""
_BATCH_SECONDS = 3.0
"""Time limit of one batch, ten times its usual time, so that one hostile file cannot use up the
time of the query."""
_AT_ONCE = 250_000
"""Characters sent to the child at a time. If one of the files kills it, these must be matched
again."""
_LONGEST = 2_000
"""Maximum number of characters of a pattern, more than the longest statements have."""


class SourceText(NamedTuple):
    """A file to match: its path and its whole redacted text."""

    path: str
    text: SafeText


class FileMatches(NamedTuple):
    """The matches of a pattern in a file.

    `is_whole` is false if the grammar could not parse all of the file.
    """

    source: SourceText
    matches: tuple[SyntaxMatch, ...]
    is_whole: bool


class SyntaxMatcher:
    """Matches patterns in texts, in a child process and within a time limit."""

    def __init__(self, pool: MatcherPool, patterns: Sequence[str]) -> None:
        self._pool, self._patterns = pool, patterns
        self._process: MatcherProcess | None = None
        self._until = time.monotonic() + MOST_SECONDS
        self.failed: list[str] = []
        """Paths of the files that were not matched in time, or that killed the child."""

    def close(self) -> None:
        """Return the child process to the pool, for the next query."""
        if self._process is not None:
            self._pool.give(self._process)
            self._process = None

    def required_words(self, languages: Sequence[str]) -> dict[str, tuple[frozenset[str], ...]]:
        """Return {language: for each pattern, words that every match contains}.

        A language is left out if no pattern parses in it. Raise QueryError if no pattern parses in
        any language, or if one is too deep or matches all code.
        """
        words: dict[str, tuple[frozenset[str], ...]] = {}
        for language in languages:
            request = {"language": language, "patterns": self._patterns}
            replies = self._exchange(request, [], MOST_SECONDS)
            if replies is None:
                raise QueryError(
                    "The pattern could not be parsed in time: write a shorter one, or ask again."
                )
            _refuse(replies)
            known = tuple(frozenset(reply) for reply in replies if reply is not None)
            if known:
                words[language] = known
        if languages and not words:
            raise QueryError(_parse_error_message(self._patterns[0], languages))
        return words

    def matches(self, language: str, texts: Iterable[SourceText]) -> Iterator[FileMatches]:
        """Yield the matches in each text.

        Texts without a match are left out, unless a part of them could not be parsed.
        """
        for batch in text_batches(texts, _AT_ONCE):
            replies = self._match(language, batch)
            if replies is not None:
                yield from _pair_replies(batch, replies)
                continue
            for source in batch:  # one of them killed the child
                own = self._match(language, [source]) if len(batch) > 1 else None
                if own is None:
                    self.failed.append(source.path)
                else:
                    yield from _pair_replies([source], own)

    def _match(self, language: str, batch: Sequence[SourceText]) -> list[Any] | None:
        request = {
            "language": language,
            "patterns": self._patterns,
            "paths": [source.path for source in batch],
        }
        return self._exchange(request, [source.text for source in batch], _BATCH_SECONDS)

    def _exchange(
        self, request: Mapping[str, Any], texts: Sequence[str], seconds: float
    ) -> list[Any] | None:
        """Send a request to the child and return its replies; None if it was late or died."""
        until = min(self._until, time.monotonic() + seconds)
        if time.monotonic() >= self._until:
            return None
        if self._process is None:
            self._process = self._pool.take()
        replies, _ = self._process.exchange({**request}, texts, until=until)
        if replies is None:
            self._process.close()
            self._process = None
        return replies


@contextlib.contextmanager
def syntax_matcher(pool: MatcherPool, patterns: Sequence[str]) -> Iterator[SyntaxMatcher]:
    """Open a matcher for the patterns during the block.

    Raise QueryError for a pattern that is empty or too long.
    """
    for pattern in patterns:
        if not pattern.strip():
            raise QueryError("The pattern is empty: write code, such as `open($A)`.")
        if len(pattern) > _LONGEST:
            raise QueryError(f"The pattern has {len(pattern):,} characters, of {_LONGEST:,}.")
    matcher = SyntaxMatcher(pool, [textwrap.dedent(pattern).strip() for pattern in patterns])
    try:
        yield matcher
    finally:
        matcher.close()


def syntax_languages() -> frozenset[str]:
    """Return the names of the languages that have a grammar."""
    return frozenset(name for name, language in LANGUAGES.items() if language.grammar)


def _pair_replies(batch: Sequence[SourceText], replies: Sequence[Any]) -> Iterator[FileMatches]:
    for source, (matches, is_whole) in zip(batch, replies, strict=True):
        if matches or not is_whole:
            yield FileMatches(source, tuple(SyntaxMatch(*match) for match in matches), is_whole)


def _refuse(replies: Sequence[Any]) -> None:
    if ANYTHING in replies:
        raise QueryError(
            "The pattern is a metavariable alone, which matches everything: write the code around"
            " it, such as `open($A)`."
        )
    if TOO_DEEP in replies:
        raise QueryError("The pattern nests too deeply: write a part of it.")


def _parse_error_message(pattern: str, languages: Sequence[str]) -> str:
    tried = ", ".join(languages)
    return (
        f"The pattern '{pattern:.80}' is not valid code in {tried}: write a whole expression,"
        " statement or definition, with $NAME for one part and $$$ for any number of parts."
    )
