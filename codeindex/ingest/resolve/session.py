"""The resolution of one file: what is known so far, and what was asked to know it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager

from codeindex.ingest.locate import Place
from codeindex.ingest.resolve.values import Declared, Expressed, Value, View
from codeindex.types import Expression

Asked = tuple[str, str]
"""A file and a module that it names, or nothing for the files beside it."""
_BESIDE = ""
_DEEPEST = 60
"""Questions that may wait for each other: hostile code can nest without end."""
_MOST = 8
"""Values that one expression may have; more say nothing."""


class Session:
    """`consulted` are the files that were looked into, `asked` what was asked of the tree."""

    def __init__(
        self,
        view: View,
        path: str,
        used: Sequence[Expression],
        evaluate: Callable[[Session, Declared, Expressed, Expression], Iterator[Value]],
    ) -> None:
        self.path = path
        self.consulted: set[str] = set()
        self.asked: set[Asked] = set()
        self.opened: dict[str, Sequence[Declared]] = {}
        self._view = view
        self._used = used
        self._evaluate = evaluate
        self._known: dict[Expressed, tuple[Value, ...]] = {}
        self._open: set[Hashable] = set()

    def declared(self, path: str) -> Declared | None:
        """Return what a file shows; None for one without relations."""
        self.consulted.add(path)
        return self._view.declared(path)

    def locate(self, path: str, module: str) -> Place | None:
        """Return what a module that a file names is; None outside of the repository."""
        self.asked.add((path, module))
        return self._view.locate(path, module)

    def beside(self, path: str) -> Sequence[str]:
        """Return the files whose names a file sees without an import."""
        self.asked.add((path, _BESIDE))
        return self._view.beside(path)

    def expression(self, place: Expressed) -> Expression:
        """Return the operation that an expression is."""
        if place.table == "used":
            return self._used[place.number] if place.number < len(self._used) else ("unknown",)
        declared = self.declared(place.file)
        return declared.expressions[place.number] if declared else ("unknown",)

    def values(self, place: Expressed | None) -> tuple[Value, ...]:
        """Return what an expression may be; nothing where nothing is known."""
        if place is None:
            return ()
        known = self._known.get(place)
        if known is not None:
            return known
        declared = self.declared(place.file)
        with self.asking(place) as first:
            if not first or declared is None:
                return ()
            found = self._evaluate(self, declared, place, self.expression(place))
            values = tuple(dict.fromkeys(found))
        values = values if len(values) <= _MOST else ()
        self._known[place] = values
        return values

    @contextmanager
    def asking(self, question: Hashable) -> Iterator[bool]:
        """Tell whether a question is new; one that waits for itself, or too deep, has no answer."""
        if question in self._open or len(self._open) > _DEEPEST:
            yield False
            return
        self._open.add(question)
        try:
            yield True
        finally:
            self._open.discard(question)
