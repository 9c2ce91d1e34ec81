"""The resolution of one file: what is known so far, and what was asked to know it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from codeindex.graph.resolve.values import ExpressionRef, FileDeclarations, RepositoryView, Value
from codeindex.languages.source_tree import ModuleLocation
from codeindex.types import Definition, Expression

ImportQuery = tuple[str, str]
"""A file and a module that it names, or nothing for the files beside it."""
_BESIDE = ""
_DEEPEST = 60
"""Questions that may wait for each other: hostile code can nest without end."""
_MOST = 8
"""Values that one expression may have; more say nothing."""


class ResolutionSession:
    """What is known while one file is resolved; `refused` counts questions left without an answer.

    `opened`, `parts`, `bases` and `members` belong to those who find them out, so does `brought`:
    what the file has used of packages that it imports whole, and whether that is sure. What was
    found while a question was refused is not kept: asked again from elsewhere, the answer may be
    another.
    """

    def __init__(
        self,
        view: RepositoryView,
        path: str,
        used: Sequence[Expression],
        evaluate: Callable[
            [ResolutionSession, FileDeclarations, ExpressionRef, Expression], Iterable[Value]
        ],
    ) -> None:
        self.path = path
        self.refused = 0
        self.opened: dict[str, Sequence[FileDeclarations]] = {}
        self.parts: dict[Definition, Sequence[str]] = {}
        self.bases: dict[Definition, Sequence[Definition]] = {}
        self.members: dict[tuple[Definition, str, bool], tuple[Value, ...]] = {}
        self.brought: dict[str, dict[Value, bool]] = {}
        self._view = view
        self._used = used
        self._evaluate = evaluate
        self._declared: dict[str, FileDeclarations | None] = {}
        self._places: dict[ImportQuery, ModuleLocation | None] = {}
        self._beside: dict[str, Sequence[str]] = {}
        self._known: dict[ExpressionRef, tuple[Value, ...]] = {}
        self._open: set[Hashable] = set()

    @property
    def consulted(self) -> Iterable[str]:
        """The files that were looked into."""
        return self._declared.keys()

    @property
    def answers(self) -> Mapping[ImportQuery, ModuleLocation | Sequence[str] | None]:
        """What was asked of the tree, and what it said."""
        return {**self._places, **{(path, _BESIDE): paths for path, paths in self._beside.items()}}

    def declared(self, path: str) -> FileDeclarations | None:
        """Return what a file shows; None for one without relations."""
        try:
            return self._declared[path]
        except KeyError:
            return self._declared.setdefault(path, self._view.declared(path))

    def locate(self, path: str, module: str) -> ModuleLocation | None:
        """Return what a module that a file names is; None outside of the repository."""
        query = (path, module)
        try:
            return self._places[query]
        except KeyError:
            return self._places.setdefault(query, self._view.locate(path, module))

    def beside(self, path: str) -> Sequence[str]:
        """Return the files whose names a file sees without an import."""
        try:
            return self._beside[path]
        except KeyError:
            return self._beside.setdefault(path, self._view.beside(path))

    def expression(self, place: ExpressionRef) -> Expression:
        """Return the operation that an expression is."""
        if place.table == "used":
            return self._used[place.number] if place.number < len(self._used) else ("unknown",)
        declared = self.declared(place.file)
        return declared.expressions[place.number] if declared else ("unknown",)

    def values(self, place: ExpressionRef | None) -> tuple[Value, ...]:
        """Return what an expression may be; nothing where nothing is known."""
        if place is None:
            return ()
        known = self._known.get(place)
        if known is not None:
            return known
        declared = self.declared(place.file)
        if declared is None or not self._begins(place):
            return ()
        try:
            alternatives = self._evaluate(self, declared, place, self.expression(place))
            values = tuple(dict.fromkeys(alternatives))
        finally:
            self._open.discard(place)
        return self._known.setdefault(place, values if len(values) <= _MOST else ())

    @contextmanager
    def asking(self, question: Hashable) -> Iterator[bool]:
        """Tell whether a question is new; one that waits for itself, or too deep, has no answer."""
        if not self._begins(question):
            yield False
            return
        try:
            yield True
        finally:
            self._open.discard(question)

    def _begins(self, question: Hashable) -> bool:
        if question in self._open or len(self._open) > _DEEPEST:
            self.refused += 1
            return False
        self._open.add(question)
        return True
