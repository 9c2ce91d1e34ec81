"""In which manner a line uses a name: makes, raises, catches, sets, reads, returns, decorates.

The graph knows that a line uses something; how, the line itself says. What may be meant all the
same, such as an exception that is made here and raised below, is told as possible.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from codeindex.query.relation_phrases import Relation
from codeindex.store.catalog.files import stored_text
from codeindex.store.symbols.nodes import file_nodes_by_id

if TYPE_CHECKING:
    import sqlite3

    from codeindex.search.routes.usages import UsageLine

_GIVEN = (
    r"{name}\b\s*(?:\[[^\]]*\]|['\"]\s*\])?\s*(?::\s*[\w\[\].| <>]+)?"
    r"(?:(?:[-+*/%&|^:?@]|//|\*\*|<<|>>|\|\||&&|\?\?)?=(?![=>])|\+\+|--|<-)"
    r"|^\s*{name}:\s"
)
"""A name that is given a value: `x = 1`, `x[0] += 1`, `x: int = 1`, `x++`, a field as `x: 1`."""


class _Manner(NamedTuple):
    """How a line looks, the kinds of uses that need not look so, and those that then may be it."""

    line: str
    plainly: frozenset[str] = frozenset()
    possibly: frozenset[str] = frozenset()


_MANNERS = {
    Relation.MAKERS: _Manner(
        r"\bnew\b[\s(]*(?:[\w$]+(?:::|\.|\\))*{name}\b|{name}(?:(?:\.|::)new\b|(?:<.*>)?\()"
        r"|(?:^|[(,=&{\[|]|=>|\breturn\b)\s*[&*]?(?:[\w$]+(?:::|\.))*(?:{name}|Self)"
        r"(?:(?:::)?<.*>)?\s*\{",
        plainly=frozenset({"calls"}),
    ),
    Relation.RAISERS: _Manner(
        r"\b(?:raise|throw|throws|rethrow|panic!?|fail)\b.*{name}\b",
        possibly=frozenset({"calls"}),
    ),
    Relation.CATCHERS: _Manner(
        r"\b(?:except|catch|rescue|errors\.(?:As|Is))\b.*{name}\b",
        possibly=frozenset({"references"}),
    ),
    Relation.WRITERS: _Manner(_GIVEN),
    Relation.READERS: _Manner(
        rf"^(?!.*(?:{_GIVEN})).*{{name}}\b|^[^=]*=.*[.>:]{{name}}\b|{{name}}\b\s*(?:[-+*/%&|^]|//|\*\*)="
    ),
    Relation.RETURNERS: _Manner(
        r"(?:->|=>|\)\s*:).*{name}\b"
        r"|\b(?:return|yield)\b[\s(&*]*(?:(?:await|new|Ok|Some|from)\b[\s(]*)?(?:[\w$]+(?:::|\.))*"
        r"{name}\b|\)\s*\(?[*\w.,\s]*{name}\b.*\{$"
        r"|^[\w\s@]*\b{name}\b(?:<.*>)?(?:\[\])?\s+\w+\s*\(",
        possibly=frozenset({"calls"}),
    ),
    Relation.DECORATED: _Manner(r"^\s*(?:@|#!?\[|\[).*{name}\b", possibly=frozenset({"calls"})),
}
_LONGEST = 400
"""Characters of a line that are looked at: on 20,000 of some kinds a pattern takes seconds."""
_OTHERWISE = frozenset({"imports", "extends"})
"""Kinds of uses that are of none of these manners, whatever their lines look like."""


def filter_by_usage_kind(
    connection: sqlite3.Connection,
    relation: Relation,
    names: Collection[str],
    found: Iterable[UsageLine],
) -> Iterator[UsageLine]:
    """Yield the uses that are of the manner which is asked for; all, if none is."""
    manner = _MANNERS.get(relation)
    if not manner or not names:
        yield from found
        return
    one_of = "|".join(map(re.escape, sorted(names)))
    member = re.compile(rf"(?<=[.>:@])(?:{one_of})\b")
    as_member = re.compile(manner.line.replace("{name}", member.pattern))
    alone = re.compile(manner.line.replace("{name}", rf"(?<![\w$])(?:{one_of})"))
    uses = [one for one in found if one.how not in _OTHERWISE]
    texts = {
        one.file_id: stored_text(connection, one.path).split("\n")
        for one in file_nodes_by_id(connection, sorted({one.file for one in uses}))
    }
    for one in uses:
        line = "".join(texts.get(one.file, [])[one.line - 1 : one.line])[:_LONGEST]
        pattern = as_member if member.search(line) else alone  # `config = self.config` sets none
        if one.how in manner.plainly or pattern.search(line):
            yield one
        elif one.how in manner.possibly and one.certainty != "textual":
            yield one._replace(certainty="ambiguous")


def has_usage_kind(relation: Relation) -> bool:
    """Tell whether a relation is one of uses that look so."""
    return relation in _MANNERS
