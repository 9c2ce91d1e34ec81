"""Parse a pattern in each syntactic context of a language in which it can stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codeindex.languages import Language
from codeindex.structural.metavariables import (
    MetavariableUse,
    SpelledPattern,
    metavariable_uses,
    spell_pattern,
)
from codeindex.structural.pattern_nodes import (
    PatternNode,
    count_split_placeholders,
    literal_words,
    nodes_between,
    pattern_roots,
)

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_ROUNDS = 4
"""Maximum number of metavariables whose form differs from that of the others, such as a parameter
list, a body or a type."""
_PERFECT = (0, 1)
"""Best possible score: no syntax error, and the pattern is a single node."""
CONTEXT_MARK = "PATTERN"
"""Placeholder for the pattern in a `Language.fragment_contexts` item."""


@dataclass(frozen=True, slots=True)
class SyntaxPattern:
    """A pattern parsed in one language.

    Each alternative is a sequence of sibling nodes that code may match. A pattern has several
    alternatives if it can be parsed in several ways, for example as an expression and as a type.
    """

    alternatives: tuple[tuple[PatternNode, ...], ...]

    @property
    def words(self) -> frozenset[bytes]:
        """The words that every match contains, whichever alternative it matches."""
        return frozenset.intersection(*map(literal_words, self.alternatives))


def compile_syntax(pattern: str, language: Language, parser: Parser) -> SyntaxPattern | None:
    """Parse a pattern in each context of a language; None if it has syntax errors in all.

    A context is, for example, an expression or a type. A pattern that is a single metavariable
    matches all code; its result has no alternatives.
    """
    found = list(_meanings(pattern, language, parser))
    if not found and language.clause_start:
        broken = language.clause_start.sub("\n", pattern)
        found = list(_meanings(broken, language, parser))
    if not found:
        return None
    return SyntaxPattern(
        tuple(roots for roots in dict.fromkeys(found) if not _matches_anything(roots))
    )


def _meanings(
    pattern: str, language: Language, parser: Parser
) -> Iterator[tuple[PatternNode, ...]]:
    """Yield the nodes of a pattern, once for each context of the language in which it parses.

    A context is, for example, an expression or a type.
    """
    uses = metavariable_uses(pattern)
    for context in language.fragment_contexts:
        before, _, after = context.partition(CONTEXT_MARK)
        speller = _Speller(pattern, uses, (before, after), parser)
        if spelled := speller.best(language.metavariable_forms):
            root = parser.parse(spelled.source).root_node
            yield pattern_roots(root, spelled, language.sequence_nodes)


def _matches_anything(roots: Sequence[PatternNode]) -> bool:
    return all(root.is_metavariable for root in roots)


class _Speller:
    """Replaces the metavariables of a pattern by identifiers, so that a grammar can parse it.

    Each object does so for one context, such as an expression or a type.
    """

    def __init__(
        self,
        pattern: str,
        uses: Sequence[MetavariableUse],
        context: tuple[str, str],
        parser: Parser,
    ) -> None:
        self._pattern, self._uses, self._context, self._parser = pattern, uses, context, parser

    def best(self, forms: Sequence[str]) -> SpelledPattern | None:
        """Return the pattern with identifiers that give no syntax errors and the fewest nodes.

        `forms` are the forms of identifiers to try, such as `name` and `Name`. None if all choices
        have syntax errors.
        """
        found: list[tuple[int, SpelledPattern]] = []
        for first in forms if self._uses else forms[:1]:
            chosen, (errors, nodes) = self._descend([first] * len(self._uses), forms)
            if not errors:
                found.append((nodes, self._spell(chosen)))
            if not errors and nodes == 1:
                break
        return min(found, key=lambda spelling: spelling[0])[1] if found else None

    def _descend(
        self, chosen: Sequence[str], forms: Sequence[str]
    ) -> tuple[Sequence[str], tuple[int, int]]:
        """Improve the forms in `chosen`: change one at a time while the score becomes smaller.

        Return (chosen forms, their score); `_score` computes it. `forms` are the forms to try.
        """
        best = self._score(chosen)
        for _ in range(_ROUNDS):
            changed = [
                [*chosen[:number], form, *chosen[number + 1 :]]
                for number in range(len(chosen))
                for form in forms
            ]
            scored = [(self._score(candidate), candidate) for candidate in changed]
            score, candidate = min(scored, key=lambda pair: pair[0], default=(best, chosen))
            if best <= _PERFECT or score >= best:
                break
            best, chosen = score, candidate
        return chosen, best

    def _score(self, chosen: Sequence[str]) -> tuple[int, int]:
        """Return (bytes of syntax errors, number of the pattern's nodes); the smallest is best.

        `chosen` has, for each metavariable, the form of the identifier that replaces it.
        """
        spelled = self._spell(chosen)
        root = self._parser.parse(spelled.source).root_node
        if errors := count_errors(root):
            return errors, 0
        nodes = nodes_between(root, spelled)
        lost = count_split_placeholders(nodes, spelled)
        return (0, len(nodes)) if nodes and not lost else (1, 0)

    def _spell(self, forms: Sequence[str]) -> SpelledPattern:
        return spell_pattern(self._pattern, self._uses, forms, self._context)


def count_errors(root: Node) -> int:
    """Return the number of bytes in syntax errors, plus one for each missing token."""
    if not root.has_error:
        return 0
    size, pending = 0, [root]
    while pending:
        node = pending.pop()
        if node.is_error:
            size += max(1, node.end_byte - node.start_byte)
        elif node.is_missing:
            size += 1
        elif node.has_error:
            pending += node.children
    return max(size, 1)
