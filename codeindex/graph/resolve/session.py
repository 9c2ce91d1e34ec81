"""Keep the state while one file is resolved: caches, and what the result depends on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from typing import TypeVar

from codeindex.graph.expression_table import APPLIED
from codeindex.graph.resolve.values import (
    ExpressionRef,
    FileDeclarations,
    FunctionGroup,
    ImportQuery,
    ParameterList,
    RepositoryView,
    SharedBases,
    StaticType,
    Supertypes,
    Value,
)
from codeindex.languages.source_tree import ModuleLocation
from codeindex.types import Definition, Expression, Import

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_BESIDE = ""
_MAX_DEPTH = 60
"""Maximum depth of nested evaluations: hostile code can nest without limit."""
_MAX_VALUES = 8
"""Maximum values of an expression; an expression with more values counts as unknown."""


class ResolutionSession:
    """The state while one file is resolved: caches, and what the result depends on.

    The result depends on the files whose declarations were read, and on import queries. `refused`
    counts evaluations that were cut off by a cycle or the depth limit. A result that contains a
    refused evaluation must not be cached, because it may differ if evaluated from elsewhere:
    `remember` does not store it. The public dictionaries are caches of other modules, except two:
    `unfinished_bases` has the base types found so far of each type whose base types are being
    found, and `wildcard_uses` maps each wildcard import to {value used from it: whether the use is
    certain}.
    """

    def __init__(  # noqa: PLR0915 (one statement for each cache)
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
        self.namespaces: dict[str, Sequence[Sequence[Import]]] = {}
        self.brought: dict[str, Sequence[tuple[FileDeclarations, Import]]] = {}
        self.parts: dict[Definition, Sequence[str]] = {}
        self.includers: dict[Definition, Sequence[tuple[Definition, bool]]] = {}
        self.sides: dict[tuple[Definition, str, bool, bool], tuple[Value, ...]] = {}
        self.side_bases: dict[tuple[Definition, bool], Sequence[tuple[Definition, bool]]] = {}
        self.bases: dict[Definition, Sequence[Definition]] = {}
        self.unfinished_bases: dict[Definition, tuple[Definition, ...]] = {}
        self.members: dict[tuple[Definition, str, bool], tuple[Value, ...]] = {}
        self.namespace_imports: dict[tuple[Definition, str], Sequence[Value]] = {}
        self.static_types: dict[ExpressionRef, StaticType | None] = {}
        self.supertypes: dict[Definition, Supertypes] = {}
        self.parameters: dict[Definition, ParameterList] = {}
        self.overloads: dict[tuple[Definition, str], Sequence[Definition]] = {}
        self.levels: dict[Definition, Sequence[Sequence[FunctionGroup]]] = {}
        self.conversions: dict[Definition, Sequence[Definition]] = {}
        self.added_methods: dict[Definition, bool] = {}
        self.wildcard_uses: dict[str, dict[Value, bool]] = {}
        self._view = view
        self._used = used
        self._evaluate = evaluate
        self._declared: dict[str, FileDeclarations | None] = {}
        self._places: dict[ImportQuery, ModuleLocation | None] = {}
        self._beside: dict[str, Sequence[str]] = {}
        self._same_types: dict[str, Sequence[str]] = {}
        self._defining: dict[str, Mapping[str, Sequence[str]]] = {}
        self._known: dict[ExpressionRef, tuple[Value, ...]] = {}
        self._in_progress: set[Hashable] = set()
        self._adopted: set[str] = set()

    @property
    def consulted(self) -> AbstractSet[str]:
        """The paths of the files whose declarations were read, on which the result depends."""
        return self._declared.keys() | self._adopted

    @property
    def shared_bases(self) -> dict[Definition, SharedBases]:
        """The base types of types, cached for all files that are resolved in this run."""
        return self._view.shared_bases

    def apart(self, path: str) -> ResolutionSession:
        """Return a new session for the declarations of the file at `path`, with empty caches."""
        return ResolutionSession(self._view, path, (), self._evaluate)

    def shared(self, types: tuple[Definition, ...]) -> SharedBases:
        """Return base types that this session found, with all its dependencies."""
        return SharedBases(types, frozenset(self.consulted), self._places, self._beside)

    def adopt(self, found: SharedBases) -> None:
        """Add the dependencies of `found` to those of this session; another session found it."""
        self._adopted |= found.consulted
        self._places.update(found.places)
        self._beside.update(found.beside)

    @property
    def answers(self) -> Mapping[ImportQuery, ModuleLocation | Sequence[str] | None]:
        """Each import query that was asked, with its answer: a location, paths, or None."""
        return {**self._places, **{(path, _BESIDE): paths for path, paths in self._beside.items()}}

    def declared(self, path: str) -> FileDeclarations | None:
        """Return the declarations of a file; None if it has no relations."""
        try:
            return self._declared[path]
        except KeyError:
            return self._declared.setdefault(path, self._view.declared(path))

    def locate(self, path: str, module: str) -> ModuleLocation | None:
        """Return the location of the module that a file imports as `module`.

        Return None if the module is not in the repository.
        """
        query = (path, module)
        try:
            return self._places[query]
        except KeyError:
            return self._places.setdefault(query, self._view.locate(path, module))

    def beside(self, path: str) -> Sequence[str]:
        """Return the files whose names the file at `path` sees without an import.

        An example is the other files of a Go package.
        """
        declared = self.declared(path)
        if declared is not None and declared.language.partial_types:
            return self.remember(self._same_types, path, lambda: self._files_of_types(declared))
        try:
            return self._beside[path]
        except KeyError:
            return self._beside.setdefault(path, self._view.beside(path))

    def _files_of_types(self, declared: FileDeclarations) -> Sequence[str]:
        """Return the other files that define types with the names of types in a file."""
        places = [self.locate(declared.path, f"::{name}") for name in declared.outer_types()]
        files = dict.fromkeys(path for place in places if place for path in place.files)
        files.pop(declared.path, None)
        return tuple(files)

    def beside_defining(self, path: str, name: str) -> Sequence[str]:
        """Return the files among those of `beside` that define the qualified name `name`."""
        defining = self._defining.get(path)
        if defining is None:
            files = tuple(self.beside(path))
            if files not in self._view.defining:
                found: defaultdict[str, list[str]] = defaultdict(list)
                for file in files:
                    declared = self._view.declared(file)
                    for defined in declared.symbols if declared else ():
                        found[defined].append(file)
                self._view.defining[files] = dict(found)
            defining = self._defining[path] = self._view.defining[files]
            self._adopted.update(files)
        return defining.get(name, ())

    def expression(self, place: ExpressionRef) -> Expression:
        """Return the expression to which the reference `place` points."""
        if place.table == "used":
            return self._used[place.number] if place.number < len(self._used) else ("unknown",)
        declared = self.declared(place.file)
        return declared.expressions[place.number] if declared else ("unknown",)

    def arguments(
        self, passed: ExpressionRef
    ) -> tuple[Sequence[ExpressionRef], Sequence[ExpressionRef]]:
        """Return (arguments of a call, instances of the type arguments that it states).

        `passed` refers to the expression of the arguments.
        """
        operation, *numbers = self.expression(passed)
        count = int(numbers.pop(0)) if operation == APPLIED else len(numbers)
        places = [passed._replace(number=int(number)) for number in numbers]
        return places[:count], places[count:]

    def values(self, place: ExpressionRef | None) -> tuple[Value, ...]:
        """Return the possible values of the expression at `place`; () if they are unknown."""
        if place is None:
            return ()
        known = self._known.get(place)
        if known is not None:
            return known
        declared = self.declared(place.file)
        if declared is None or not self._begin(place):
            return ()
        try:
            alternatives = self._evaluate(self, declared, place, self.expression(place))
            values = tuple(dict.fromkeys(alternatives))
        finally:
            self._in_progress.discard(place)
        return self._known.setdefault(place, values if len(values) <= _MAX_VALUES else ())

    @contextmanager
    def evaluating(self, key: Hashable) -> Iterator[bool]:
        """Yield whether the evaluation of `key` may proceed, for a `with` block around it.

        False in a cycle, or if evaluations are nested too deeply.
        """
        if not self._begin(key):
            yield False
            return
        try:
            yield True
        finally:
            self._in_progress.discard(key)

    def remember(self, known: dict[K, V], key: K, compute: Callable[[], V]) -> V:
        """Return `known[key]`; if it is missing, compute it and store it there.

        It is not stored if `evaluating` refused an evaluation meanwhile: it may be incomplete then.
        """
        if key in known:
            return known[key]
        refused = self.refused
        value = compute()
        if self.refused == refused:
            known[key] = value
        return value

    def _begin(self, key: Hashable) -> bool:
        if key in self._in_progress or len(self._in_progress) > _MAX_DEPTH:
            self.refused += 1
            return False
        self._in_progress.add(key)
        return True
