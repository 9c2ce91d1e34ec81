"""Define TSX: TypeScript with JSX. `<T>x` is an element in its grammar, a cast in TypeScript's."""

from dataclasses import replace

from codeindex.languages import _ecmascript as es
from codeindex.languages import _ecmascript_relations as related
from codeindex.languages import typescript

LANGUAGE = replace(
    typescript.LANGUAGE,
    name="tsx",
    suffixes=(".tsx",),
    grammar="tsx",
    relations=related.JSX + typescript.RELATIONS,
    interpreters=(),
    tests=es.tests(".tsx"),
    metavariable_forms=(*es.METAVARIABLE_FORMS, "{name}"),
)
