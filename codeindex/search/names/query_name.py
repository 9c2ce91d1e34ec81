"""Extract the single name that a query consists of, even from a call, declaration or path."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codeindex.query.classify import Classification, QueryType
from codeindex.query.identifiers import is_identifier, query_names
from codeindex.search.names.paths import split_path_and_line
from codeindex.text.words import STOP_WORDS

NAME_SEPARATOR = re.compile(r"::|->|[.#/\\:]")
_DECLARED = re.compile(
    r"(?:def|func|fn|fun|class|struct|interface|trait|enum|type|macro|module) (\S+)"
)
_BEFORE_NAMES = frozenset(
    (
        *("abstract", "annotation", "async", "auto", "bool", "case", "char", "class", "const"),
        *("data", "declare", "def", "default", "double", "enum", "export", "extension", "extern"),
        *("final", "float", "fn", "fun", "func", "function", "impl", "implicit", "inline", "int"),
        *("interface", "internal", "lazy", "let", "local", "long", "macro", "module", "mut"),
        *("namespace", "native", "new", "object", "open", "override", "package", "partial", "pub"),
        *("private", "protected", "protocol", "proc", "public", "readonly", "record", "sealed"),
        *("static", "struct", "sub", "suspend", "synchronized", "trait", "type", "typedef"),
        *("union", "unsafe", "unsigned", "val", "var", "virtual", "void", "volatile", "#define"),
    )
)
"""Words that precede the name in declarations; some of them also occur in questions."""
_TYPED = frozenset(
    ("bool", "char", "fn", "func", "function", "int", "long", "struct", "union", "unsigned", "void")
)
"""Words that clearly mark a declaration if another keyword precedes them."""
_MAX_KEYWORDS = 6
"""Most words before the name of a declaration."""
_SIGNATURE = re.compile(
    r"(?P<before>(?:[\w<>\[\]*&?,.@:]+\s+){0,6})[*&]*(?P<name>[\w$~][\w$.:#~]*)(?:\[[^\[\]]*\])?\(.*\)"
    r"(?:\s*(?:->|=>|:|throws|const|noexcept)[^()]*)?[\s{;:=]*"
)
_RECEIVER = re.compile(r"func \([^()]*?\*?(\w+)(?:\[[^\[\]]*\])?\) (\w+).*")
_OF_POINTER = re.compile(r"\(\*(\w+)\)(?=\.)")
_TYPES = re.compile(r"(?:(?<=\w)|(?<=\w)::)<[^<>()]*>(?=$|::|[.#>,(])")
_BRACKETS = re.compile(r"(?<=\w)\[[^\[\]()]*\]$")
_TAG = re.compile(r"</?([A-Z][\w.]*)(?:\s[^<>]*)?/?>")
_ARITY = re.compile(r"(?<=[\w?!])/\d+$")
_CALL = re.compile(r"([^\s()]*[\w?!])\(.*", re.DOTALL)
_OPEN_CALL = re.compile(r"([^\s()]*[\w?!])\([^)]*")
_INCLUDED = re.compile(
    r"(?:#\s*include|require|require_relative|import)\s*\(?\s*[\"'<]([^\"'<>\s]+)[\"'>]?\)?;?"
)
_OPERATOR = re.compile(r"operator([^\w.:\s]+)")
_SIGILS = "@$&*%!"
_MAX_LENGTH = 500
"""Most characters of a query that may be a name."""


def extract_name(text: str, question: Classification) -> str | None:
    """Return the name or path that a query consists of; None if it is more than a name."""
    bare = text.strip().strip("\"'`,;").strip()
    if len(bare) > _MAX_LENGTH:
        return None
    if place := _place_in(bare):
        return place
    if name := _declared(bare, question):
        return name
    bare = _without_types(bare)
    if bare.startswith("operator ") or " " not in bare:
        return bare.replace(" ", "") or None
    if call := _OPEN_CALL.fullmatch(bare):
        return call[1]
    names = query_names(text) if question.type is QueryType.SYMBOL else []
    return names[0] if len(names) == 1 and " " not in names[0] else None


def strip_call(name: str) -> str:
    """Remove the arguments or the arity from a name: `f(x)` and `f/2` give `f`."""
    call = _CALL.fullmatch(name)
    if call and not call[1].endswith("operator"):
        return call[1]
    return _ARITY.sub("", name)


def name_variants(name: str) -> Iterator[str]:
    """Yield the names that a text can mean: all of it, then the part after the owners.

    For `Cart.add` these are `Cart.add` and `add`.
    """
    yield name
    if not re.search(r"\w", name):
        yield f"operator{name}"
        return
    if symbol := _OPERATOR.fullmatch(name):
        yield symbol[1]
    bare = name.rstrip(".:")
    tail = NAME_SEPARATOR.split(bare)[-1]
    if tail and tail != name:
        yield tail
    if len(tail) > 1 and tail.endswith("?"):  # ends names or questions
        yield tail[:-1]
    if tail[:1] in _SIGILS and (plain := tail.lstrip(_SIGILS)):
        yield plain


def _place_in(bare: str) -> str:
    """Return the path in a query that is an `#include` or import, or a path with a line.

    Return "" for other queries.
    """
    if included := _INCLUDED.fullmatch(bare):
        return included[1]
    return "" if split_path_and_line(bare)[1] is None else bare


def _declared(bare: str, question: Classification) -> str:
    """Return the name that the query declares, as `def add(x)` does; "" for other queries."""
    if declaration := _DECLARED.fullmatch(bare):
        return declaration[1]
    if method := _RECEIVER.fullmatch(bare):
        return f"{method[1]}.{method[2]}"
    *before, last = _without_types(bare).split() or [""]
    if 0 < len(before) <= _MAX_KEYWORDS and _BEFORE_NAMES.issuperset(before):
        name = strip_call(last.lstrip("*&"))
        if name[:1].isupper() or (name and is_identifier(name)) or _TYPED & {*before[1:]}:
            return name
    if question.type not in {QueryType.SYMBOL, QueryType.CONCEPT}:
        return ""
    signed = _SIGNATURE.fullmatch(_without_types(bare))
    if signed and STOP_WORDS.isdisjoint(signed["before"].lower().split()):
        return signed["name"]
    return ""


def _without_types(bare: str) -> str:
    """Remove type arguments: `Map<K, List<V>>::get` becomes `Map::get`."""
    if "operator" in bare:
        return bare
    if tag := _TAG.fullmatch(bare):
        return tag[1]
    bare = _OF_POINTER.sub(r"\1", bare)
    while (shorter := _TYPES.sub("", bare)) != bare:
        bare = shorter
    return _BRACKETS.sub("", bare)
