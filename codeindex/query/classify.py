"""Classify a query as a relationship, flow, pattern, symbol or concept question by its words.

The query is normalised to a shape: its words in lower case, with `NAME` for each identifier. The
shape is tested against the patterns below, in the order relationship, flow, pattern, symbol; a
query that matches none is a concept question.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from enum import StrEnum

from codeindex.query.flow_phrases import FLOW_SHAPES
from codeindex.query.identifiers import QUOTES, STOPS, is_identifier
from codeindex.query.project_files import ProjectFiles, project_files
from codeindex.query.relation import parse_relation
from codeindex.query.wanted_files import WantedFiles, wanted_files
from codeindex.text.words import STOP_WORDS


class QueryType(StrEnum):
    """The kind of answer that a query asks for."""

    SYMBOL = "symbol"
    CONCEPT = "concept"
    RELATIONSHIP = "relationship"
    FLOW = "flow"
    PATTERN = "pattern"


_ANSWERED_BY_EDGES = frozenset({QueryType.RELATIONSHIP, QueryType.PATTERN, QueryType.FLOW})


class Intent(StrEnum):
    """Why somebody asks, ordered by how likely documents answer the query: least likely first.

    LOOKUP: find code. WORKING: learn how something works. INSTRUCTION: learn what something is, or
    an imperative such as "add a route". TASK: learn how to do something.
    """

    LOOKUP = "lookup"
    WORKING = "working"
    INSTRUCTION = "instruction"
    TASK = "task"


@dataclass(frozen=True, slots=True)
class Classification:
    """The type and intent of a query, and the kind of files that it asks for.

    `is_how` is true for questions about how something works.
    """

    type: QueryType
    is_how: bool
    intent: Intent = Intent.LOOKUP
    wanted: WantedFiles = WantedFiles.ANY
    project_files: ProjectFiles | None = None
    """The files that a question for `WantedFiles.PROJECT` asks for."""


_MOST_CHARACTERS = 500
"""Only this many characters of a query are classified, to bound the backtracking of the
patterns."""

_USUAL = "(?:typical|usual|common|standard|normal)"
_LIKE = "(?:work|written|structured|look|built|organi[sz]ed|laid out)"
_RULES = "(?:patterns?|conventions?|boilerplate)"
_PATTERN_SHAPES = (
    rf"^how (?:do|are) (?!(?:i|you|we|they|things) )(?:the |our |all )?(?:\S+ )?\S+ {_LIKE}$",
    rf"^(?:what is )?(?:the |our |a )?(?:(?:{_USUAL}|coding|naming) )?{_RULES} (?:for|of|when|to) ",
    rf"\b{_USUAL} (?:structure|shape|layout|form|pattern|way) (?:of|for|to) ",
    rf"^what does an? {_USUAL} .+ look like$",
    r"^examples? of (?:a |an )?(?:typical )?\S+$",
    r"^templates? for (?:a |an )?new ",
)

_LOOK_UP = (
    "(?:what is|what's|what are|find|show|show me|go to|jump to|open|where is|where's"
    "|define|definition of|locate|look up|lookup|get)"
)
_KIND = (
    "(?:function|method|class|struct|interface|trait|enum|type|constant|const|variable"
    "|macro|module|namespace)"
)
_SYMBOL_SHAPES = (
    rf"^(?:{_LOOK_UP} )?(?:the )?(?:definition of )?(?:the )?(?:{_KIND} )?NAME$",
    rf"^(?:the )?NAME (?:definition|declaration|signature|implementation|{_KIND})$",
    r"^where (?:is|are) (?:the )?NAME (?:defined|declared|implemented)$",
    r"^(?:def|func|fn|fun) \w+$",
)

_SHAPES = (
    (QueryType.FLOW, FLOW_SHAPES),
    (QueryType.PATTERN, _PATTERN_SHAPES),
    (QueryType.SYMBOL, _SYMBOL_SHAPES),
)
"""The patterns are not compiled here: `re` caches each one at its first use, and compiling all at
once takes 30 ms."""
_HOW = re.compile(
    "(?:how|why|explain|describe|understand|overview|architecture|walk me through)\\b"
)
_VERBS = frozenset(
    (
        *("add", "allow", "apply", "attach", "avoid", "build", "choose", "configure", "connect"),
        *("create", "customise", "customize", "debug", "define", "deploy", "develop", "disable"),
        *("enable", "extend", "generate", "handle", "hide", "ignore", "implement", "improve"),
        *("include", "inject", "inspect", "install", "integrate", "launch", "make", "manage"),
        *("migrate", "modify", "override", "pass", "persist", "prevent", "provide", "publish"),
        *("register", "remove", "rename", "replace", "require", "reset", "restart", "restrict"),
        *("reuse", "rewrite", "run", "save", "secure", "send", "serve", "set", "share", "specify"),
        *("start", "stop", "troubleshoot", "turn", "update", "upgrade", "upload", "use"),
        *("validate", "write"),
    )
)
"""Verbs that begin an instruction; a set, because a pattern with so many words compiles slowly."""
_VERBS_OR_NOUNS = frozenset(
    (
        *("access", "bind", "bundle", "cache", "change", "check", "combine", "compare", "control"),
        *("convert", "delete", "display", "document", "execute", "export", "extract", "filter"),
        *("group", "import", "limit", "load", "log", "map", "merge", "mock", "monitor", "mount"),
        *("move", "open", "parse", "package", "print", "profile", "protect", "query", "read"),
        *("receive", "redirect", "release", "reload", "render", "reply", "respond", "retry"),
        *("return", "route", "schedule", "skip", "split", "store", "subscribe", "support"),
        *("switch", "test", "trigger", "watch", "work", "wrap"),
    )
)
"""Words that begin an instruction only before a determiner or a preposition.

"test a route" is an instruction; "test runner" and "parse arguments" look for code.
"""
_DETERMINERS = frozenset(
    (
        *("a", "all", "an", "against", "by", "each", "every", "for", "from", "in", "into", "many"),
        *("multiple", "my", "on", "one", "only", "our", "out", "several", "some", "the", "to"),
        *("with", "without", "your"),
    )
)
_TOPICS = frozenset(
    (
        *("deploying", "deployment", "faq", "guide", "installation", "installing", "migrating"),
        *("migration", "quickstart", "requirements", "setup", "troubleshooting", "tutorial"),
        *("upgrading", "usage"),
    )
)
"""A query that begins with one of these words is a task, because guides answer it."""
_ASKER = "(?:i|you|we|one|people|users?)"
_TASK = (
    rf"^(?:how|where|when|what) (?:do|can|could|should|would|must) {_ASKER} "
    rf"|^how to\b|^why\b|^(?:can|could|should|may|must) {_ASKER} "
    r"|^(?:i|we) (?:want|need|would like|am trying|are trying|have) to "
    r"|^(?:is it|is there|are there|does it|getting started|setting up) |^when (?:should|to|is it) "
    r"|\bdifferences? between\b"
)
"""Questions about what a user does or must know; documents answer them."""
_WORKING = rf"^(?:in )?which |^(?:is|are|does|do|will) |^{_HOW.pattern}"
_WORD = re.compile(r"[^\W\d][\w$]*")
_DECLARATION = re.compile(rf"{_KIND} [A-Z]\w*")


@functools.lru_cache(maxsize=64)
def classify(text: str) -> Classification:
    """Return a query's type and intent, cached because one search asks three times."""
    bare = text.strip()[:_MOST_CHARACTERS].rstrip(STOPS + " ")
    shape = " ".join(map(_shape, bare.split()))
    is_how = bool(_HOW.match(shape))
    project = project_files(" ".join(word.strip(QUOTES) for word in bare.lower().split()))
    wanted = WantedFiles.PROJECT if project else wanted_files(shape)
    if not project and parse_relation(bare):
        return Classification(QueryType.RELATIONSHIP, is_how, wanted=wanted)
    matching = (kind for kind, rows in _SHAPES if any(re.search(row, shape) for row in rows))
    fallback = QueryType.SYMBOL if _is_lone_name(bare) else QueryType.CONCEPT
    kind = next(matching, fallback)
    return Classification(kind, is_how, _intent(kind, shape), wanted, project)


def follows_edges(text: str) -> bool:
    """Tell whether a question is of a type that the edges between files can answer.

    Examples are "who calls X" and "how does A reach B".
    """
    return classify(text).type in _ANSWERED_BY_EDGES


def _intent(kind: QueryType, shape: str) -> Intent:
    first, *others = shape.split() or [""]
    if kind is QueryType.SYMBOL:
        return Intent.LOOKUP
    if first in _TOPICS or re.search(_TASK, shape):
        return Intent.TASK
    is_verb = first in _VERBS or (
        first in _VERBS_OR_NOUNS and not _DETERMINERS.isdisjoint(others[:1])
    )
    if (is_verb and len(others) > 1) or re.match(r"what (?:is|are|does|do)\b", shape):
        return Intent.INSTRUCTION
    return Intent.WORKING if re.search(_WORKING, shape) else Intent.LOOKUP


def _shape(word: str) -> str:
    """Return a word in the form in which questions are matched with patterns.

    It is `NAME` for a quoted word or an identifier, otherwise the word in lower case.
    """
    word = word.rstrip(STOPS)
    bare = word.strip(QUOTES)
    is_quoted = len(word) == len(bare) + 2 and word[0] == word[-1]
    return "NAME" if bare and (is_quoted or is_identifier(bare)) else bare.lower()


def _is_lone_name(text: str) -> bool:
    """Tell whether a query is a single plain word, or a kind and a capitalised name (`class Cart`).

    A single word in a script without upper case, such as Chinese, may be a whole question, so it
    does not count.
    """
    is_word = bool(_WORD.fullmatch(text)) and text.lower() != text.upper()
    return (is_word and text.lower() not in STOP_WORDS) or bool(_DECLARATION.fullmatch(text))
