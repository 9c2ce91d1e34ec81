"""TypeScript with JSX: a grammar of its own, because `<T>x` means something else in it."""

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
)
