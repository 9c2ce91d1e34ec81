"""Convert the relations of a file to the catalog's format, compressed JSON, and back."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Sequence
from dataclasses import replace

from codeindex.graph.packages import declared_package, package_members
from codeindex.languages import Language
from codeindex.types import EncodedRelations, Import, Relations, Symbol, Use, UseKind

_NO_LINE = 0
_USE_KINDS = {str(kind): kind for kind in UseKind}


def serialize_relations(
    relations: Relations, symbols: Sequence[Symbol], language: Language
) -> EncodedRelations:
    """Encode relations as bytes; declarations, which other files read, are apart from uses.

    The result is empty for a file without relations and symbols.
    """
    if not (relations.uses or relations.imports or relations.expressions or symbols):
        return EncodedRelations()
    declared = {
        "imports": [
            [imported.module, imported.name, imported.local, imported.top, imported.exported]
            for imported in relations.imports
        ],
        "expressions": relations.expressions,
        "values": relations.values,
        "results": relations.results,
        "bases": relations.bases,
    }
    used = {
        "expressions": relations.used,
        "uses": [_use_row(use) for use in relations.uses],
        "lines": [[imported.line, imported.at] for imported in relations.imports],
    }
    text = json.dumps(declared, separators=(",", ":"))
    declarations = json.dumps([[symbol.qualified, symbol.kind] for symbol in symbols])
    return EncodedRelations(
        declared=zlib.compress(text.encode(), 1),
        used=zlib.compress(json.dumps(used, separators=(",", ":")).encode(), 1),
        interface=hashlib.sha256(
            (text + declarations).encode("utf-8", "surrogatepass")
        ).hexdigest()[:32],
        package=declared_package(relations.imports),
        names=package_members(language, symbols, relations),
    )


def _use_row(use: Use) -> tuple[object, ...]:
    """Return a use as a tuple; trailing fields with default values are left out."""
    if use.receiver:
        return use
    return use[:-1] if use.passed else use[:-2] if use.arguments >= 0 else use[:-3]


def deserialize_declarations(declared: bytes) -> Relations:
    """Decode the declarations of a file from bytes.

    The imports in the result have no lines; `add_uses` adds these.
    """
    if not declared:
        return Relations()
    declarations = json.loads(zlib.decompress(declared))
    return Relations(
        imports=tuple(
            Import(module, name, local, _NO_LINE, _NO_LINE, top, exported)
            for module, name, local, top, exported in declarations["imports"]
        ),
        expressions=_tuples(declarations["expressions"]),
        values=_tuples(declarations["values"]),
        results=_tuples(declarations["results"]),
        bases=_tuples(declarations["bases"]),
    )


def add_uses(declarations: Relations, used: bytes) -> Relations:
    """Return `declarations` with the uses of the file and the lines of its imports."""
    if not used:
        return declarations
    own = json.loads(zlib.decompress(used))
    return replace(
        declarations,
        imports=tuple(
            imported._replace(line=line, at=at)
            for imported, (line, at) in zip(declarations.imports, own["lines"], strict=True)
        ),
        used=_tuples(own["expressions"]),
        uses=[
            Use(symbol, expression, line, _USE_KINDS[kind], *arguments)
            for symbol, expression, line, kind, *arguments in own["uses"]
        ],
    )


def _tuples(rows: Sequence[Sequence[object]]) -> tuple[tuple, ...]:  # type: ignore[type-arg]
    return tuple(map(tuple, rows))
