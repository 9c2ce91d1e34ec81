"""Parse a text or a regular expression into a line pattern with its required literals."""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from codeindex.errors import QueryError
from codeindex.query.validation import parameter_error
from codeindex.search.exact.inline_flags import scope_inline_flags
from codeindex.search.exact.literals import (
    has_capitals,
    parser,
    required_literals,
    spells_out,
    subexpressions,
)
from codeindex.store.catalog.trigrams import Needles
from codeindex.text.words import unicode_forms

Mode = Literal["exact", "regex"]
Case = Literal["exact", "ignore", "smart"]
_LONGEST = 10_000
"""Most characters of a pattern; `re` takes seconds to parse longer ones."""
_ACROSS = frozenset(
    {
        parser.ASSERT,
        parser.ASSERT_NOT,
        parser.ATOMIC_GROUP,
        parser.POSSESSIVE_REPEAT,
        parser.GROUPREF,
        parser.GROUPREF_EXISTS,
    }
)
"""Operations with which a line may match alone, though not as part of its text."""
_OPERATORS = re.compile(r"[\\^$.|?*+()\[\]{}]")
_FLAGS = re.compile(r"\(\?[aLimsux]+\)")
_ENDS = frozenset({parser.AT_BEGINNING_STRING, parser.AT_END_STRING, parser.AT_NON_BOUNDARY})


@dataclass(frozen=True, slots=True)
class LinePattern:
    """A regular expression for lines; if whole words are requested, `source` matches only these.

    Every match contains a literal of each clause of `needles`. `is_literal` is true if the user
    gave a text instead of an expression.
    """

    source: str
    ignore_case: bool
    alone: bool
    """Whether each line must be matched by itself, because other lines of the text could hide its
    match."""
    needles: Needles
    is_literal: bool


@dataclass(frozen=True, slots=True)
class PatternRequest:
    """Texts or regular expressions of a search; a line must match at least one of them."""

    texts: tuple[str, ...]
    mode: Mode = "exact"
    case: Case = "exact"
    whole_words: bool = False

    def patterns(self) -> tuple[LinePattern, ...]:
        """Return the checked patterns; raise QueryError for an invalid pattern."""
        return tuple(self._pattern(text) for text in self.texts)

    def in_other_forms(self) -> tuple[LinePattern, ...]:
        """Return patterns that match the texts in other Unicode forms, even mixed within one text.

        For a non-ASCII text this finds `é` written as one or as two characters. Return () if a text
        is a regular expression with operators, because only literals have such forms.
        """
        if self.mode == "regex" and any(map(_OPERATORS.search, self.texts)):
            return ()
        if self.is_ascii:
            others = tuple(form for text in self.texts for form in unicode_forms(text)[1:])
            return replace(self, texts=others, mode="exact").patterns()
        sources = tuple(map(_in_any_form, self.texts))
        return replace(self, texts=sources, mode="regex").patterns()

    @property
    def is_ascii(self) -> bool:
        """Whether all texts are ASCII; files rarely contain such texts in another Unicode form."""
        return all(map(str.isascii, self.texts))

    def _pattern(self, text: str) -> LinePattern:
        _refuse(text)
        is_literal = self.mode == "exact"
        source = re.escape(text) if is_literal else scope_inline_flags(text)
        tree = _parsed(source, text)
        needles = required_literals(tree)
        if spells_out(tree, "\n") or any(
            all("\r" in choice for choice in choices) for choices in needles
        ):
            raise QueryError("The pattern has a line end in it: lines are searched one by one.")
        ignore = self.case == "ignore" or (self.case == "smart" and not has_capitals(tree))
        if self.whole_words:
            source = _as_word(source, is_verbose=bool(tree.state.flags & re.VERBOSE))
            _parsed(source, text)
        return LinePattern(
            source,
            ignore,
            not is_literal and (self.whole_words or _is_alone(tree)),
            needles,
            is_literal,
        )


def _in_any_form(text: str) -> str:
    """Return a regular expression that matches a text with each character in any Unicode form."""
    return "".join(
        re.escape(character)
        if character.isascii()
        else f"(?:{'|'.join(map(re.escape, unicode_forms(character)))})"
        for character in unicodedata.normalize("NFC", text)
    )


def _refuse(text: Any) -> None:
    if not isinstance(text, str):
        raise parameter_error("query", text, "use text")
    if not text:
        raise QueryError("The pattern is empty: say what you are looking for.")
    if len(text) > _LONGEST:
        raise QueryError(f"The pattern has {len(text):,} characters: use {_LONGEST:,} at most.")
    if "\n" in text or "\r" in text:
        raise QueryError("The pattern has several lines: lines are searched one by one.")
    if "[[:" in text or ":]]" in text:
        raise QueryError("POSIX classes such as [[:alpha:]] are not known: write [A-Za-z].")


def _parsed(source: str, written: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about syntax that later Pythons may interpret otherwise
        try:
            tree = parser.parse(source)
            _refuse_wide_looks_back(tree)
        except (re.error, OverflowError, RecursionError) as error:
            raise QueryError(
                f"The pattern '{written:.80}' cannot be read: {error}."
                " It is one of Python's `re`; -F searches for it literally."
            ) from error
    return tree


def _refuse_wide_looks_back(tree: Any) -> None:
    """Raise `re.error` for a variable-width look-behind.

    `re` itself reports it only when it compiles the pattern, which happens later, in a process that
    can be killed.
    """
    for operation, given in tree:
        if operation in {parser.ASSERT, parser.ASSERT_NOT} and given[0] < 0:
            least, most = given[1].getwidth()
            if least != most:
                raise re.error("look-behind requires fixed-width pattern")
        for part in _within(operation, given):
            _refuse_wide_looks_back(part)


def _as_word(source: str, *, is_verbose: bool) -> str:
    """Return an expression that matches only where `source` matches whole words.

    Global flags such as `(?i)` stay at the start.
    """
    flags = match[0] if (match := _FLAGS.match(source)) else ""
    end = "\n" if is_verbose else ""  # ends a comment at the end of the pattern
    return rf"{flags}(?<!\w)(?:{source.removeprefix(flags)}{end})(?!\w)"


def _is_alone(tree: Any) -> bool:
    return any(operation in _ACROSS or operation in _ENDS for operation in _operations(tree))


def _operations(tree: Any) -> Iterator[Any]:
    """Yield the operations of a parsed pattern, nested ones too; for anchors, their kind."""
    for operation, given in tree:
        yield given if operation is parser.AT else operation
        for part in _within(operation, given):
            yield from _operations(part)


def _within(operation: Any, given: Any) -> Sequence[Any]:
    if operation is parser.GROUPREF_EXISTS:
        return tuple(part for part in given[1:] if part)
    return subexpressions(operation, given)
