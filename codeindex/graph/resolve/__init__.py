"""What each use in a file refers to, by scopes, imports, inheritance and known types.

A file is resolved from its own relations and from the declarations of the files that it leads to.
Nothing is remembered from one file to the next, so the outcome depends on the contents alone, never
on the order of work: a sync equals a rebuild. `members` knows types, `names` modules and scopes,
`outset` what expressions begin with, `evaluate` expressions, `references` makes edges of it all.
"""

from codeindex.graph.resolve.references import (
    EdgeTarget,
    ResolvedReferences,
    resolve_references,
)
from codeindex.graph.resolve.session import ImportQuery
from codeindex.graph.resolve.values import FileDeclarations, RepositoryView, index_declarations

__all__ = [
    "EdgeTarget",
    "FileDeclarations",
    "ImportQuery",
    "RepositoryView",
    "ResolvedReferences",
    "index_declarations",
    "resolve_references",
]
