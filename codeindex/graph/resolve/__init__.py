"""Resolve the uses of a file by scopes, imports, inheritance and inferred types.

In: relations of the file and declarations of the files that it leads to. Out: edge targets. What is
kept between files, such as base types, is found without regard to the file that is resolved, so the
result does not depend on their order, and a sync equals a rebuild. `members` resolves members of
types, `names` names in modules and scopes, `receivers` the first part of an expression, `evaluate`
expressions, and `overloads` calls by their number of arguments. `references` creates the edges.
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
