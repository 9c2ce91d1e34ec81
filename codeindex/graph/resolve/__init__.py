"""Resolve the uses of a file by scopes, imports, inheritance and inferred types.

In: relations of the file and declarations of the files that it leads to. Out: edge targets. What is
kept between files, such as base types, is found without regard to the file that is resolved, so the
result does not depend on their order, and a sync equals a rebuild. `evaluate` finds the values of
expressions: `receivers` those of their first part, `names` of names in modules and scopes,
`variable_values` of variables and aliases, `base_types` and `members` of types, `call_results` of
calls and iterations. `overloads` selects the functions that a call may run. `references` creates
the edges.
"""

from codeindex.graph.resolve.references import EdgeTarget, ResolvedReferences, resolve_references
from codeindex.graph.resolve.values import (
    FileDeclarations,
    ImportQuery,
    RepositoryView,
    index_declarations,
)

__all__ = [
    "EdgeTarget",
    "FileDeclarations",
    "ImportQuery",
    "RepositoryView",
    "ResolvedReferences",
    "index_declarations",
    "resolve_references",
]
