"""Read and write the wiki, the pages that people and agents write: `Index.wiki`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from typing import Any

from codeindex import git
from codeindex.analysis.repository.index_file import render_index
from codeindex.analysis.repository.repository_map import list_code_files
from codeindex.analysis.repository.wiki_plan import propose_pages
from codeindex.api.capability import capability
from codeindex.api.component import Component
from codeindex.api.repository_map import index_structure, read_map
from codeindex.api.requests.wiki import (
    FailureDict,
    WikiCompoundRequest,
    WikiContributeRequest,
    WikiGenerateRequest,
    WikiReadRequest,
    WikiRecordFailureRequest,
    WikiSearchRequest,
    WikiStatusRequest,
    WikiSuggestContributionRequest,
    WikiUpdateRequest,
)
from codeindex.config import data_home
from codeindex.errors import GitError, WikiError
from codeindex.secrets import redact
from codeindex.types import FileChange
from codeindex.wiki.contents import PlannedPage
from codeindex.wiki.drafting import DraftResult, write_drafts
from codeindex.wiki.generating import describe_written_page, generate_wiki, suggest_page
from codeindex.wiki.page import Contradiction, FailureNote
from codeindex.wiki.page_ids import make_page_id
from codeindex.wiki.page_store import WikiFolder
from codeindex.wiki.page_writer import (
    Contribution,
    PageWriter,
    add_knowledge,
    contribute_page,
    record_failure,
)
from codeindex.wiki.queries import find_page, search_pages, wiki_status
from codeindex.wiki.read_reports import FoundPages, ReadPage, WikiStatus, WikiUpdate
from codeindex.wiki.source_files import SourceFiles
from codeindex.wiki.stale_pages import index_by_path
from codeindex.wiki.updating import update_wiki
from codeindex.wiki.write_reports import SuggestedContribution, WikiPlan, WrittenPage

_CONTEXT = 4_000
"""Most tokens of the map from which an agent plans the pages."""


class WikiPages(Component):
    """Reads and writes the pages of the wiki."""

    @capability(WikiSearchRequest)
    def search(self, request: WikiSearchRequest) -> FoundPages:
        return search_pages(
            self._page_writer(),
            request.query,
            limit=request.limit,
            include_failures=request.include_failures,
        )

    @capability(WikiReadRequest)
    def read(self, request: WikiReadRequest) -> ReadPage:
        return find_page(self._page_writer(), request.page)

    @capability(WikiStatusRequest)
    def status(self, request: WikiStatusRequest) -> WikiStatus:
        return wiki_status(
            self._page_writer(), self._code_files(), changed=cache(self._changes_since)
        )

    @capability(WikiUpdateRequest)
    def update(self, request: WikiUpdateRequest) -> WikiUpdate:
        # Here, because the other methods need no parser.
        from codeindex.ingest.on_demand.revision import commit_to_index

        writer, ref = self._page_writer(), request.since.strip()
        commit = commit_to_index(self._session.root, ref) if ref else ""
        return update_wiki(writer, since=commit, changed=cache(self._changes_since))

    @capability(WikiGenerateRequest)
    def generate(self, request: WikiGenerateRequest) -> WikiPlan:
        writer = self._page_writer()
        if writer.folder.exists and not request.force:
            raise WikiError(
                f"'{self._session.root}' has a wiki already: see `codeindex wiki status`, or"
                " replace it with `--force` (force=true)."
            )
        index_structure(self._session)
        repository_map = read_map(self._runner)
        plans: dict[str, PlannedPage] = {}
        for page in propose_pages(repository_map):
            plan = PlannedPage(
                make_page_id(page.name), page.title, page.page_type, page.reason, page.source_files
            )
            plans.setdefault(plan.page, plan)
        lines = render_index(repository_map, budget=_CONTEXT).split("\n")
        context = "\n".join(lines[1:]).strip("\n")
        return generate_wiki(writer, repository_map.name, tuple(plans.values()), context=context)

    @capability(WikiContributeRequest)
    def contribute(self, request: WikiContributeRequest) -> WrittenPage:
        writer = self._page_writer()
        given = {
            "page": request.page.strip(),
            "contradictions": tuple(Contradiction(**each) for each in request.contradictions),
            "failures": tuple(map(_failure, request.failures)),
        }
        contribution = Contribution(**asdict(request) | given)
        return describe_written_page(writer, *contribute_page(writer, contribution))

    @capability(WikiSuggestContributionRequest)
    def suggest_contribution(
        self, request: WikiSuggestContributionRequest
    ) -> SuggestedContribution:
        return suggest_page(
            self._page_writer(), request.synthesis, source_pages=request.source_pages
        )

    @capability(WikiCompoundRequest)
    def compound(self, request: WikiCompoundRequest) -> WrittenPage:
        writer = self._page_writer()
        writer.demand()
        written = add_knowledge(
            writer, request.synthesis, source_pages=request.source_pages, title=request.title
        )
        return describe_written_page(writer, *written)

    @capability(WikiRecordFailureRequest)
    def record_failure(self, request: WikiRecordFailureRequest) -> WrittenPage:
        writer = self._page_writer()
        writer.demand()
        failure = FailureNote(
            request.symptom,
            request.attempted_fix,
            request.diagnosis,
            request.actual_fix,
            request.source_files,
        )
        return describe_written_page(
            writer, *record_failure(writer, failure, page=request.page.strip())
        )

    def drafts(self, command: Sequence[str]) -> Iterator[DraftResult]:
        """Let a command write a draft of each page whose sources changed; yield each result.

        The command reads a prompt on standard input, in which all text of the repository is marked
        as data, and prints the page. A page with uncommitted edits is never overwritten.
        """
        writer = self._page_writer()
        if writer.folder.exists:
            yield from write_drafts(writer, command, changed=cache(self._changes_since))

    def _page_writer(self) -> PageWriter:
        """Return a new object to read and write wiki pages, based on the current commit."""
        root = self._session.root
        commit = git.read_head(root).commit if git.find_work_tree(root) else None
        patterns = self._session.settings.config.secret_patterns
        lock = data_home() / "wiki" / f"{self._session.repository.key}.lock"
        return PageWriter(
            folder=WikiFolder(root, lock),
            tree=SourceFiles(root),
            commit=commit or "",
            safe=lambda text: redact(text, extra=patterns).text,
        )

    def _changes_since(self, commit: str) -> Mapping[str, FileChange] | None:
        """Return {path: change since a commit}; None if git does not know the commit."""
        from codeindex.ingest.on_demand.revision import changes_since

        if not commit:
            return None
        try:
            return index_by_path(changes_since(self._session.root, commit))
        except GitError:
            return None

    def _code_files(self) -> tuple[str, ...]:
        """Return the paths of the code files, the most central first."""
        self._runner.freshness.refresh()
        with self._runner.reader().catalog() as (catalog, _):
            files = list_code_files(catalog.connection)
        return tuple(file.path for file in sorted(files, key=lambda file: -file.centrality))


def _failure(given: FailureDict) -> FailureNote:
    values: dict[str, Any] = {**given, "source_files": tuple(given.get("source_files", []))}
    return FailureNote(**values)
