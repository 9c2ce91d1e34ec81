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
_MARKS = re.compile(r"^\s*(?:///?!?|/\*+!?|\*+/?|#+|--+\[*|;+|%+|\{-)?\s?")
_END_MARKS = re.compile(r"\s*(?:\*+/|-\}|\]\])\s*$")


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


def symbols_of(language: Language, text: SafeText) -> tuple[Symbol, ...]:
    """Return the definitions in `text`, in the order of their first lines."""
    if not language.symbols:
        return ()
    source = text.encode()
    parser, query = _compiled(language.name)
    parser.reset()
    matches = _matches(query, parser.parse(source).root_node)
    found = sorted(
        _definitions(matches, language, source), key=lambda f: (f.start, -f.end, f.line, f.name)
    )
    found = _widened(found, _spans(matches, "_wrapper"))
    return tuple(_nested(_documented(found, _leading(matches, source))))


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
    """Keep one definition for each name node: the one of the earliest pattern."""
    best: dict[int, tuple[int, _Found]] = {}
    for pattern, captures in matches:
        kind = next((key for key in captures if key.startswith("symbol.")), None)
        if kind is None or "name" not in captures:
            continue
        node = captures[kind][0]
        for name in captures["name"]:
            known = best.get(name.start_byte)
            if known is None or pattern < known[0]:
                one = _one(node, name, SymbolKind(kind.removeprefix("symbol.")), captures, source)
                best[name.start_byte] = (pattern, one)
    return [one for _, one in best.values() if one.name]


def _one(
    node: Node, name: Node, kind: SymbolKind, captures: dict[str, list[Node]], source: bytes
) -> _Found:
    body = captures.get("body", [None])[0] or node.child_by_field_name("body")
    end = body.start_byte if body is not None else node.end_byte
    scope = captures.get("scope")
    doc = captures.get("doc")
    return _Found(
        name=_clean_name(_text(name, source)),
        scope=_clean_scope(_text(scope[0], source)) if scope else "",
        kind=kind,
        line=name.start_point[0] + 1,
        start=node.start_byte,
        end=node.end_byte,
        rows=(node.start_point[0] + 1, _last_row(node)),
        signature=_signature(source[node.start_byte : end], whole=body is None),
        doc=_first_paragraph(_QUOTES.sub("", _text(doc[0], source))) if doc else "",
    )


def _text(node: Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _last_row(node: Node) -> int:
    """1-based last row; a node that ends with its newline does not own the next row."""
    row, column = node.end_point
    return max(row + (column > 0), node.start_point[0] + 1)


def _signature(head: bytes, *, whole: bool) -> str:
    """Fold the head of a definition into one line; without a body its first line has to do."""
    text = head.decode("utf-8", "replace")
    if whole:
        text = text.strip().split("\n", 1)[0]
    text = re.sub(r"\s+", " ", text).strip()
    return text.rstrip("{ ").removesuffix(":").removesuffix("=>").rstrip()[:_SIGNATURE_CHARS]


def _clean_name(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().strip("`'\"")[:200]


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
        rows = (min(first, one.rows[0]), max(last, one.rows[1]) if one.end + 2 >= end else one.rows[1])
        found[at] = replace(one, rows=rows)
    return found


def _leading(
    matches: Iterable[tuple[int, dict[str, list[Node]]]], source: bytes
) -> dict[int, tuple[int, str]]:
    """Map the last row of each comment that has its lines to itself to its first row and text."""
    rows: dict[int, tuple[int, str]] = {}
    for _, captures in matches:
        for node in captures.get("_leading", ()):
            line_start = source.rfind(b"\n", 0, node.start_byte) + 1
            if not source[line_start : node.start_byte].strip():
                rows[_last_row(node)] = (node.start_point[0] + 1, _text(node, source))
    return rows


def _documented(found: list[_Found], leading: dict[int, tuple[int, str]]) -> list[_Found]:
    """Put the comments right above a definition into its lines and, failing better, its doc."""
    out = []
    for one in found:
        first, texts = one.rows[0], []
        while first - 1 in leading:
            first, text = leading[first - 1]
            texts.append(text)
        doc = one.doc or _first_paragraph("\n".join(reversed(texts)))
        out.append(replace(one, rows=(first, one.rows[1]), doc=doc))
    return out


def _first_paragraph(comment: str) -> str:
    """Strip comment marks and return the first paragraph in one line."""
    lines = []
    for line in comment.strip().splitlines():
        bare = _END_MARKS.sub("", _MARKS.sub("", line)).strip()
        if not bare and lines:
            break
        if bare and not bare.startswith("#["):
            lines.append(bare)
    return " ".join(lines)[:_DOC_CHARS]


def _nested(found: Sequence[_Found]) -> Iterable[Symbol]:
    """Turn nesting into qualified names; a function whose owner is a type is a method."""
    owners: list[tuple[int, Symbol]] = []
    for one in found:
        while owners and owners[-1][0] < one.end:
            owners.pop()
        owner = owners[-1][1] if owners else None
        prefix = [owner.qualified] if owner else []
        if one.scope and not (owner and owner.qualified.endswith(one.scope)):
            prefix.append(one.scope)
        kind = one.kind
        if kind is SymbolKind.FUNCTION and (one.scope or (owner and owner.kind in OWNER_KINDS)):
            kind = SymbolKind.METHOD
        symbol = Symbol(
            name=one.name,
            qualified=".".join([*prefix, one.name]),
            kind=kind,
            line=one.line,
            start_line=one.rows[0],
            end_line=one.rows[1],
            signature=one.signature,
            doc=one.doc,
        )
        yield symbol
        owners.append((one.end, symbol))
