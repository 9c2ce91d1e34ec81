"""Follow the users of a symbol or file, their users and so on; for impact and tests to run."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from codeindex.graph.dispatch import possible_callees_above
from codeindex.graph.possible_calls import possible_calls_of
from codeindex.store.graph.links import linked_edges, links_by_edge, links_to
from codeindex.store.graph.user_links import (
    FileEntry,
    NodeKey,
    NodeUsers,
    UserLink,
    UserLinks,
)
from codeindex.store.symbols.nodes import file_nodes_by_id, nodes_by_id, symbols_by_id
from codeindex.store.symbols.symbol_lists import read_unique_members
from codeindex.types import OWNER_KINDS, Certainty, Neighbor, Node

if TYPE_CHECKING:
    from codeindex.analysis.focus import Focus

MAX_DEPTH = 20
"""Most steps. Real chains of uses are shorter, and each step reads the edges of all nodes
reached."""

FollowedLinks = Literal["calls", "uses", "possible"]


class Dependence(NamedTuple):
    """How a dependant was first reached while uses were followed backwards from the focus.

    `use` is the first use of the node `origin` (0 for the focus as a whole); a use of a member on a
    receiver of unknown type is a `Neighbor`. `distance` is the number of steps from the focus.
    `by_calls` is true if a chain of certain calls leads from the dependant to the focus.
    """

    file: int
    origin: NodeKey
    distance: int
    is_certain: bool
    use: UserLink | Neighbor
    by_calls: bool = False

    @property
    def kind(self) -> str:
        """The kind of the use."""
        return self.use.kind


class ReachedNode(NamedTuple):
    """A dependant from the catalog, with the use by which it was first reached.

    For the fields see `Dependence`.
    """

    node: Node
    link: Neighbor
    origin: NodeKey
    distance: int
    certainty: Certainty
    by_calls: bool = False


class Dependants(NamedTuple):
    """Everything that depends on a focus: `nodes` maps the key of a node to its dependence.

    Callers by certain calls come first, then other certain dependants, then possible ones; of each
    kind, near ones first.

    `by_file` has the keys of the nodes in each file, by its id, in the same order. `files` has all
    files of the index by id. `by_name_only` counts calls that share only a name
    with the focus and probably do not mean it. `uses_of` returns {key: links by which a node uses
    its origin} for some of the nodes.
    """

    nodes: dict[NodeKey, Dependence]
    by_file: Mapping[int, Sequence[NodeKey]]
    files: Mapping[int, FileEntry]
    by_name_only: int
    uses_of: Callable[[Collection[NodeKey]], Mapping[NodeKey, Sequence[UserLink]]]

    def describe(
        self, connection: sqlite3.Connection, keys: Iterable[NodeKey]
    ) -> dict[NodeKey, ReachedNode]:
        """Return the dependants with these keys, completed from the catalog with node and lines."""
        wanted = {key: self.nodes[key] for key in keys}
        nodes = nodes_by_id(
            connection, ((dependence.file, max(key, 0)) for key, dependence in wanted.items())
        )
        uses = self.uses_of(wanted)
        edges = (use.edge for links in uses.values() for use in links if use.edge)
        links = links_by_edge(connection, edges)
        return {
            key: ReachedNode(
                node,
                _joined_uses(dependence, uses[key], links),
                dependence.origin,
                dependence.distance,
                "resolved" if dependence.is_certain else "ambiguous",
                dependence.by_calls,
            )
            for key, dependence in wanted.items()
            if (node := nodes.get((dependence.file, max(key, 0))))
        }


def find_dependants(
    connection: sqlite3.Connection,
    focus: Focus,
    *,
    depth: int = MAX_DEPTH,
    users: UserLinks | None = None,
) -> Dependants:
    """Return what depends on the symbols and files of `focus`, with the first link to each.

    Links are followed backwards, breadth first, for at most `depth` steps, in three passes: certain
    calls, all certain uses, possible uses. So a certain path precedes a shorter possible one.

    - A file that only imports is listed, but its own users are not: it may not use the import.
    - A call that is matched by its name alone counts in the first step only. In later steps, such
      calls of common names add callers of library methods such as `str.format`: 1,116 of the 1,164
      possible dependants of a function of this repository came from three names.

    `users` caches links that earlier questions have read.
    """
    users = users or UserLinks()
    inside = {*focus.inside, *(-file for file in focus.files)}
    symbols = {key for key in inside if key > 0}.union(node.id for node in focus.definitions)
    starts = [  # by path, as the first use of a dependant is shown, and ids depend on former edits
        *(-node.file_id for node in file_nodes_by_id(connection, focus.files)),
        *(node.id for node in symbols_by_id(connection, symbols)),
    ]
    walk = _Traversal(connection, users, inside, starts, depth)
    walk.follow("calls")
    walk.follow("uses")
    possible, by_name_only = _possible_links(connection, focus)
    walk.add_possible(possible)
    walk.follow("possible")
    reached = walk.reached
    by_file: dict[int, list[NodeKey]] = {}
    for key, dependence in reached.items():
        by_file.setdefault(dependence.file, []).append(key)
    for key in walk.importing:
        if any(other not in walk.importing for other in by_file[reached[key].file]):
            by_file[reached.pop(key).file].remove(key)
    return Dependants(reached, by_file, users.files(connection), by_name_only, walk.uses_of)


class _Traversal:
    """Follows uses backwards from a focus to its users, breadth first, in several passes.

    Each pass accepts more kinds of links than the one before.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        users: UserLinks,
        inside: set[NodeKey],
        starts: list[NodeKey],
        depth: int,
    ) -> None:
        self.reached: dict[NodeKey, Dependence] = {}
        self.importing: set[NodeKey] = set()
        """The reached nodes that only import, whose own users are not followed."""
        self._connection = connection
        self._users = users
        self._known = set(inside)
        """The focus, and all nodes that were reached."""
        self._depth = depth
        self._new: defaultdict[int, list[NodeKey]] = defaultdict(list, {0: starts})
        """{distance: nodes whose users no pass has followed}."""
        self._pending: defaultdict[int, list[tuple[NodeKey, NodeUsers]]] = defaultdict(list)
        """{distance: nodes whose users were followed in part, as the pass excludes the others}."""
        self._overloads: dict[tuple[NodeKey, str, int, str], set[NodeKey]] = {}
        """The overloads reached so far, by the call that may mean them."""
        self._settled: set[tuple[NodeKey, int]] = set()
        """(node, edge to it) of the calls of overloads that are certain, as all were reached."""

    def follow(self, followed: FollowedLinks) -> None:
        """Run one pass: add the users of the focus and of all nodes that were reached before.

        The focus includes the definitions of what it declares. Users of added nodes are added too,
        up to the depth. `followed` selects the links: certain calls, certain uses of all kinds, or
        all uses.
        """
        known, takes_all = self._known, followed == "possible"
        pending, self._pending = self._pending, defaultdict(list)
        self._overloads.clear()
        for distance in range(self._depth):
            imports = []
            for origin, links in self._links(distance, pending[distance], followed):
                for link in links:
                    is_followed = link.is_certain or takes_all or self._has_whole_set(origin, link)
                    if is_followed and link.user not in known and link.user != origin:
                        if link.kind == "imports":
                            imports.append((origin, link))
                        else:
                            self._add(origin, link, distance + 1, followed)
            for origin, link in imports:  # last: a use has precedence over an import
                if link.user not in known and link.user != origin:
                    self._add(origin, link, distance + 1, followed)

    def _links(
        self,
        distance: int,
        pending: Iterable[tuple[NodeKey, NodeUsers]],
        followed: FollowedLinks,
    ) -> Iterator[tuple[NodeKey, Sequence[UserLink]]]:
        """Yield (node, links to it that this pass may follow) of the nodes at a distance.

        `pending` are those nodes whose users an earlier pass has followed in part.
        """
        left = self._pending[distance]
        for origin, users in pending:
            yield origin, users.other_than_calls if followed == "uses" else users.uncertain
            if users.uncertain:
                left.append((origin, users))
        for origin, users in self._users.read(self._connection, self._new.pop(distance, ())):
            yield origin, users.calls if followed == "calls" else users.links
            if users.other_than_calls if followed == "calls" else users.uncertain:
                left.append((origin, users))

    def _has_whole_set(self, origin: NodeKey, link: UserLink) -> bool:
        """Record that a call reached the overload `origin`; tell whether all overloads are reached.

        Then the call of the overloaded function certainly leads to the focus.
        """
        if not link.overloads:
            return False
        site = (link.user, link.kind, link.overloads, link.site)
        overloads = self._overloads.setdefault(site, set())
        overloads.add(origin)
        if len(overloads) < link.overloads:
            return False
        self._settled.add((origin, link.edge))
        return True

    def _add(self, origin: NodeKey, link: UserLink, distance: int, followed: FollowedLinks) -> None:
        """Add the node that uses `origin` by this link."""
        user = link.user
        self._known.add(user)
        self.reached[user] = Dependence(
            link.file, origin, distance, followed != "possible", link, followed == "calls"
        )
        if link.kind == "imports":
            self.importing.add(user)
        else:
            self._new[distance].append(user)

    def add_possible(self, links: Iterable[Neighbor]) -> None:
        """Add the nodes that may use the focus, except nodes that were reached by certain uses."""
        for link in links:
            if link.node is None:
                continue
            key = link.node.id or -link.node.file_id
            earlier = self.reached.get(key)
            if key not in self._known:
                self._known.add(key)
                self.reached[key] = Dependence(link.node.file_id, 0, 1, False, link)
                self._new[1].append(key)
            elif earlier and isinstance(earlier.use, Neighbor):
                lines = sorted({*earlier.use.lines, *link.lines})
                self.reached[key] = earlier._replace(use=earlier.use._replace(lines=tuple(lines)))

    def uses_of(self, keys: Collection[NodeKey]) -> Mapping[NodeKey, Sequence[UserLink]]:
        """Return {key: links by which a node uses its origin}.

        Of a certain dependant, the certain links; of one with a `Neighbor`, [].
        """
        wanted = {key: self.reached[key] for key in keys}
        origins = {dependence.origin for dependence in wanted.values()} - {0}
        found: dict[NodeKey, list[UserLink]] = {key: [] for key in wanted}
        for origin, users in self._users.read(self._connection, origins):
            for link in users.links:
                dependence = wanted.get(link.user)
                if dependence is None or dependence.origin != origin:
                    continue
                is_settled = link.is_certain or (origin, link.edge) in self._settled
                if is_settled or not dependence.is_certain:
                    found[link.user].append(link)
        return found


def _joined_uses(
    dependence: Dependence, uses: Sequence[UserLink], links: Mapping[int, Neighbor]
) -> Neighbor:
    """Return the first use of a dependant, with the lines of all its uses of one node."""
    first = dependence.use
    if isinstance(first, Neighbor):
        return first
    lines = set[int]()
    for use in uses:
        lines.update(links[use.edge].lines if use.edge else (use.line,))
    link = links.get(first.edge) or Neighbor(first.kind, "resolved", (), "", None)
    return link._replace(lines=tuple(sorted(lines)))


def _possible_links(connection: sqlite3.Connection, focus: Focus) -> tuple[list[Neighbor], int]:
    """Return (calls that may mean the focus, number of calls that probably do not).

    The calls that may mean it are calls of overridden supertype methods, and likely calls on
    receivers of unknown type. The likely calls have the name of a symbol in the focus, or of a
    member whose name is unique in the repository.
    """
    members = {node.id: node for node in focus.nodes if node.id and node.kind not in OWNER_KINDS}
    unique = {
        symbol
        for file_id in {symbol.file_id for symbol in focus.nodes}
        for symbol, _ in read_unique_members(connection, file_id)
        if symbol in focus.inside
    }
    members |= {node.id: node for node in symbols_by_id(connection, unique - members.keys())}
    calls = possible_calls_of(connection, list(members.values()), with_references=False)
    before = possible_callees_above(connection, focus.nodes)
    through = [link for link in links_to(connection, before, "calls") if link.node]
    links = [
        *(link._replace(certainty="ambiguous") for link in through),
        *linked_edges(connection, calls.likely),
    ]
    return links, sum(len(edge.at) for edge in calls.others)
