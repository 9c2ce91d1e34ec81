"""What rustdoc says a name means: the links in the source pages that it writes.

`graph.py rust REPO... --modules DOCS` reads the pages below `DOCS` (at any depth) and compares
names in files of the repository whose text equals that of a page. To write them, without cargo:

    RUSTC_BOOTSTRAP=1 rustdoc --edition 2021 --crate-name NAME -Z unstable-options \
        --generate-link-to-definition --document-private-items --cap-lints allow \
        --cfg 'feature="std"' --cfg test -o DOCS/NAME src/lib.rs

or with cargo: `cargo rustdoc --lib` with these options in `RUSTDOCFLAGS` and `--target-dir DOCS`.

The pages link paths, method calls and macros, in macro arguments too, but no fields. Two things
they cannot tell, so several targets are accepted:

* A call of a method of a trait leads to the trait, even where the type of the receiver is known.
  The methods of that name in the repository's `impl` blocks of the trait are accepted too.
* What a macro defines is at the macro's invocation. A definition of that name in the definition
  of the macro is accepted too.
"""

from __future__ import annotations

import html
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from graph_oracles import Answer, Target
from tree_sitter_language_pack import get_parser

_LINE = re.compile(r"<a href=#(\d+) id=\1 data-nosnippet>\1</a>")
_LINK = re.compile(r'<a (?:class="[^"]*" )?href="([^"]*)"[^>]*>(.*?)</a>', re.DOTALL)
_TAG = re.compile(r"<[^>]+>")
_RANGE = re.compile(r"^(?P<page>[^#]*)#(?P<first>\d+)(?:-(?P<last>\d+))?$")
_NAME = re.compile(r"^(?:r#)?(\w+)!?$")
_ITEM = r"\b(?:fn|struct|enum|trait|mod|const|static|type|union|macro_rules!)\s+(?:r#)?{}\b"
_MADE = r"\b(?:fn|struct|enum|trait|macro_rules!)\s+(\w+)"
_KEYWORDS = {"crate", "self", "super", "Self"}


class _Link(NamedTuple):
    line: int
    column: int
    name: str
    href: str


class _Page(NamedTuple):
    """A source page: where it is, the file that it shows, its lines and its links."""

    at: Path
    path: str
    lines: Sequence[str]
    links: Sequence[_Link]


@dataclass(slots=True)
class _Definitions:
    """Where methods are in the repository, as (file, line), by what a target cannot tell."""

    trait_at: dict[tuple[str, int], str] = field(default_factory=dict)
    """The names of traits, by each place of a method in them."""
    in_impls: dict[tuple[str, str], list[tuple[str, int]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """The methods of `impl` blocks, by trait and method."""
    in_macros: dict[tuple[str, str], list[tuple[str, int]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """Functions, types and macros in macro definitions, by macro and name."""
    locals: set[tuple[str, int]] = field(default_factory=set)
    """Constants in functions."""


def rust(root: Path, _: Sequence[str], size: int, docs: Path) -> list[Answer]:
    """Return random links until `size` of them lead to a definition in the repository."""
    pages = _pages(root, docs)
    definitions = _definitions(root)
    places = [(page, link) for page in pages.values() for link in _unique_links(page)]
    random.shuffle(places)
    answers: list[Answer] = []
    known = 0
    for page, link in places:
        if known >= size:
            break
        targets = _targets(pages, definitions, page, link)
        if targets:
            answers.append(Answer(page.path, link.line, link.column, link.name, tuple(targets)))
            known += any(target.path and not target.is_local for target in targets)
    return answers


def _unique_links(page: _Page) -> Iterator[_Link]:
    """Yield links on names outside of `use` statements that occur once in their line."""
    for link in page.links:
        if link.line > len(page.lines):
            break
        words = re.findall(r"\w+", page.lines[link.line - 1])
        if words.count(link.name) == 1 and not _in_use(page, link.line):
            yield link


def _in_use(page: _Page, line: int) -> bool:
    for row in range(line, 0, -1):
        text = page.lines[row - 1].partition("//")[0]
        if re.match(r"\s*(?:pub(?:\([^)]*\))?\s+)?use\s", text):
            return True
        if row < line and (";" in text or not re.fullmatch(r"[\s\w:{},*]*", text)):
            return False
    return False


def _targets(
    pages: dict[Path, _Page], definitions: _Definitions, page: _Page, link: _Link
) -> list[Target]:
    """Return the targets of a link; none if it is on a definition or leads to a module."""
    if link.href.startswith("http"):
        return _external(definitions, link)
    target = _RANGE.match(link.href)
    if target is None:  # the documentation page of the definition that has this name
        return []
    other = pages.get((page.at.parent / target["page"]).resolve()) if target["page"] else page
    first, last = int(target["first"]), int(target["last"] or target["first"])
    if other is None or (first == 1 and last >= len(other.lines)):
        return []
    lines = other.lines[first - 1 : last]
    row = next((at for at, text in enumerate(lines) if _defines(text, link.name)), None)
    place = (other.path, first + (row or 0))
    if place == (page.path, link.line):
        return []
    is_local = place in definitions.locals or _is_bound(lines[0], link.name, row)
    found = Target(*place, link.name, "local" if is_local else "definition", is_local)
    macro = re.match(r"\s*(?:\w+::)*(\w+)!", lines[0]) if row is None and not is_local else None
    trait = definitions.trait_at.get(place)
    more = definitions.in_impls.get((trait, link.name), []) if trait else []
    more = more + (definitions.in_macros.get((macro[1], link.name), []) if macro else [])
    return [found, *(found._replace(path=path, line=line) for path, line in more)]


def _external(definitions: _Definitions, link: _Link) -> list[Target]:
    """Return a target outside of the repository, and what stands for it if a trait declares it.

    These count for precision alone.
    """
    found = Target("", 0, link.name, "external", is_local=False)
    trait = re.search(r"/trait\.(\w+)\.html#", link.href)
    places = definitions.in_impls.get((trait[1], link.name), ()) if trait else ()
    return [found, *(Target(*place, link.name, "implementation", True) for place in places)]


def _is_bound(line: str, name: str, row: int | None) -> bool:
    """Tell whether a line binds a name as a variable or parameter: it defines no item or variant.

    What a macro defines need not be named in the macro's invocation.
    """
    if row is not None:
        return False
    word = rf"\b{re.escape(name)}\b"
    if len(name) == 1 or re.search(rf"\b(?:let|for|mut|ref)\b.*{word}|\|.*{word}", line):
        return True
    starts = name[:1].isupper() and re.match(rf"\s*{word}\s*(?:[,({{=]|$)", line)
    return bool(not starts and re.search(word, line) and "!" not in line)


def _defines(line: str, name: str) -> bool:
    match = re.search(_ITEM.format(re.escape(name)), line)
    return match is not None and not re.search(r"[<,]\s*$", line[: match.start()])


def _pages(root: Path, docs: Path) -> dict[Path, _Page]:
    by_name: dict[str, list[tuple[str, list[str]]]] = defaultdict(list)
    for path in _sources(root):
        text = path.read_text("utf-8", "replace").rstrip("\n")
        lines = [line.rstrip() for line in text.split("\n")]
        by_name[path.name].append((path.relative_to(root).as_posix(), lines))
    pages = {}
    for at in sorted(docs.resolve().rglob("*.rs.html")):
        lines, links = _read(at.read_text("utf-8", "replace"))
        for file, shown in by_name.get(at.name.removesuffix(".html"), ()):
            if list(map(_normal, shown)) == list(map(_normal, lines[: len(shown)])):
                pages[at] = _Page(at, file, shown, links)
                break
    return pages


def _normal(line: str) -> str:
    """Return a line without what differs between `assert!(x)` and `assert0((x))`."""
    return re.sub(r"[!0()]", "", line)


def _sources(root: Path) -> list[Path]:
    return [path for path in sorted(root.rglob("*.rs")) if "target" not in path.parts]


def _read(page: str) -> tuple[list[str], list[_Link]]:
    """Return the lines of a source page and the links on single names."""
    start = page.find("<code>") + len("<code>")
    body = page[start : page.find("</code></pre></div>", start)]
    lines, links = [], []
    for number, part in enumerate(_LINE.split(body)[2::2], 1):
        for match in _LINK.finditer(part):
            name = _NAME.match(_text(match[2]))
            if name and name[1] not in _KEYWORDS:
                column = len(_text(part[: match.start()]))
                links.append(_Link(number, column, name[1], match[1]))
        lines.append(_text(part).rstrip())
    return lines, links


def _text(part: str) -> str:
    return html.unescape(_TAG.sub("", part))


def _definitions(root: Path) -> _Definitions:
    found = _Definitions()
    parser = get_parser("rust")
    for path in _sources(root):
        queue = [parser.parse(path.read_bytes()).root_node]
        file = path.relative_to(root).as_posix()
        while queue:
            node = queue.pop()
            if node.type == "trait_item":
                trait = _field(node, "name")
                for line, _ in _functions(node):
                    found.trait_at[file, line] = trait
            elif node.type == "impl_item" and node.child_by_field_name("trait"):
                trait = _field(node, "trait").partition("<")[0].rpartition("::")[2]
                for line, name in _functions(node):
                    found.in_impls[trait, name].append((file, line))
            elif node.type in {"const_item", "static_item"} and _in_function(node):
                found.locals.add((file, node.start_point[0] + 1))
            elif node.type == "macro_definition":
                for line, text in enumerate(
                    (node.text or b"").decode().split("\n"), node.start_point[0] + 1
                ):
                    for name in re.findall(_MADE, text):
                        found.in_macros[_field(node, "name"), name].append((file, line))
            queue += node.children
    return found


def _in_function(node: Any) -> bool:
    return node.parent is not None and node.parent.type == "block"


def _functions(node: Any) -> Iterator[tuple[int, str]]:
    body = node.child_by_field_name("body")
    for child in body.children if body else ():
        if child.type in {"function_item", "function_signature_item"}:
            yield child.child_by_field_name("name").start_point[0] + 1, _field(child, "name")


def _field(node: Any, name: str) -> str:
    child = node.child_by_field_name(name)
    return child.text.decode() if child else ""
