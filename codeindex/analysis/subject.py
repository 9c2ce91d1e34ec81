"""The symbol or file that a question is about."""

from __future__ import annotations

import difflib
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codeindex.errors import QueryError
from codeindex.store.symbols.declarations import similar_names
from codeindex.store.symbols.nodes import symbols_by_name
from codeindex.store.symbols.written_names import parse_written_name
from codeindex.text.words import fold_name
from codeindex.types import CALLABLE_KINDS

if TYPE_CHECKING:
    import sqlite3

    from codeindex.types import Node

_NEAREST = 3
_SHOWN = 10
"""Meanings of a name that are listed for people; JSON has them all."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A symbol or file that a name was taken for; `key` asks for it alone, if none is called so."""

    key: str
    file: str
    line: int
    declares: bool = False
    """It has no body, and another symbol of the name has one: a prototype or abstract method."""

    @property
    def name(self) -> str:
        """The symbol alone, nothing for a file."""
        return self.key.rpartition("::")[2] if "::" in self.key else ""


def list_definitions(nodes: Iterable[Node]) -> tuple[Definition, ...]:
    """Return what a name was taken for, in the order of the nodes."""
    found = list(nodes)
    with_body = {one.name for one in found if one.has_body}
    return tuple(
        Definition(one.key, one.path, one.line, declares=is_declaration(one, with_body))
        for one in found
    )


def is_declaration(node: Node, with_body: Container[str]) -> bool:
    """Tell whether a function only declares one of the names that have a body elsewhere."""
    return node.kind in CALLABLE_KINDS and not node.has_body and node.name in with_body


def describe_definitions(meant: Sequence[Definition]) -> Iterator[str]:
    """Yield which symbols an answer is about, and how to ask for one of several."""
    whole = [one for one in meant if not one.declares] or list(meant)
    declared = ", ".join(f"{one.file}:{one.line}" for one in meant if one not in whole)
    declarations = f" (declared at {declared})" if declared else ""
    if len(whole) == 1:
        yield f"of {_place(whole[0])}{declarations}"
        return
    yield f"{len(whole)} symbols have this name: ask for one like '{whole[0].key}'{declarations}"
    yield from (f"  of {_place(one)}" for one in whole[:_SHOWN])
    if len(whole) > _SHOWN:
        yield f"  and {len(whole) - _SHOWN} more"


def _place(one: Definition) -> str:
    return f"{one.file}:{one.line} {one.name}" if one.name else one.file


def find_symbols(connection: sqlite3.Connection, name: str) -> list[Node]:
    """Return the symbols that a name may mean, best first; QueryError names the nearest else."""
    if not name.strip():
        raise QueryError("No symbol is named: say which, like `Cart.add` or `shop/cart.py::add`.")
    found = symbols_by_name(connection, name)
    if found:
        return found
    near = similar_names(connection, name.rpartition("::")[2].rpartition(".")[2])
    hint = f": did you mean {' or '.join(near)}?" if near else "."
    raise QueryError(f"No symbol is called {name!r}{hint}")


def is_spelled_differently(said: str, node: Node) -> bool:
    """Tell whether a symbol answers to a name in spite of its case or underscores."""
    parts = parse_written_name(said).dotted.split(".")
    pairs = zip(reversed(parts), reversed(node.qualified.split(".")), strict=False)
    return any(part != own and fold_name(part) == fold_name(own) for part, own in pairs)


def find_file_path(connection: sqlite3.Connection, path: str) -> str:
    """Return a path as the index has it; QueryError for one that it does not have."""
    wanted = path.strip().replace("\\", "/").removeprefix("./").rstrip("/")
    known = [one for (one,) in connection.execute("SELECT path FROM files")]
    if wanted in known:
        return wanted
    ends = [one for one in known if one.endswith(f"/{wanted}")]
    near = ends[:_NEAREST] or difflib.get_close_matches(wanted, known, _NEAREST, 0.7)
    hint = f": did you mean {' or '.join(repr(one) for one in near)}?" if near else "."
    raise QueryError(f"No indexed file is called {path!r}{hint}")
