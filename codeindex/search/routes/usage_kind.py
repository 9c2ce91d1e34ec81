"""Filter usages by kind: instantiates, raises, catches, writes, reads, returns, decorates.

The graph knows that a line uses a symbol; the text of the line tells how. If the text does not
tell, the usage is only possible: an exception may be created in one line and raised in another.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from codeindex.query.relation_phrases import Relation
from codeindex.search.routes.usage_line import UsageLine
from codeindex.store.catalog.files import stored_text
from codeindex.store.symbols.nodes import file_nodes_by_id
from codeindex.text.words import normal_form

_ASSIGNED = (
    r"{name}\b\s*(?:\[[^\]]*\]|['\"]\s*\])?\s*(?::\s*[\w\[\].| <>]+)?"
    r"(?:(?:[-+*/%&|^:?@]|//|\*\*|<<|>>|\|\||&&|\?\?)?=(?![=>])|\+\+|--|<-)"
    r"|^\s*{name}:\s"
)
"""An assignment to a name: `x = 1`, `x[0] += 1`, `x: int = 1`, `x++`, or a field `x: 1`."""


class _UsagePattern(NamedTuple):
    """A pattern that a line must match to be a use of one kind, such as a write.

    `line` is the pattern. Edges of the kinds in `always` pass without it; edges of the kinds in
    `possibly` pass as ambiguous.
    """

    line: str
    always: frozenset[str] = frozenset()
    possibly: frozenset[str] = frozenset()


_USAGE_PATTERNS = {
    Relation.MAKERS: _UsagePattern(
        r"\bnew\b[\s(]*(?:[\w$]+(?:::|\.|\\))*{name}\b|{name}(?:(?:\.|::)new\b|(?:<.*>)?\()"
        r"|(?:^|[(,=&{\[|]|=>|\breturn\b)\s*[&*]?(?:[\w$]+(?:::|\.))*(?:{name}|Self)"
        r"(?:(?:::)?<.*>)?\s*\{",
        always=frozenset({"calls"}),
    ),
    Relation.RAISERS: _UsagePattern(
        r"\b(?:raise|throw|throws|rethrow|panic!?|fail)\b.*{name}\b", possibly=frozenset({"calls"})
    ),
    Relation.CATCHERS: _UsagePattern(
        r"\b(?:except|catch|rescue|errors\.(?:As|Is))\b.*{name}\b",
        possibly=frozenset({"references"}),
    ),
    Relation.WRITERS: _UsagePattern(_ASSIGNED),
    Relation.READERS: _UsagePattern(
        rf"^(?!.*(?:{_ASSIGNED})).*{{name}}\b|^[^=]*=.*[.>:]{{name}}\b|{{name}}\b\s*(?:[-+*/%&|^]|//|\*\*)="
    ),
    Relation.RETURNERS: _UsagePattern(
        r"(?:->|=>|\)\s*:).*{name}\b"
        r"|\b(?:return|yield)\b[\s(&*]*(?:(?:await|new|Ok|Some|from)\b[\s(]*)?(?:[\w$]+(?:::|\.))*"
        r"{name}\b|\)\s*\(?[*\w.,\s]*{name}\b.*\{$"
        r"|^[\w\s@]*\b{name}\b(?:<.*>)?(?:\[\])?\s+\w+\s*\(",
        possibly=frozenset({"calls"}),
    ),
    Relation.DECORATED: _UsagePattern(
        r"^\s*(?:@|#!?\[|\[).*{name}\b", possibly=frozenset({"calls"})
    ),
}
_MOST_CHARACTERS = 400
"""Most characters of a line that are matched; some patterns take seconds for 20,000."""
_NEITHER = frozenset({"imports", "extends"})
"""Kinds of edges that are never usages of a kind in `_USAGE_PATTERNS`."""


def filter_by_usage_kind(
    connection: sqlite3.Connection,
    relation: Relation,
    names: Collection[str],
    usages: Iterable[UsageLine],
) -> Iterator[UsageLine]:
    """Yield the uses of the kind that a relation asks for, such as writes.

    `names` are the names with which a line may refer to the subject. Without names, or if the
    relation asks for no kind, yield all uses.
    """
    usage_pattern = _USAGE_PATTERNS.get(relation)
    if not usage_pattern or not names:
        yield from usages
        return
    any_name = "|".join(map(re.escape, sorted(names)))
    member = re.compile(rf"(?<=[.>:@])(?:{any_name})\b")
    as_member = re.compile(usage_pattern.line.replace("{name}", member.pattern))
    alone = re.compile(usage_pattern.line.replace("{name}", rf"(?<![\w$])(?:{any_name})"))
    candidates = [usage for usage in usages if usage.kind not in _NEITHER]
    texts = {
        file.file_id: stored_text(connection, file.path).split("\n")
        for file in file_nodes_by_id(connection, sorted({usage.file for usage in candidates}))
    }
    for usage in candidates:
        line = "".join(texts.get(usage.file, [])[usage.line - 1 : usage.line])[:_MOST_CHARACTERS]
        line = normal_form(line)
        pattern = as_member if member.search(line) else alone  # `config = self.config` sets none
        if usage.kind in usage_pattern.always or pattern.search(line):
            yield usage
        elif usage.kind in usage_pattern.possibly and usage.certainty != "textual":
            yield usage._replace(certainty="ambiguous")


def has_usage_kind(relation: Relation) -> bool:
    """Tell whether a relation asks only for usages of one kind, such as writes."""
    return relation in _USAGE_PATTERNS
