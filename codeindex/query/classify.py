"""Tell what kind of question a query is, by its words alone.

Every query is first brought into one shape: words in lower case, names as `NAME`. The rows below
are patterns of shapes, tried in the order relationship, flow, pattern, symbol; a query that fits
none asks for a concept.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from enum import StrEnum

from codeindex.query.relation import parse_relation
from codeindex.text.words import STOP_WORDS


class QueryType(StrEnum):
    """What is asked for."""

    SYMBOL = "symbol"
    CONCEPT = "concept"
    RELATIONSHIP = "relationship"
    FLOW = "flow"
    PATTERN = "pattern"


class Intent(StrEnum):
    """What a question is asked for, the more likely answered by documents the later it stands.

    Code; how something works; what it is, or a task in the imperative; how or why a task is done.
    """

    LOOKUP = "lookup"
    WORKING = "working"
    INSTRUCTION = "instruction"
    TASK = "task"


@dataclass(frozen=True, slots=True)
class Classification:
    """A query's type; `is_how` marks questions about how something works as a whole."""

    type: QueryType
    is_how: bool
    intent: Intent = Intent.LOOKUP


_LONGEST = 500
"""Characters that are looked at: nobody asks longer, and no pattern gets more to backtrack over."""
_NAME = re.compile(
    r"[a-z]\d*[A-Z]|[A-Z]{2}[a-z]{2}|\w_\w|^[_$]\w|[\w$](?:::|->|[.#])[A-Za-z_$]|\(\)$"
)
"""What no word of a sentence has: a hump, an underscore, a scope, a call."""
_RUN = re.compile(r"(?!\d)[\w$]+(?:(?:::|->|[.#])[\w$]+)*(?:\(\))?")
_QUOTED = re.compile(r"(?<!\w)([\"'`])([^\"'`\n]{2,100})\1(?!\w)")
_QUOTES = "\"'`"
_STOPS = "?!.,;:"


def _one_of(terms: str) -> str:
    return f"(?:{terms.replace(', ', '|')})"


_SHOW = rf"(?:{_one_of('find, list, show, show me, get, all, every, the')} )*"
_MOVING = _one_of("data, control, request, call, message, event, execution")
_REACH = _one_of("get, reach, travel, pass, passed, propagated?, flow, make its way")
_TOWARDS = _one_of("to, into, from, through, down to")
_TO = "(?:to|and|->|=>|→)"
_WAY = _one_of("chain, graph, route, trace, stack, connection, link, path, way")
_LEADS = _one_of(
    "reach, call, invoke, use, get to, lead to, connected to, reached from, called from"
    ", end up in, end up at, end up calling, come to call"
)
_FLOW = (
    rf"\b{_MOVING} flows? (?:from|of|between|through) ",
    r"\bflows? from \S+.* to \S",
    rf"^{_SHOW}(?:a |call |code |shortest )*paths? from \S+.* to \S",
    rf"^how (?:does|do|is|are) (?!(?:i|you|we|one) ).+ {_REACH} {_TOWARDS} ",
    r"\bfrom \S+.* to \S+.* (?:step by step|end to end)$",
    r"^(?:trace|follow) (?:the |a |an |one |how |NAME ).*(?:\bfrom \S+.* to|\bthrough) \S",
    r"^what happens between \S+.* and \S",
    rf"^{_SHOW}(?:a |call |code |shortest )*{_WAY} (?:from |between )?NAME {_TO} NAME$",
    r"^NAME (?:->|=>|→) NAME$",
    rf"^(?:how )?(?:does|do|can|is) NAME {_LEADS} NAME$",
    r"^how (?:do|does|can) \w+ get from NAME to NAME$",
)

_USUAL = _one_of("typical, usual, common, standard, normal")
_LIKE = _one_of("work, written, structured, look, built, organi[sz]ed, laid out")
_RULES = _one_of("patterns?, conventions?, boilerplate")
_PATTERN = (
    rf"^how (?:do|are) (?!(?:i|you|we|they|things) )(?:the |our |all )?(?:\S+ )?\S+ {_LIKE}$",
    rf"^(?:what is )?(?:the |our |a )?(?:(?:{_USUAL}|coding|naming) )?{_RULES} (?:for|of|when|to) ",
    rf"\b{_USUAL} (?:structure|shape|layout|form|pattern|way) (?:of|for|to) ",
    rf"^what does an? {_USUAL} .+ look like$",
    r"^examples? of (?:a |an )?(?:typical )?\S+$",
    r"^templates? for (?:a |an )?new ",
)

_LOOK_UP = _one_of(
    "what is, what's, what are, find, show, show me, go to, jump to, open, where is, where's"
    ", define, definition of, locate, look up, lookup, get"
)
_KIND = _one_of(
    "function, method, class, struct, interface, trait, enum, type, constant, const, variable"
    ", macro, module, namespace"
)
_SYMBOL = (
    rf"^(?:{_LOOK_UP} )?(?:the )?(?:definition of )?(?:the )?(?:{_KIND} )?NAME$",
    rf"^(?:the )?NAME (?:definition|declaration|signature|implementation|{_KIND})$",
    r"^where (?:is|are) (?:the )?NAME (?:defined|declared|implemented)$",
    r"^(?:def|func|fn|fun) \w+$",
)

_TABLE = (
    (QueryType.FLOW, _FLOW),
    (QueryType.PATTERN, _PATTERN),
    (QueryType.SYMBOL, _SYMBOL),
)
"""Patterns are compiled when they are tried, then `re` keeps them: all at once take 30 ms."""
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
"""Verbs that begin an instruction: sets, since patterns of so many words take long to compile."""
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
"""Those that begin one only before a determiner or a preposition: "test a route", but not
"test runner" or "parse arguments", which look for code."""
_DETERMINERS = frozenset(
    (
        *("a", "all", "an", "against", "by", "each", "every", "for", "from", "in", "into", "many"),
        *("multiple", "my", "on", "one", "only", "our", "out", "several", "some", "the", "to"),
        *("with", "without", "your"),
    )
)
"""What may follow these verbs."""
_TOPICS = frozenset(
    (
        *("deploying", "deployment", "faq", "guide", "installation", "installing", "migrating"),
        *("migration", "quickstart", "requirements", "setup", "troubleshooting", "tutorial"),
        *("upgrading", "usage"),
    )
)
"""First words of questions about a topic of guides."""
_ASKER = _one_of("i, you, we, one, people, users?")
_TASK = (
    rf"^(?:how|where|when|what) {_one_of('do, can, could, should, would, must')} {_ASKER} "
    rf"|^how to\b|^why\b|^(?:can|could|should|may|must) {_ASKER} "
    rf"|^(?:i|we) {_one_of('want, need, would like, am trying, are trying, have')} to "
    r"|^(?:is it|is there|are there|does it|getting started|setting up) |^when (?:should|to|is it) "
    r"|\bdifferences? between\b"
)
"""Questions about what a user does or has to know, which documents answer."""
_WORKING = rf"^(?:in )?which |^(?:is|are|does|do|will) |^{_HOW.pattern}"
_WORD = re.compile(r"[^\W\d][\w$]*")
_DECLARATION = re.compile(rf"{_KIND} [A-Z]\w*")


@functools.lru_cache(maxsize=64)
def classify(text: str) -> Classification:
    """Return the type of any text, however long or odd; one question asks for it thrice."""
    bare = text.strip()[:_LONGEST].rstrip(_STOPS + " ")
    shape = " ".join(map(_shape, bare.split()))
    if parse_relation(bare):
        return Classification(QueryType.RELATIONSHIP, bool(_HOW.match(shape)))
    fitting = (kind for kind, rows in _TABLE if any(re.search(row, shape) for row in rows))
    otherwise = QueryType.SYMBOL if _is_lone_name(bare) else QueryType.CONCEPT
    kind = next(fitting, otherwise)
    return Classification(kind, bool(_HOW.match(shape)), _intent(kind, shape))


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


def query_names(text: str) -> list[str]:
    """Return what in a query reads as a name: quoted text, else identifiers, in order."""
    quoted = [inner for _, inner in _QUOTED.findall(text)]
    return quoted or [run for run in _RUN.findall(text) if _NAME.search(run)]


def _shape(word: str) -> str:
    """Return `NAME` for a word that is quoted or looks like an identifier, else its lower case."""
    word = word.rstrip(_STOPS)
    bare = word.strip(_QUOTES)
    is_quoted = len(word) == len(bare) + 2 and word[0] == word[-1]
    return "NAME" if bare and (is_quoted or is_identifier(bare)) else bare.lower()


def is_identifier(word: str) -> bool:
    """Tell whether a word has the shape of a name in code."""
    return not word[0].isdigit() and bool(_NAME.search(word))


def _is_lone_name(text: str) -> bool:
    """Say whether all there is to a text is a name without an identifier's shape.

    A word alone is one: concepts take more. Not so in writing without upper case, such as Chinese,
    where a whole question may be one word.
    """
    is_word = bool(_WORD.fullmatch(text)) and text.lower() != text.upper()
    return (is_word and text.lower() not in STOP_WORDS) or bool(_DECLARATION.fullmatch(text))
