"""Read imports of Java and Kotlin; locate names, also of Scala, by the packages of files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from codeindex.languages._base import ImportCaptures, ImportedName
from codeindex.languages.source_tree import ANY_PACKAGE, ModuleLocation, SourceTree

RUNTIME_MEMBERS = frozenset(
    {"serialVersionUID", "serialPersistentFields", "writeReplace", "readResolve", "finalize"}
    | {"readObject", "writeObject", "readObjectNoData", "premain", "agentmain"}
)
"""Members that the Java runtime uses by name, of any type."""
BUILD_FILES = ("pom.xml", "build.gradle", "build.gradle.kts", "build.sbt")
"""Manifests of the packages that Maven, Gradle and sbt publish."""
FAMILY = ("java", "kotlin", "scala")
DEFAULT_PACKAGE = ".*"
"""Import of the files without a package clause that a file without one sees: those of its folder,
and of the same folder below `main` if it is below `test`."""
_TEST_ROOT = re.compile(r"(?:^|(?<=/))(?:test|it|androidTest|integrationTest)(?=/)")


def qualified_imports(captured: ImportCaptures) -> Iterable[ImportedName]:
    """Yield an import of Java or Kotlin, whose module is its whole name, like `shop.Cart`.

    A package clause imports all names of its package.
    """
    module = captured["module"]
    if "imported" in captured:
        yield ImportedName(f"{module}.*", captured["imported"], "*")
    else:
        yield ImportedName(module, "", captured.get("alias") or module.rpartition(".")[2])


def locate_package(tree: SourceTree, path: str, module: str) -> ModuleLocation | None:
    """Return the files that declare an imported name such as `shop.pay.Charge`, nearest first.

    Parts of `module` after the name are members. There may be several files: each platform can
    define an `expect` declaration of Kotlin, and tests copy code. Return None if the name is
    external.
    """
    if module.startswith(ANY_PACKAGE):
        having = tree.packages.packages_with(module.removeprefix(ANY_PACKAGE))
        return ModuleLocation((), symbol=" ".join(having)) if having else None
    parts = module.split(".")
    for end in range(len(parts), 0, -1):
        names = tree.packages.names(".".join(parts[: end - 1]))
        if parts[end - 1] == "*" and names:
            return ModuleLocation((), symbol="*")
        files = names.get(parts[end - 1], ())
        if not parts[0]:
            files = [file for file in files if _share_default_package(path, file)]
        if files:
            return ModuleLocation(
                tuple(nearest_first(files, path)), symbol=_symbol(parts[end - 1 :])
            )
    return None


def _share_default_package(path: str, other: str) -> bool:
    """Tell whether two files without a package clause are compiled together, by their folders."""
    folder, other_folder = path.rpartition("/")[0], other.rpartition("/")[0]
    tested = _TEST_ROOT.sub("main", f"{folder}/", count=1).rstrip("/")
    return other_folder in {folder, tested}


def _symbol(parts: Sequence[str]) -> str:
    """Join the parts of a symbol's name with dots, without `Companion`.

    Members of a Kotlin companion object belong to the class around it.
    """
    return ".".join(part for part in parts if part != "Companion") or "Companion"


def nearest_first(paths: Iterable[str], path: str) -> list[str]:
    """Return paths sorted by the number of leading folders that they share with `path`."""
    around = path.split("/")
    return sorted(paths, key=lambda path: -_shared(path.split("/"), around))


def _shared(parts: Sequence[str], other: Sequence[str]) -> int:
    return next(
        (at for at, (a, b) in enumerate(zip(parts, other, strict=False)) if a != b), len(parts)
    )
