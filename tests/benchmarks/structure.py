"""Measure the structure of the package: sizes, docstrings, duplicate names, imports, SQL, cycles.

    python tests/benchmarks/structure.py [FOLDER]

Prints the rows of "Structure" in codeindex/docs/architecture.md for the package below FOLDER (the
repository of this file by default). Lines are all lines of `.py` files. A public definition is a
function or class at the top of a module without a leading underscore. Import cycles are strongly
connected components of modules, counted without and with imports for type checkers alone.
"""

from __future__ import annotations

import ast
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import networkx as nx

PACKAGE = "codeindex"
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
VAGUE_LOCAL = "one"
"""A name that says nothing about its value; house rules count its bindings."""


@dataclass(frozen=True, slots=True)
class Module:
    """A parsed module: dotted name, number of lines, syntax tree and source text."""

    name: str
    lines: int
    tree: ast.Module
    text: str

    @property
    def folder(self) -> str:
        """The first package below the root package; empty for its own modules."""
        parts = self.name.split(".")
        return parts[1] if len(parts) > 2 else ""


def read_modules(root: Path) -> list[Module]:
    """Parse every module of the package below `root`, sorted by name."""
    found = []
    for path in sorted((root / PACKAGE).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        text = path.read_text("utf-8")
        found.append(Module(name, text.count("\n"), ast.parse(text), text))
    return found


def functions(module: Module) -> Iterator[FunctionNode]:
    """Yield every function and method, nested ones too."""
    return (node for node in ast.walk(module.tree) if isinstance(node, FunctionNode))


def public_definitions(module: Module) -> Iterator[FunctionNode | ast.ClassDef]:
    """Yield public functions and classes at the top of a module."""
    for node in module.tree.body:
        if isinstance(node, FunctionNode | ast.ClassDef) and not node.name.startswith("_"):
            yield node


def imports_in_functions(module: Module) -> int:
    """Count the import statements inside functions."""
    nested = {
        id(statement)
        for function in functions(module)
        for statement in ast.walk(function)
        if isinstance(statement, ast.Import | ast.ImportFrom)
    }
    return len(nested)


def bindings(module: Module) -> Counter[str]:
    """Count the assignments to each variable name."""
    stores = (node for node in ast.walk(module.tree) if isinstance(node, ast.Name))
    return Counter(node.id for node in stores if isinstance(node.ctx, ast.Store))


def numeric_constants(module: Module) -> int:
    """Count the numbers that are assigned to a name at the top of a module."""
    return sum(
        isinstance(node, ast.Assign | ast.AnnAssign)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, int | float)
        and not isinstance(node.value.value, bool)
        for node in module.tree.body
    )


def sql_calls(module: Module) -> int:
    """Count the calls of `execute` and `executemany`."""
    return sum(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"execute", "executemany", "executescript"}
        for node in ast.walk(module.tree)
    )


def imported_modules(module: Module, names: frozenset[str], *, with_typing: bool) -> Iterator[str]:
    """Yield the package's modules that a module imports, at its top or inside functions."""
    pending: list[ast.AST] = [module.tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            pending += node.body if with_typing else node.orelse
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield from {inner if inner in names else node.module} & names
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in names)
        pending += ast.iter_child_nodes(node)


def import_cycles(modules: list[Module], *, with_typing: bool) -> list[list[str]]:
    """Return the strongly connected groups of two or more modules.

    `from package import module` counts as an import of the module, not of the package.
    """
    names = frozenset(module.name for module in modules)
    graph: nx.DiGraph[str] = nx.DiGraph()
    for module in modules:
        for target in imported_modules(module, names, with_typing=with_typing):
            if target != module.name:
                graph.add_edge(module.name, target)
    groups = nx.strongly_connected_components(graph)
    return sorted(sorted(group) for group in groups if len(group) > 1)


def rows(modules: list[Module]) -> Iterator[tuple[str, str]]:
    """Yield the measures with their values as text."""
    lengths = sorted(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for module in modules
        for node in functions(module)
    )
    defined = defaultdict(list)
    documented = total = 0
    for module in modules:
        for node in public_definitions(module):
            defined[node.name].append(module.name)
            documented += ast.get_docstring(node) is not None
            total += 1
    repeated = {name: places for name, places in defined.items() if len(places) > 1}
    counts: Counter[str] = sum(map(bindings, modules), Counter())
    outside = [module for module in modules if module.folder != "store"]
    sizes = sorted(module.lines for module in modules)
    runtime = import_cycles(modules, with_typing=False)
    typed = import_cycles(modules, with_typing=True)
    yield "modules / lines", f"{len(modules):,} / {sum(sizes):,}"
    yield "file median / p90 lines", f"{statistics.median(sizes):g} / {sizes[len(sizes) * 9 // 10]}"
    yield "function median / max lines", f"{statistics.median(lengths):g} / {lengths[-1]}"
    yield "public definitions with a docstring", f"{documented / total:.0%} of {total:,}"
    yield "public names with several definitions", f"{len(repeated):,}"
    yield (
        f"variables called `{VAGUE_LOCAL}`",
        (f"{counts[VAGUE_LOCAL]:,} of {counts.total():,} bindings"),
    )
    calls = sum(map(sql_calls, modules))
    yield "SQL calls outside store/", f"{sum(map(sql_calls, outside)):,} of {calls:,}"
    chroma = [module for module in modules if "chroma" in module.text.lower()]
    yield 'modules that mention "chroma"', f"{len(chroma)}"
    yield "imports inside functions", f"{sum(map(imports_in_functions, modules)):,}"
    yield "import cycles at run time / with typing imports", f"{len(runtime)} / {len(typed)}"
    search = [module for module in modules if module.folder == "search"]
    constants = sum(map(numeric_constants, modules))
    yield (
        "module-level numeric constants / in search/",
        (f"{constants} / {sum(map(numeric_constants, search))}"),
    )
    for name, places in sorted(repeated.items()):
        yield f"  defined {len(places)} times: {name}", ", ".join(places)
    for group in typed:
        yield "  cycle", ", ".join(group)


def main() -> None:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2]
    for measure, value in rows(read_modules(root)):
        print(f"| {measure} | {value} |")


if __name__ == "__main__":
    main()
