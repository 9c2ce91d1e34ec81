"""Parse components, such as those of Vue: their code, and the component itself as a symbol."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from codeindex.ingest.parse.grammars import parse_source
from codeindex.ingest.parse.nesting import PlacedSymbol
from codeindex.ingest.parse.parse_loss import error_rows
from codeindex.languages import Language
from codeindex.languages._components import COMPONENT, pascal_case
from codeindex.types import Import, Symbol, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_DEFAULT = "default"
_NAME = re.compile(r"[A-Za-z_$][\w$]*|[A-Za-z$][A-Za-z0-9$]*(?:-[A-Za-z0-9$]+)+")
"""A file name that is an identifier, or one in kebab case."""
_COMMENT_LINE = re.compile(rb"^[ \t]*(?://|/?\*).*", re.MULTILINE)
_USE = rb"(?<![\w$'\"`./-])%s(?![\w$'\"`-])"
"""A name in code, but for texts such as `name: 'CartPanel'` and paths of imports."""


def parse_script(
    source: bytes, language: Language, parser: Parser, *, with_bound: bool = False
) -> tuple[bytes, Node]:
    """Return the code of a source in a language that may have markup, and the root of its tree.

    The code is as long as the source, which is all code unless `language` has markup. Lines of
    markup are left out if the parser does not understand what they evaluate. Names that markup
    binds are kept `with_bound`.
    """
    if language.script is None:
        return source, parse_source(parser, source)
    whole = language.script(source, with_markup=True, with_bound=with_bound)
    root = parse_source(parser, whole)
    errors = error_rows(root)
    if not errors:
        return whole, root
    alone = language.script(source, with_markup=False, with_bound=with_bound)
    lines = zip(whole.split(b"\n"), alone.split(b"\n"), strict=True)
    sound = b"\n".join(pair[row in errors] for row, pair in enumerate(lines))
    root, root_alone = parse_source(parser, sound), parse_source(parser, alone)
    if error_rows(root) - error_rows(root_alone):
        return alone, root_alone
    return sound, root


def component_name(path: str) -> str:
    """Return the name by which code uses the component of a file, like `CartPanel`.

    `cart-panel.vue` and `CartPanel/index.vue` have the same. Return "" if the file's name has none:
    `[id].vue`, `+page.svelte`.
    """
    folder, _, file = path.rpartition("/")
    stem = file.rpartition(".")[0]
    stem = folder.rpartition("/")[2] if stem == "index" else stem
    return pascal_case(stem) if _NAME.fullmatch(stem) else ""


def name_component(path: str, source: bytes) -> str:
    """Return the name of the component in a file, "" if it has none.

    It has none if its code, `source`, uses the name: there it can mean an import, a global name, a
    type or another component, which the component must not hide.
    """
    name = component_name(path)
    code = _COMMENT_LINE.sub(b"", source)
    return name if name and not re.search(_USE % name.encode(), code) else ""


def add_component(symbols: Sequence[PlacedSymbol], name: str, lines: int) -> list[PlacedSymbol]:
    """Return the symbols of a file with its component, which is the default export of the file.

    An exported object, `export default { … }`, gets the name of the component, as do its methods.
    Without one, the component is the whole file of `lines` lines; its functions are no methods.
    """
    if not any(placed.symbol.qualified == _DEFAULT for placed in symbols):
        whole = Symbol(name, name, SymbolKind.CLASS, 1, 1, lines, COMPONENT + name)
        return [PlacedSymbol(0, 0, whole), *symbols]
    return [
        placed._replace(symbol=_renamed(placed.symbol, name))
        if placed.symbol.qualified.partition(".")[0] == _DEFAULT
        else placed
        for placed in symbols
    ]


def _renamed(symbol: Symbol, name: str) -> Symbol:
    qualified = name + symbol.qualified.removeprefix(_DEFAULT)
    own = name if symbol.name == _DEFAULT else symbol.name
    return replace(symbol, name=own, qualified=qualified)


def default_export(name: str) -> Import:
    """Return the entry by which imports of a file's default lead to its component."""
    return Import("", name, _DEFAULT, 1, 1, top=True, exported=True)
