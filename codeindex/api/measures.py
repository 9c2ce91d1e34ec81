"""About the whole: how complex it is, and how its parts depend on each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from codeindex.api.asking import Asking, checked_limit

if TYPE_CHECKING:
    from codeindex.analysis.relations.dependency_graph import DependencyGraph
    from codeindex.analysis.relations.graph_export import ExportedGraph
    from codeindex.analysis.repository.health import Health
    from codeindex.analysis.repository.hotspots import Hotspots


class Measures(Asking):
    """About the whole: how complex it is, and how its parts depend on each other."""

    def hotspots(
        self, path: str = "", *, limit: int = 20, min_complexity: int = 1, sort_by: str = "score"
    ) -> Hotspots:
        """List the functions that are hardest to follow, of PATH or of everything; at most 100.

        Score is cyclomatic complexity + nesting * 2 + parameters * 0.5 + lines of the body / 20.
        """
        from codeindex.analysis.repository.hotspots import MAX_HOTSPOTS, find_hotspots

        wanted = checked_limit(limit, most=MAX_HOTSPOTS)
        return self._ask(
            lambda connection: find_hotspots(
                connection,
                limit=wanted,
                path=self._inside(path),
                min_complexity=min_complexity,
                sort_by=sort_by,
            )
        )

    def health(self, path: str = "") -> Health:
        """Sum up how complex, documented and tested PATH is, or everything."""
        from codeindex.analysis.repository.health import measure_health

        return self._ask(lambda connection: measure_health(connection, self._inside(path)))

    def dependency_graph(
        self,
        path: str = "",
        *,
        level: Literal["file", "symbol"] = "file",
        format: Literal["mermaid", "dot", "json", "html"] = "mermaid",  # noqa: A002 (the contract)
        depth: int = 0,
        calls: bool = False,
    ) -> DependencyGraph:
        """Draw what the files of PATH depend on, or which types extend which.

        Dependencies of a PATH are followed to their ends, or for `depth` steps.
        """
        from codeindex.analysis.relations.dependency_graph import make_dependency_graph

        return self._ask(
            lambda connection: make_dependency_graph(
                connection,
                path=self._inside(path),
                level=level,
                form=format,
                depth=depth,
                calls=calls,
            )
        )

    def export_graph(self, path: str = "") -> ExportedGraph:
        """Export files, symbols and the edges between them; `--json` gives all that is known."""
        from codeindex.analysis.relations.graph_export import export_graph

        return self._ask(lambda connection: export_graph(connection, self._inside(path)))
