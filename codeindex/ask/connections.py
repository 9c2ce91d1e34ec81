"""Describe by edges of the graph who uses a definition and what it calls."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from codeindex.ask.extract import Citation, Sentence
from codeindex.ask.question import WeightedQuestion
from codeindex.store.graph.links import links_from, links_to
from codeindex.types import OWNER_KINDS, Neighbor, Node

if TYPE_CHECKING:
    import sqlite3

_MOST_USERS, _MOST_USED, _MOST_BETWEEN = 3, 3, 3
"""Most users and most callees in a sentence; most sentences about edges between definitions."""
_KINDS = ("calls", "extends")


def connection_sentences(
    connection: sqlite3.Connection,
    node: Node,
    shown: Collection[Node],
    question: WeightedQuestion,
) -> Iterator[Sentence]:
    """Describe who uses a definition and what it calls; only certain edges count.

    Of the calls of a function only those are named that are among the `shown` definitions, or that
    have words of the question.
    """
    yield from _users(connection, node, shown)
    if node.kind not in OWNER_KINDS:
        yield from _used(connection, node, shown, question)


def _users(
    connection: sqlite3.Connection, node: Node, shown: Collection[Node]
) -> Iterator[Sentence]:
    links: dict[int, Neighbor] = {}
    for link in links_to(connection, [node.id] if node.id else [], *_KINDS):
        user = link.node
        if user and not user.is_test and user.id != node.id and link.certainty == "resolved":
            links.setdefault(user.id or -user.file_id, link)
    ordered = sorted(links.values(), key=lambda link: link.node not in shown)
    chosen = ordered[:_MOST_USERS]
    if chosen:
        names = _join_names([_short_name(link.node) for link in chosen if link.node])
        more = f" and {len(links) - len(chosen)} more" if len(links) > len(chosen) else ""
        verb = "used" if node.kind in OWNER_KINDS else "called"
        places = [
            Citation(link.node.path, link.lines[0], node.name) for link in chosen if link.node
        ]
        yield Sentence(f"It is {verb} by {names}{more}.", tuple(places), "connection")


def _used(
    connection: sqlite3.Connection,
    node: Node,
    shown: Collection[Node],
    question: WeightedQuestion,
) -> Iterator[Sentence]:
    links: dict[int, Neighbor] = {}
    for link in links_from(connection, node, "calls"):
        other = link.node
        if other and other.id and other.id != node.id and link.certainty == "resolved":
            links.setdefault(other.id, link)

    def relevance(link: Neighbor) -> float:
        other = link.node
        words = f"{other.qualified} {other.doc}" if other else ""
        return float(other in shown) + question.share_in(words)

    relevant = [link for link in links.values() if relevance(link)]
    best = sorted(relevant, key=lambda link: -relevance(link))[:_MOST_USED]
    chosen = sorted(best, key=lambda link: link.lines)
    if chosen:
        names = _join_names([f"`{link.node.qualified}`" for link in chosen if link.node])
        places = [
            Citation(node.path, link.lines[0], link.node.name) for link in chosen if link.node
        ]
        yield Sentence(f"It calls {names}.", tuple(places), "connection")


def _short_name(node: Node) -> str:
    return f"`{node.qualified}`" if node.qualified else f"`{node.name.rpartition('/')[2]}`"


def _join_names(names: Sequence[str]) -> str:
    """Return the distinct names joined as in a sentence: `a, b and c`."""
    once = list(dict.fromkeys(names))
    return f"{', '.join(once[:-1])} and {once[-1]}" if len(once) > 1 else "".join(once)
