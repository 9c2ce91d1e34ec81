"""Define single-file components of Vue."""

from dataclasses import replace

from codeindex.languages import _ecmascript as es
from codeindex.languages import typescript
from codeindex.languages._component_scripts import COMPONENT_USES, MARKUP, VISIBILITY, vue_script

LANGUAGE = replace(
    typescript.LANGUAGE,
    name="vue",
    suffixes=(".vue",),
    shared_suffixes=(),
    script=vue_script,
    relations=typescript.LANGUAGE.relations + MARKUP,
    interpreters=(),
    declaration_suffixes=(),
    tests=es.tests(".vue"),
    any_argument_count=True,
    used_unnamed=COMPONENT_USES,
    visibility=VISIBILITY,
)
