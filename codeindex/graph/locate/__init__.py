"""Which files of a repository an import means: one module a family of languages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from codeindex.graph.locate import (
    bash,
    c,
    dart,
    ecmascript,
    elixir,
    go,
    haskell,
    jvm,
    lua,
    named,
    python,
    ruby,
    rust,
    sql,
    swift,
    zig,
)
from codeindex.graph.locate.tree import (
    ANY_PACKAGE,
    ELSEWHERE,
    Locate,
    Packages,
    Place,
    Tree,
    is_manifest,
)

__all__ = [
    "ANY_PACKAGE",
    "AUTOLOADING",
    "BESIDE",
    "CONDITIONAL",
    "ELSEWHERE",
    "EXTENDING",
    "INCLUDING",
    "IN_FULL",
    "LOCATORS",
    "NESTED",
    "OPENING",
    "WHOLE",
    "Beside",
    "Locate",
    "Packages",
    "Place",
    "Tree",
    "is_manifest",
]

WHOLE = frozenset({"javascript", "tsx", "typescript"})
"""Languages where a module that exports neither `default` nor `exports` is what these mean."""

AUTOLOADING = frozenset({"elixir", "ruby"})
"""Languages where a name is enough to find its file: the locator is asked for ``::Name``."""

INCLUDING = frozenset({"c", "cpp"})
"""Languages that paste files into each other."""

OPENING = frozenset({"csharp", "php"})
"""Languages where a namespace is imported, which is no file: it is known by its name alone."""

NESTED = (".rs",)
"""Files of languages whose modules lie below each other by name, whatever macro declares them: the
locator is asked for ``self::name``."""

EXTENDING = frozenset({"kotlin"})
"""Languages where a function that is imported may be called as if it were a member."""

IN_FULL = frozenset({"java", "kotlin", "scala"})
"""Languages whose imports begin at no file: what is not found may be another package's."""

CONDITIONAL = frozenset({"go", "rust", "sql"})
"""Languages where a package may define the same thing several times, for different builds."""

Beside = Callable[[Tree, str], Sequence[str]]
"""Called with the tree and a file: the other files whose names it sees without an import."""

LOCATORS: dict[str, Locate] = {
    "c": c.locate,
    "cpp": c.locate,
    "go": go.locate,
    "javascript": ecmascript.locate,
    "tsx": ecmascript.locate,
    "typescript": ecmascript.locate,
    "java": jvm.locate,
    "kotlin": jvm.locate,
    "dart": dart.locate,
    "swift": swift.locate,
    "csharp": named.in_files(".cs"),
    "php": named.in_files(".php"),
    "python": python.locate,
    "bash": bash.locate,
    "elixir": elixir.locate,
    "haskell": haskell.locate,
    "lua": lua.locate,
    "zig": zig.locate,
    "ruby": ruby.locate,
    "rust": rust.locate,
    "scala": jvm.locate,
}
BESIDE: dict[str, Beside] = {
    "csharp": named.beside,
    "swift": swift.beside,
    "sql": sql.beside,
    "go": go.beside,
    "tsx": ecmascript.visible,
    "typescript": ecmascript.visible,
}
