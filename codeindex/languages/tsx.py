"""Define TypeScript with JSX, whose own grammar reads `<T>x` as an element, not a cast."""

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
