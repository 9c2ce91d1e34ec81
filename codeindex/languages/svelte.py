"""Define components of Svelte."""

from dataclasses import replace

from codeindex.languages import _ecmascript as es
from codeindex.languages import typescript
from codeindex.languages._component_scripts import (
    COMPONENT_USES,
    MARKUP,
    VISIBILITY,
    svelte_script,
)

LANGUAGE = replace(
    typescript.LANGUAGE,
    name="svelte",
    suffixes=(".svelte",),
    shared_suffixes=(),
    script=svelte_script,
    relations=typescript.LANGUAGE.relations + MARKUP,
    interpreters=(),
    declaration_suffixes=(),
    tests=es.tests(".svelte"),
    any_argument_count=True,
    used_unnamed=COMPONENT_USES,
    visibility=VISIBILITY,
)
