"""Find the users, tests and related files of the symbols that a git diff changes."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from codeindex.analysis.change.git_diff import UNREADABLE, DiffedFile, GitDiff
from codeindex.analysis.change.related_files import (
    RelatedFile,
    rank_related_files,
    related_file_row,
)
from codeindex.analysis.change.removed_names import (
    RemovedNameUse,
    find_removed_name_uses,
    removed_symbols,
)
from codeindex.analysis.focus import Focus, find_definitions, make_focus
from codeindex.analysis.relations.dependants import Dependants, find_dependants
from codeindex.analysis.relations.other_mentions import NO_MENTIONS, Mentions, find_mentions
from codeindex.analysis.relations.tests_to_run import TestFile, select_tests_to_run
from codeindex.graph.test_paths import inline_tests
from codeindex.languages import LANGUAGES
from codeindex.secrets import safe_path
from codeindex.store.catalog.commits import history_caveat
from codeindex.store.catalog.skipped_files import skip_reasons
from codeindex.store.catalog.unparsed_code import incomplete_files
from codeindex.store.graph.user_links import UserLinks
from codeindex.store.symbols.declarations import declarations_in
from codeindex.store.symbols.nodes import file_nodes
from codeindex.text.truncate import name_some
from codeindex.types import Certainty, Node, PreparedFile, SkipReason, first_unread, unparsed_suffix
from codeindex.types.report import DataReport, Table, plural

DEFAULT_DIFF_ITEMS = 20
_MAX_TEST_DISTANCE = 3
"""Most steps of use between a changed symbol and a test to run; farther tests rarely fail (not
measured)."""


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file of a diff; `symbols` names the innermost symbols around its changed lines.

    `indexed` is false if the index does not have the file. `removed` names the symbols that the
    file no longer declares.
    """

    file: str
    status: str
    indexed: bool
    symbols: tuple[str, ...]
    removed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangedSymbolUse:
    """A use of the changed symbol `uses` by the symbol `name`.

    `name` is "" for code outside of any symbol.
    """

    file: str
    name: str
    line: int
    uses: str
    certainty: Certainty


@dataclass(frozen=True, slots=True)
class DiffImpact(DataReport):
    """What a diff affects: users of the changed symbols, tests to run, and related files.

    `users` did not change themselves, but may be in changed files. `removed_names` are lines that
    still contain the name of a removed symbol, if no other symbol has this name. `tests` begins
    with the changed test files; `items` has no changed files. The `total_*` fields are counts
    before the limit was applied.
    """

    ref: str
    changed: tuple[ChangedFile, ...]
    users: tuple[ChangedSymbolUse, ...]
    tests: tuple[TestFile, ...]
    items: tuple[RelatedFile, ...]
    total_users: int
    total_tests: int
    total_items: int
    notes: tuple[str, ...]
    removed_names: tuple[RemovedNameUse, ...] = ()
    total_removed_names: int = 0
    unread: int = 0
    """Number of code files that were skipped or parsed only partly, so that users and tests in them
    may be missing."""
    unread_paths: tuple[str, ...] = ()
    """Paths of the first of these files."""
    mentions: Mentions = NO_MENTIONS
    """Lines of unchanged files with names of changed symbols, which may be uses of them; searched
    only if no user is found."""

    @property
    def paths(self) -> set[str]:
        return {
            *(use.file for use in self.users),
            *(use.file for use in self.removed_names),
            *(test.file for test in self.tests),
            *(related.file for related in self.items),
            *(file.file for file in self.changed if file.indexed),
        }

    def columns(self) -> Table:
        return ("what", "where", "how", "names"), [
            *(
                ("changed", file.file, file.status, _join_names(file.symbols))
                for file in self.changed
            ),
            *(
                ("user", f"{use.file}:{use.line}", use.certainty, use.name or "-")
                for use in self.users
            ),
            *(("removed", f"{use.file}:{use.line}", "-", use.name) for use in self.removed_names),
            *(("run", test.file, test.certainty, _join_names(test.names)) for test in self.tests),
            *(
                ("related", *related_file_row(related)[:2], related_file_row(related)[3])
                for related in self.items
            ),
        ]

    def text(self) -> Iterator[str]:
        files = plural(len(self.changed), "file")
        yield f"{files} changed since {self.ref or 'the last commit'}"
        for file in self.changed:
            gone = f"  removed: {', '.join(file.removed)}" if file.removed else ""
            yield f"  {file.status} {file.file}  {', '.join(file.symbols)}".rstrip() + gone
        if self.total_removed_names:
            lines = plural(self.total_removed_names, "line")
            yield f"names of removed symbols are still in {lines}"
        yield from (f"  {use.file}:{use.line}: {use.name}" for use in self.removed_names)
        rest = unparsed_suffix(self.unread, self.unread_paths)
        yield f"{plural(self.total_users, 'user')} of the changed symbols{rest}"
        for user in self.users:
            doubt = "" if user.certainty == "resolved" else "  (possible)"
            yield f"  {user.file}:{user.line}: {user.name or '(top level)'} uses {user.uses}{doubt}"
        yield from self.mentions.text()
        yield f"{plural(self.total_tests, 'test file')} to run"
        yield from (f"  {test.file}" for test in self.tests)
        yield plural(self.total_items, "related file") + (", the closest:" if self.items else "")
        yield from (f"  {related.line()}" for related in self.items)
        yield from (f"note: {note}" for note in self.notes)


def analyze_diff(
    connection: sqlite3.Connection,
    diff: GitDiff,
    before: Mapping[str, PreparedFile],
    *,
    limit: int = DEFAULT_DIFF_ITEMS,
    known_links: UserLinks | None = None,
) -> DiffImpact:
    """Return what a diff affects: users of the changed symbols, tests to run, and related files.

    `before` has the older versions of the files, by their paths in the older commit. Each list in
    the result has at most `limit` items. `known_links` has links that earlier questions have read
    from the same state of the catalog.
    """
    changes = tuple(_without_false_deletions(connection, diff.changes))
    files = {node.path: node for node in file_nodes(connection, (file.file for file in changes))}
    declared = _declared_by_file(connection, files)
    touched = {
        file.file: _changed_symbols(files[file.file], declared[file.file], file)
        for file in changes
        if file.file in files
    }
    removed = _removed_by_file(changes, declared, before)
    touched_nodes = [node for nodes in touched.values() for node in nodes]
    focus = make_focus(connection, touched_nodes, also=[file.file for file in changes])
    focus = find_definitions(connection, focus)
    dependants = find_dependants(connection, focus, depth=_MAX_TEST_DISTANCE, users=known_links)
    users = _find_users(connection, focus, dependants)
    near = select_tests_to_run(connection, focus, dependants, limit=limit, without=files)
    symbols = {path: {node.id for node in nodes} for path, nodes in declared.items()}
    inline = inline_tests(connection, symbols)
    changed_tests = [
        TestFile(path, 0, "resolved", (), 0)
        for path, node in files.items()
        if node.is_test or not inline.isdisjoint(symbols[path])
    ]
    tests = [*changed_tests, *near.first]
    items = rank_related_files(connection, focus)
    named = find_removed_name_uses(connection, chain.from_iterable(removed.values()))
    names = {node.name for node in focus.nodes if node.id}
    unread = _unread_files(connection, files.values(), names if users and near.total else ())
    return DiffImpact(
        ref=diff.ref,
        changed=tuple(
            _make_changed_file(file, touched.get(file.file), removed.get(file.file, ()))
            for file in changes
        ),
        users=tuple(users[:limit]),
        tests=tuple(tests[:limit]),
        items=tuple(islice(items, limit)),
        total_users=len(users),
        total_tests=len(changed_tests) + near.total,
        total_items=len(items),
        notes=(*_notes(connection, diff, changes), *_unread_symbols(connection, files)),
        removed_names=tuple(named[:limit]),
        total_removed_names=len(named),
        unread=len(unread),
        unread_paths=first_unread(unread),
        mentions=NO_MENTIONS if users else find_mentions(connection, focus.nodes, without=files),
    )


def _declared_by_file(
    connection: sqlite3.Connection, files: Mapping[str, Node]
) -> dict[str, list[Node]]:
    declared: dict[str, list[Node]] = {path: [] for path in files}
    for node in declarations_in(connection, (file.file_id for file in files.values())):
        declared[node.path].append(node)
    return declared


def _removed_by_file(
    changes: Iterable[DiffedFile],
    declared: Mapping[str, Sequence[Node]],
    before: Mapping[str, PreparedFile],
) -> dict[str, tuple[str, ...]]:
    return {
        file.file: removed_symbols(declared.get(file.file, ()), before[file.before])
        for file in changes
        if file.before in before and file.status != UNREADABLE
    }


def _unread_files(
    connection: sqlite3.Connection, changed: Iterable[Node], names: Collection[str]
) -> list[str]:
    """Return the paths of incomplete files, except changed ones, that may use the changed files.

    With `names`, leave out files that are known to have none of the names.
    """
    nodes = [file for file in changed if LANGUAGES[file.language].symbols]
    if not nodes:
        return []
    paths = {file.path for file in nodes}
    gaps = incomplete_files(connection, names, languages={file.language for file in nodes})
    return [file.path for file in gaps if file.path not in paths]


def _unread_symbols(connection: sqlite3.Connection, files: Mapping[str, Node]) -> Iterator[str]:
    """Yield notes about changed files whose symbols are not read, or not all of them.

    Symbols are not read of code in languages without symbols, like Vue, and of notebooks; documents
    are not named.
    """
    languages = {path: LANGUAGES[file.language] for path, file in files.items()}
    gaps = incomplete_files(connection, (), languages={file.language for file in files.values()})
    partly = [file.path for file in gaps if file.path in files and languages[file.path].symbols]
    if partly:
        files_are = plural(len(partly), "changed file is", "changed files are")
        yield (
            f"{files_are} not read completely, so that changed symbols and their users may be"
            f" missing: {name_some(partly)}."
        )
    unread = [
        path for path, language in languages.items() if language.has_code and not language.symbols
    ]
    if unread:
        count = plural(len(unread), "changed file")
        yield f"Symbols are not read in {count}, so that users are not known: {name_some(unread)}."


def _join_names(names: Iterable[str]) -> str:
    return ",".join(names) or "-"


def _changed_symbols(file: Node, symbols: Sequence[Node], change: DiffedFile) -> list[Node]:
    """Return the innermost of a file's `symbols` around its changed lines.

    Return only the file itself if it is new or has no symbols.
    """
    if change.status == "added" or not symbols:
        return [file]
    around = [
        node
        for node in symbols
        if any(node.start_line <= last and node.end_line >= first for first, last in change.lines)
    ]
    owners = {node.qualified.rpartition(".")[0] for node in around}
    return [node for node in around if not any(_is_in(owner, node.qualified) for owner in owners)]


def _is_in(qualified: str, owner: str) -> bool:
    return f"{qualified}.".startswith(f"{owner}.")


def _make_changed_file(
    change: DiffedFile, touched: Sequence[Node] | None, removed: tuple[str, ...]
) -> ChangedFile:
    names = tuple(node.qualified for node in touched or () if node.id)
    return ChangedFile(safe_path(change.file), change.status, touched is not None, names, removed)


def _find_users(
    connection: sqlite3.Connection, focus: Focus, dependants: Dependants
) -> list[ChangedSymbolUse]:
    names = {node.id: node.qualified for node in (*focus.nodes, *focus.definitions)}
    near = [
        key
        for key, dependence in dependants.nodes.items()
        if dependence.distance == 1 and dependence.kind != "imports"
    ]
    uses = [
        ChangedSymbolUse(
            file=reached_node.node.path,
            name=reached_node.node.qualified,
            line=reached_node.link.lines[0],
            uses=reached_node.link.name
            or names.get(reached_node.origin, "a member of a changed symbol"),
            certainty=reached_node.certainty,
        )
        for reached_node in dependants.describe(connection, near).values()
    ]
    return sorted(uses, key=lambda use: (use.certainty != "resolved", use.file, use.line))


def _without_false_deletions(
    connection: sqlite3.Connection, changes: Iterable[DiffedFile]
) -> Iterator[DiffedFile]:
    """Yield the changes; a file that exists but cannot be read gets the status `unreadable`.

    Git reports such a file as deleted.
    """
    changes = tuple(changes)
    has_deletions = any(change.status == "deleted" for change in changes)
    reasons = skip_reasons(connection) if has_deletions else {}
    for change in changes:
        unread = change.status == "deleted" and reasons.get(change.file) == SkipReason.UNREADABLE
        yield replace(change, status=UNREADABLE) if unread else change


def _notes(
    connection: sqlite3.Connection, diff: GitDiff, changes: Sequence[DiffedFile]
) -> Iterator[str]:
    if not changes:
        yield "Nothing differs."
    if diff.submodules:
        names = name_some([*map(safe_path, diff.submodules)])
        yield f"Files of submodules are not compared: {names}."
    if not diff.of_work_tree:
        yield "Symbols are those of the work tree, at the lines that the newer commit changed."
    if any(file.status == UNREADABLE for file in changes):
        yield "Changes and uses in files that may not be read are not known."
    if any(file.status == "deleted" for file in changes):
        yield (
            "Of deleted files only the history and the names of their symbols are known, not the"
            " files that imported them."
        )
    if text := history_caveat(connection):
        yield text
