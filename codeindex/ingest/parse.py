"""Read names out of a file with tree-sitter: the only module that knows it.

tree-sitter holds the GIL, and its grammars can hang, crash or eat gigabytes on hostile input, so
this runs in the worker processes of `ingest.workers` only. Nodes are asked for bytes and rows and
then dropped; nothing here recurses, and no query is given a progress callback (both crash 0.26).
"""

from __future__ import annotations

import functools
import importlib
import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from codeindex.languages import LANGUAGES, Language
from codeindex.types import OWNER_KINDS, SafeText, Symbol, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Query

_SIGNATURE_CHARS = 300
_DOC_CHARS = 400
_OWN_PACKAGES = {"csharp": "tree_sitter_c_sharp", "yaml": "tree_sitter_yaml"}
"""Grammars that the language pack takes from packages of their own."""
_QUOTES = re.compile(r"^[A-Za-z]{0,2}(\"{3}|'{3}|[\"'`])|(\"{3}|'{3}|[\"'`])$")
_QUOTED = re.compile(r"^([`'\"]+)(.*)\1$")
_MARKS = re.compile(
    r"^\s*(?:///?!?|/\*+!?|\*+/?|#+|--+(?:\[=*\[|\s?[|^])?|;+|%+|\{-(?:\s?\|)?)?\s?"
)
_END_MARKS = re.compile(r"\s*(?:\*+/|-\}|\]=*\])\s*$")
_SUMMARY = re.compile(r"</?(?:summary|para)>")
_TAG = re.compile(
    r"[@\\][a-z]|:(?:param|returns?|raises|type)\b|- (?:Parameter|Returns|Throws)"
    r"|<(?:p|param|typeparam|returns|remarks|exception|example|value)\b"
)
"""Where the prose of a documentation comment ends and its list of parameters begins."""
_DIRECTIVE = re.compile(
    r"go:\w|@ts-|@__|eslint-|prettier-|biome-|nolint|noqa|pylint:|type: ignore|noinspection|rubocop:"
)
"""Comments for tools, which document nothing."""
_SEPARATORS = re.compile(r"::|\\")
_CALLABLE = frozenset(
    {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.TEST}
)
_STORED = frozenset({SymbolKind.VARIABLE, SymbolKind.CONSTANT})
_MEMBERS = frozenset({SymbolKind.PROPERTY, SymbolKind.FIELD})
_OWNERS = OWNER_KINDS | {SymbolKind.ENUM_MEMBER}


@dataclass(frozen=True, slots=True)
class _Found:
    """One definition as the query saw it, before nesting is worked out."""

    name: str
    scope: str
    kind: SymbolKind
    line: int
    start: int
    end: int
    rows: tuple[int, int]
    signature: str
    doc: str
    clause: bool


def symbols_of(language: Language, text: SafeText) -> tuple[Symbol, ...]:
    """Return the definitions in `text`, in the order of their first lines."""
    if not language.symbols:
        return ()
    source = text.encode()
    parser, query = _compiled(language.name)
    parser.reset()
    matches = _matches(query, parser.parse(_blanked(source, language.blanks)).root_node)
    found = sorted(
        _definitions(matches, language, source), key=lambda f: (f.start, -f.end, f.line, f.name)
    )
    found = _widened(found, _spans(matches, "_wrapper"))
    return tuple(_nested(_joined(_documented(found, _leading(matches, source)))))


def _blanked(source: bytes, pattern: str) -> bytes:
    """Return the source with each match made blank, so that no offset and no row moves."""
    if not pattern:
        return source
    return re.sub(pattern.encode(), lambda match: re.sub(rb"[^\n]", b" ", match[0]), source)


@functools.cache
def _compiled(name: str) -> tuple[Parser, Query]:
    import tree_sitter

    language = LANGUAGES[name]
    binding = _OWN_PACKAGES.get(
        str(language.grammar), f"tree_sitter_language_pack.bindings.{language.grammar}"
    )
    grammar = tree_sitter.Language(importlib.import_module(binding).language())
    extra = [f"({node}) @_leading" for node in language.leading]
    extra += [f"({node}) @_wrapper" for node in language.wrappers]
    return tree_sitter.Parser(grammar), tree_sitter.Query(
        grammar, "\n".join([language.symbols, *extra])
    )


def _matches(query: Query, root: Node) -> list[tuple[int, dict[str, list[Node]]]]:
    from tree_sitter import QueryCursor

    return QueryCursor(query).matches(root)


def _definitions(
    matches: Iterable[tuple[int, dict[str, list[Node]]]], language: Language, source: bytes
) -> list[_Found]:
    """Keep one definition, or none, for each name node: what the earliest pattern says."""
    best: dict[int, tuple[int, _Found | None]] = {}
    for pattern, captures in matches:
        kind = next((key for key in captures if key.startswith("symbol.")), "")
        for name in captures.get("name", ()):
            known = best.get(name.start_byte)
            if known is None or pattern < known[0]:
                one = _one(kind, name, captures, source, language.leading) if kind else None
                best[name.start_byte] = (pattern, one)
    return [one for _, one in best.values() if one and one.name]


def _one(
    kind: str,
    name: Node,
    captures: dict[str, list[Node]],
    source: bytes,
    leading: Sequence[str],
) -> _Found:
    node = captures[kind][0]
    body = captures.get("body", [None])[0] or node.child_by_field_name("body")
    extent = captures.get("extent", [node])[0]
    end = body.start_byte if body else _line_end(source, name.end_byte, extent.end_byte)
    scope = ".".join(_text(part, source) for part in captures.get("scope", ()))
    doc = captures.get("doc")
    return _Found(
        name=_clean_name(_text(name, source)),
        scope=_clean_scope(scope),
        kind=SymbolKind(kind.removeprefix("symbol.")),
        line=name.start_point[0] + 1,
        start=node.start_byte,
        end=extent.end_byte,
        rows=(node.start_point[0] + 1, _last_row(extent)),
        signature=_signature(_head(node, name.end_byte, end, leading, source)),
        doc=_first_paragraph(_QUOTES.sub("", _text(doc[0], source))) if doc else "",
        clause="clause" in captures,
    )


def _text(node: Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _last_row(node: Node) -> int:
    """1-based last row; a node that ends with its newline does not own the next row."""
    row, column = node.end_point
    return max(row + (column > 0), node.start_point[0] + 1)


def _line_end(source: bytes, start: int, stop: int) -> int:
    """Without a body, the line of its name is the head of a definition."""
    newline = source.find(b"\n", start, stop)
    return stop if newline < 0 else newline


def _head(node: Node, named: int, end: int, leading: Sequence[str], source: bytes) -> bytes:
    """Return a definition up to `end` without the attributes before or a comment after its name."""
    start = node.start_byte
    for child in node.children:
        if child.type not in leading:
            continue
        if start <= child.start_byte < named:
            start = child.end_byte
        elif named <= child.start_byte < end:
            end = child.start_byte
    return source[start:end]


def _signature(head: bytes) -> str:
    """Fold the head of a definition into one line."""
    text = re.sub(r"\s+", " ", head.decode("utf-8", "replace")).strip()
    return (
        text.rstrip("{, ")
        .removesuffix(":")
        .removesuffix("=>")
        .removesuffix(" =")
        .rstrip()[:_SIGNATURE_CHARS]
    )


def _clean_name(text: str) -> str:
    """Strip quotes, the colon of `:symbol`, or the parameters of `operator bool()`."""
    text = _QUOTED.sub(r"\2", re.sub(r"\s+", " ", text).strip())
    return re.sub(r"^:(?=\w)|(?<=\w):$|(?<=^operator )(\w[^(]*)\(.*", r"\1", text)[:200]


def _clean_scope(text: str) -> str:
    """`Outer<T>::Inner`, `*Server[T]`, `a.b.prototype` as dotted owners without type arguments."""
    previous = None
    while previous != text:
        previous, text = text, re.sub(r"<[^<>]*>|\[[^][]*\]|\([^()]*\)", "", text)
    parts = re.findall(r"[^\W\d][\w$]*", text)
    return ".".join(part for part in parts if part not in {"prototype", "mut", "const", "dyn"})


def _spans(
    matches: Iterable[tuple[int, dict[str, list[Node]]]], capture: str
) -> list[tuple[int, int, int, int]]:
    """Return (start byte, end byte, first row, last row) of each captured node, sorted."""
    return sorted(
        (node.start_byte, node.end_byte, node.start_point[0] + 1, _last_row(node))
        for _, captures in matches
        for node in captures.get(capture, ())
    )


def _widened(found: list[_Found], wrappers: Sequence[tuple[int, int, int, int]]) -> list[_Found]:
    """Give each wrapper's lines to the first definition inside it."""
    starts = [one.start for one in found]
    for start, end, first, last in reversed(wrappers):
        at = bisect_left(starts, start)
        if at == len(found) or found[at].start >= end:
            continue
        one = found[at]
        rows = (
            min(first, one.rows[0]),
            max(last, one.rows[1]) if one.end + 2 >= end else one.rows[1],
        )
        found[at] = replace(one, rows=rows)
    return found


def _leading(
    matches: Iterable[tuple[int, dict[str, list[Node]]]], source: bytes
) -> dict[int, tuple[int, str]]:
    """Map the last row of each node that has its lines to itself to its first row and comment."""
    rows: dict[int, tuple[int, str]] = {}
    for _, captures in matches:
        for node in captures.get("_leading", ()):
            if _is_alone(node, source):
                doc = captures.get("doc", [node] if "comment" in node.type else [])
                text = "".join(_text(part, source) for part in doc)
                rows[_last_row(node)] = (node.start_point[0] + 1, text)
    return rows


def _is_alone(node: Node, source: bytes) -> bool:
    """Say whether no code shares a line with the node, which may take in its line's end."""
    start = source.rfind(b"\n", 0, node.start_byte) + 1
    end = source.find(b"\n", node.end_byte - 1)
    after = source[node.end_byte : end if end >= 0 else len(source)]
    return not source[start : node.start_byte].strip() and not after.strip()


def _documented(found: list[_Found], leading: dict[int, tuple[int, str]]) -> list[_Found]:
    """Put the comments right above a definition into its lines and, failing better, its doc.

    A member that starts on its owner's line, as a record's do, leaves the comments to the owner.
    """
    out = []
    first_on: dict[int, _Found] = {}
    for one in found:
        outer = first_on.setdefault(one.rows[0], one)
        if outer.start < one.start and one.end <= outer.end:
            out.append(one)
            continue
        first, texts = one.rows[0], []
        while first - 1 in leading:
            first, text = leading[first - 1]
            texts.append(text)
        doc = one.doc or _first_paragraph("\n".join(reversed(texts)))
        out.append(replace(one, rows=(first, one.rows[1]), doc=doc))
    return out


def _first_paragraph(comment: str) -> str:
    """Strip comment marks and return the first paragraph in one line."""
    lines: list[str] = []
    for line in comment.strip().splitlines():
        bare = _SUMMARY.sub("", _END_MARKS.sub("", _MARKS.sub("", line))).strip()
        if lines and (not bare or _TAG.match(bare)):
            break
        if bare and not _DIRECTIVE.match(bare):
            lines.append(bare)
    return " ".join(lines)[:_DOC_CHARS]


def _joined(found: Iterable[_Found]) -> list[_Found]:
    """Make one definition of clauses of one name that follow each other without a comment."""
    out: list[_Found] = []
    heads: dict[str, int] = {}
    for one in found:
        at = heads.get(one.name, -1)
        bare = one.clause and at >= 0 and one.rows[0] == one.line
        if bare and out[-1].end <= out[at].end <= one.start:
            out[at] = replace(out[at], end=one.end, rows=(out[at].rows[0], one.rows[1]))
            continue
        if one.clause:
            heads[one.name] = len(out)
        out.append(one)
    return out


def _nested(found: Sequence[_Found]) -> Iterable[Symbol]:
    """Turn nesting into qualified names; a function whose owner is a type is a method."""
    owners: list[tuple[_Found, Symbol]] = []
    for one in found:
        while owners and not _owns(owners[-1][0], one):
            owners.pop()
        owner = _owner(one.kind, [symbol for _, symbol in owners])
        if one.kind in _STORED and owner and owner.kind in _CALLABLE:
            continue
        symbol = _symbol(one, owner)
        yield symbol
        owners.append((one, symbol))


def _owns(outer: _Found, inner: _Found) -> bool:
    """Tell whether one is inside the other; the names of `int a, b;` have one span and are not."""
    return inner.end <= outer.end and (inner.start, inner.end) != (outer.start, outer.end)


def _owner(kind: SymbolKind, around: Sequence[Symbol]) -> Symbol | None:
    """Return the innermost owner; a property declared by a constructor is its type's."""
    skipped = _CALLABLE if kind in _MEMBERS else frozenset()
    return next((one for one in reversed(around) if one.kind not in skipped), None)


def _symbol(one: _Found, owner: Symbol | None) -> Symbol:
    prefix = [owner.qualified] if owner else []
    if one.scope and not (owner and owner.qualified.endswith(one.scope)):
        prefix.append(one.scope)
    kind = one.kind
    if kind is SymbolKind.FUNCTION and (one.scope or (owner and owner.kind in _OWNERS)):
        kind = SymbolKind.METHOD
    return Symbol(
        name=one.name,
        qualified=".".join([*prefix, _SEPARATORS.sub(".", one.name)]),
        kind=kind,
        line=one.line,
        start_line=one.rows[0],
        end_line=one.rows[1],
        signature=one.signature,
        doc=one.doc,
    )
