"""Replace the targets of a file's references by those that its SCIP index states."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from codeindex.graph.resolve.references import EdgeTarget, ResolvedReferences
from codeindex.graph.scip.shown_names import SCIP_CONSTRUCTOR_NAMES
from codeindex.store.graph.compiler_files import SymbolPlace
from codeindex.text.words import normal_name
from codeindex.types import CALLABLE_KINDS, OWNER_KINDS, CompilerReference, Definition, UseKind

_Source = tuple[int, EdgeTarget]
"""(index of the using symbol in the file or -1, target)."""
_Lines = defaultdict[_Source, set[int]]


@dataclass(frozen=True, slots=True)
class ConfirmedReferences:
    """The references of a file after its SCIP index was applied.

    `lines` has the lines of each reference; `confirmed` has only those whose target the index
    states.
    """

    lines: ResolvedReferences
    confirmed: Mapping[_Source, Iterable[int]]


@dataclass(slots=True)
class CompilerOverlay:
    """Applies the references that a SCIP index states to those that were resolved in one file.

    `references` and `definitions`, by id, have only symbols of the repository. `places` are the
    symbols of the file in source order, `import_lines` the lines of its imports.
    """

    references: Sequence[CompilerReference]
    definitions: Mapping[int, Definition]
    places: Sequence[SymbolPlace]
    import_lines: frozenset[int]
    _lines: _Lines = field(default_factory=lambda: defaultdict(set))
    _confirmed: _Lines = field(default_factory=lambda: defaultdict(set))
    _innermost: dict[int, int] = field(default_factory=dict)
    """{line: index of the innermost symbol around it}; empty until it is needed."""

    def applied(self, resolved: ResolvedReferences) -> ConfirmedReferences:
        """Return the references in `resolved`, with targets replaced where the index states one."""
        stated = references_by_name(self.references, self.definitions)
        replaced: defaultdict[int, list[_Source]] = defaultdict(list)
        for source, lines in resolved.items():
            _, target = source
            for line in lines:
                number = stated.get((line, _simple_name(target.name)))
                if number is None or target.kind == "imports" or not _is_of_name(target):
                    self._lines[source].add(line)
                else:
                    replaced[number].append(source)
        for number, reference in enumerate(self.references):
            if number in replaced:
                self._replace(reference, replaced[number])
            elif reference.line not in self.import_lines:
                self._add_missing(reference)
        return ConfirmedReferences(self._lines, self._confirmed)

    def _replace(self, reference: CompilerReference, sources: Sequence[_Source]) -> None:
        """Replace the targets of the uses of one name in one line by those that the index states.

        `sources` are the resolved uses of this name and line.
        """
        for symbol, kind in dict.fromkeys((symbol, target.kind) for symbol, target in sources):
            own = [target for number, target in sources if (number, target.kind) == (symbol, kind)]
            for ids in reference.targets:
                for target in self._stated(kind, ids, own):
                    self._confirm((symbol, target), reference.line)

    def _stated(
        self, kind: str, ids: Sequence[int], own: Sequence[EdgeTarget]
    ) -> Iterator[EdgeTarget]:
        """Yield the targets that the index states for a use of this `kind`.

        `ids` are the definitions of one symbol in the index; `own` are the targets that resolution
        found. If both agree on one certain target, that is the only one.
        """
        definitions = [self.definitions[key] for key in ids]
        agreed = [
            target
            for target in own
            if any(means_same(target, definition) for definition in definitions)
        ]
        if len({target.symbol for target in agreed}) == 1 and agreed[0].certainty == "resolved":
            yield agreed[0]
            return
        certainty = "resolved" if len(definitions) == 1 else "ambiguous"
        for definition in definitions:
            yield EdgeTarget(
                kind,
                certainty,  # type: ignore[arg-type]
                definition.file,
                definition.id,
                definition.qualified,
            )

    def _add_missing(self, reference: CompilerReference) -> None:
        """Add a use that the index states and the parser has not seen.

        It may be in the arguments of a macro.
        """
        symbol = self._enclosing(reference.line)
        for ids in reference.targets:
            definitions = [self.definitions[key] for key in ids]
            if len(definitions) != 1:
                continue
            definition = definitions[0]
            is_call = reference.called and definition.kind in CALLABLE_KINDS | OWNER_KINDS
            kind = UseKind.CALL if is_call else UseKind.REFERENCE
            target = EdgeTarget(
                kind, "resolved", definition.file, definition.id, definition.qualified
            )
            self._confirm((symbol, target), reference.line)

    def _confirm(self, source: _Source, line: int) -> None:
        self._lines[source].add(line)
        if source[1].certainty == "resolved":
            self._confirmed[source].add(line)

    def _enclosing(self, line: int) -> int:
        """Return the index of the innermost symbol around a line; -1 without one."""
        if not self._innermost:
            self._innermost.update(_innermost_symbols(self.places))
        return self._innermost.get(line, -1)


def _innermost_symbols(places: Sequence[SymbolPlace]) -> dict[int, int]:
    """Return {line: index of the shortest symbol around it, of equal ones the last}."""
    innermost: dict[int, int] = {}
    longest_first = sorted(
        enumerate(places), key=lambda item: item[1].start_line - item[1].end_line
    )
    for number, place in longest_first:
        innermost.update(dict.fromkeys(range(place.start_line, place.end_line + 1), number))
    return innermost


def references_by_name(
    references: Sequence[CompilerReference], definitions: Mapping[int, Definition]
) -> dict[tuple[int, str], int]:
    """Return {(line, name): index in `references`}.

    Each reference is under two names: the name in the code, and the name of its definition.
    """
    found: dict[tuple[int, str], int] = {}
    for number, reference in enumerate(references):
        for ids in reference.targets:
            for key in ids:
                name = _simple_name(definitions[key].qualified)
                found.setdefault((reference.line, name), number)
    for number, reference in enumerate(references):
        found[reference.line, normal_name(reference.text)] = number
    return found


def means_same(target: EdgeTarget, definition: Definition) -> bool:
    """Tell whether our target and the index's `definition` are the same or equivalent.

    A constructor stands for its type, and a definition for its declaration in a file of the same
    name, such as a stub.
    """
    if target.symbol == definition.id:
        return True
    if target.name == definition.qualified and _stem(target.file) == _stem(definition.file):
        return target.file != definition.file or definition.kind not in CALLABLE_KINDS
    if target.file != definition.file:
        return False
    return _constructs(target.name, definition.qualified) or _constructs(
        definition.qualified, target.name
    )


def _stem(path: str) -> str:
    """Return a path without all suffixes of its name: `a/b` for `a/b.d.ts`."""
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}{name.partition('.')[0] or name}"


def _constructs(constructor: str, owner: str) -> bool:
    above, _, name = constructor.rpartition(".")
    return above == owner and (name in SCIP_CONSTRUCTOR_NAMES or name == _simple_name(owner))


def _simple_name(qualified: str) -> str:
    return qualified.rpartition(".")[2]


def _is_of_name(target: EdgeTarget) -> bool:
    """Tell whether a target is a symbol, or is known only by its name; a file is neither."""
    return bool(target.symbol) or not target.file
