"""The route of pattern questions: the pattern's best example first, then the others like it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from codeindex.query.classify import Classification, QueryType, classify
from codeindex.search.filters import allowed_paths
from codeindex.search.retrieve.corpus import Corpus, folder_words, stem_words
from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.patterns import (
    FilePattern,
    PatternMember,
    all_patterns,
    pattern_bases,
    pattern_decorators,
)
from codeindex.store.catalog.sql_values import placeholders
from codeindex.text.words import query_words, stemmed_parts
from codeindex.types import Filters, Hit, SafeText

_ABOUT = frozenset(
    stemmed_parts(
        "pattern convention boilerplate template typical usual common standard normal structure"
        " shape layout form example look written structured built organized laid new coding naming"
    )
)
"""Words that ask for a pattern and are not what it is about."""
_NAMED, _PLACED, _FUNCTION = 3.0, 2.0, 1.0
"""What a word of the question is worth where it is found: any of them makes an answer, and the
order between them was set by looking at answers in five repositories."""
_ENOUGH = 1.5
"""A word that is only one of the functions is no sign that the question is about them."""


@dataclass(frozen=True, slots=True)
class PatternAnswer:
    """A pattern that a question is about, its members as far as the filters allow."""

    question: Classification
    pattern: FilePattern
    members: tuple[PatternMember, ...]
    bases: tuple[str, ...]
    decorators: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return what the answer's `meta` says of it."""
        return {
            "name": self.pattern.name,
            "place": self.pattern.place,
            "methods": list(self.pattern.common),
            "bases": list(self.bases),
            "decorators": list(self.decorators),
            "canonical": self.pattern.canonical.path,
            "members": [
                {"file": one.path, "extra": list(one.extra), "missing": list(one.missing)}
                for one in self.pattern.members
            ],
        }


def answer_pattern(
    catalog: Catalog, corpus: Corpus, text: str, filters: Filters
) -> PatternAnswer | None:
    """Answer a question about how things are built here; None for any other, or of no pattern."""
    question = classify(text)
    if question.type is not QueryType.PATTERN:
        return None
    wanted = frozenset(query_words(text)) - _ABOUT
    scored = [(_fit(one, wanted), one) for one in all_patterns(catalog.connection)]
    score, best = max(scored, key=lambda one: one[0], default=(0.0, None))
    if best is None or score < _ENOUGH:
        return None
    allowed = allowed_paths(corpus, filters)
    members = tuple(one for one in best.members if one.path in allowed)
    if not members:
        return None
    connection = catalog.connection
    return PatternAnswer(
        question,
        best,
        members,
        pattern_bases(connection, best),
        pattern_decorators(connection, best),
    )


def _fit(one: FilePattern, wanted: frozenset[str]) -> float:
    """Tell how much of a question a pattern is about; of two alike the bigger comes first."""
    places = (
        (frozenset(stemmed_parts(one.name)), _NAMED),
        (stem_words(one.canonical.path) | folder_words(one.canonical.path), _PLACED),
        (frozenset(stemmed_parts(" ".join(one.common))), _FUNCTION),
    )
    return sum(
        max((worth for said, worth in places if word in said), default=0.0) for word in wanted
    )


def member_hits(
    catalog: Catalog, found: PatternAnswer, members: Sequence[PatternMember], *, repo: str
) -> list[Hit]:
    """Read each member's part that has most of what is common."""
    return [_hit(catalog, found, one, repo=repo) for one in members]


def _hit(catalog: Catalog, found: PatternAnswer, member: PatternMember, *, repo: str) -> Hit:
    names = found.pattern.common or ("",)
    row = catalog.connection.execute(
        "SELECT c.start_line, c.end_line, c.text, c.symbol, c.kind, c.has_secrets, c.heading,"  # noqa: S608 (marks)
        " c.line, f.language, f.module, f.is_test FROM chunks c JOIN files f ON f.id = c.file_id"
        " WHERE f.id = ? ORDER BY (SELECT count(*) FROM symbols s WHERE s.file_id = f.id"
        " AND s.line BETWEEN c.start_line AND c.end_line"
        f" AND s.name IN ({placeholders(names)}))"
        " DESC, c.start_line LIMIT 1",
        (member.file_id, *names),
    ).fetchone()
    start, end, text, symbol, kind, has_secrets, heading, line, *rest = row
    language, module, is_test = rest
    differences = len(member.extra) + len(member.missing)
    nearness = 1.0 / (1.0 + differences / (len(found.pattern.common) or 1))
    return Hit(
        repo=repo,
        path=member.path,
        start_line=start,
        end_line=end,
        score=nearness,
        text=SafeText(text),
        symbol=symbol,
        kind=kind,
        language=language,
        module=module,
        is_test=bool(is_test),
        has_secrets=bool(has_secrets),
        heading_path=heading,
        line=line,
        follows_pattern=found.pattern.name,
        why={"pattern": nearness, "extra": len(member.extra), "missing": len(member.missing)},
    )
