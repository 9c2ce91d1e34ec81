"""Writing to the wiki."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from codeindex.api.wiki import Wiki
from codeindex.api.wiki_given import (
    ContradictionDict,
    FailureDict,
    contradiction_of,
    failure_of,
)
from codeindex.errors import WikiError

if TYPE_CHECKING:
    from codeindex.analysis.repository.index_file import IndexFile
    from codeindex.wiki.drafting import DraftResult
    from codeindex.wiki.write_reports import SuggestedContribution, WikiPlan, WrittenPage

_WAIT_SECONDS = 20.0
"""How long a map of the repository waits for another process that is indexing."""


class WikiWriting(Wiki):
    """Writing to the wiki."""

    def wiki_generate(self, *, force: bool = False) -> WikiPlan:
        """Begin a wiki in `.codeindex/wiki`, and propose pages from what the code is made of.

        Then write each page by wiki contribute. FORCE begins anew: pages that are committed to git
        are deleted first, others are never.
        """
        from codeindex.analysis.repository.index_file import render_index
        from codeindex.analysis.repository.wiki_plan import propose_pages
        from codeindex.wiki.contents import PlannedPage
        from codeindex.wiki.generating import generate_wiki
        from codeindex.wiki.page_ids import make_page_id

        desk = self._desk()
        if desk.folder.exists and not force:
            raise WikiError(
                f"'{self.root}' has a wiki: see it with `codeindex wiki status`, or begin anew with"
                " `--force` (force=true)."
            )
        self._sync_structure()
        found = self._map()
        plans: dict[str, PlannedPage] = {}
        for one in propose_pages(found):
            plan = PlannedPage(
                make_page_id(one.name), one.title, one.page_type, one.reason, one.source_files
            )
            plans.setdefault(plan.page, plan)
        context = "\n".join(render_index(found, budget=_CONTEXT).split("\n")[1:]).strip("\n")
        return generate_wiki(desk, found.name, tuple(plans.values()), context=context)

    def wiki_contribute(  # noqa: PLR0913 (the contract)
        self,
        page: str,
        content: str,
        *,
        title: str = "",
        page_type: Literal["architecture", "module", "entity", "topic"] = "topic",
        source_files: tuple[str, ...] = (),
        contradictions: tuple[ContradictionDict, ...] = (),
        resolve_contradictions: bool = False,
        failures: tuple[FailureDict, ...] = (),
        resolve_failures: bool = False,
        base: str = "",
    ) -> WrittenPage:
        """Write the page with the id PAGE: CONTENT is all of its markdown.

        A shell gives it as text, as a file's name, or by `-` on standard input. Cite lines as
        `path:12-30`, other pages as `[[page]]`. A page that has changed since you
        read version BASE of it is not replaced: you are told. A new page needs a title.
        """
        from codeindex.wiki.generating import describe_written_page
        from codeindex.wiki.page_writer import Contribution, contribute_page

        desk = self._desk()
        given = Contribution(
            page=page.strip(),
            content=content,
            title=title,
            page_type=page_type,
            source_files=source_files,
            contradictions=tuple(map(contradiction_of, contradictions)),
            resolve_contradictions=resolve_contradictions,
            failures=tuple(map(failure_of, failures)),
            resolve_failures=resolve_failures,
            base=base,
        )
        return describe_written_page(desk, *contribute_page(desk, given))

    def wiki_suggest_contribution(
        self, synthesis: str, *, source_pages: tuple[str, ...] = ()
    ) -> SuggestedContribution:
        """Say to which page the text SYNTHESIS belongs, or what a new one could be called.

        SOURCE_PAGES are the pages that it was made from.
        """
        from codeindex.wiki.generating import suggest_page

        return suggest_page(self._desk(), synthesis, source_pages=source_pages)

    def wiki_compound(
        self, synthesis: str, *, source_pages: tuple[str, ...] = (), title: str = ""
    ) -> WrittenPage:
        """Add the text SYNTHESIS to the page that it belongs to, or make it a topic of its own.

        For what you found out by putting several pages together; SOURCE_PAGES are those.
        """
        from codeindex.wiki.generating import describe_written_page
        from codeindex.wiki.page_writer import add_knowledge

        desk = self._desk()
        desk.demand()
        return describe_written_page(
            desk, *add_knowledge(desk, synthesis, source_pages=source_pages, title=title)
        )

    def wiki_record_failure(
        self,
        symptom: str,
        attempted_fix: str,
        diagnosis: str,
        *,
        actual_fix: str = "",
        source_files: tuple[str, ...] = (),
        page: str = "",
    ) -> WrittenPage:
        """Record a fix that did not work: SYMPTOM seen, ATTEMPTED_FIX, and why not (DIAGNOSIS).

        It goes to PAGE, else to the page that speaks most of it.
        """
        from codeindex.wiki.generating import describe_written_page
        from codeindex.wiki.page import Failure
        from codeindex.wiki.page_writer import record_failure

        desk = self._desk()
        desk.demand()
        failure = Failure(symptom, attempted_fix, diagnosis, actual_fix, tuple(source_files))
        return describe_written_page(desk, *record_failure(desk, failure, page=page.strip()))

    def wiki_drafts(self, command: Sequence[str]) -> Iterator[DraftResult]:
        """Have a command write a draft of each page whose sources changed.

        It reads a prompt on its standard input, in which all that is the repository's is marked as
        data, and prints the page. Edits that are not committed are never written over.
        """
        from codeindex.wiki.drafting import write_drafts

        desk = self._desk()
        if desk.folder.exists:
            yield from write_drafts(desk, command, changed=self._changes_since)

    def regenerate_index(self, *, budget: int = 2_000) -> IndexFile:
        """Index what changed, and write INDEX.md: a map of the repository in BUDGET tokens.

        An INDEX.md that codeindex has not made is left alone.
        """
        from codeindex.analysis.repository.index_file import MIN_INDEX_TOKENS, write_index_file
        from codeindex.api.asking import checked_limit

        wanted = checked_limit(budget, most=_MOST_BUDGET, least=MIN_INDEX_TOKENS, name="budget")
        self._sync_structure()
        return write_index_file(self.root, self._map(), budget=wanted)

    def keep_index_file(self) -> bool:
        """Bring an INDEX.md up to date that codeindex has made; tell whether that changed it."""
        from codeindex.analysis.repository.index_file import existing_budget, write_index_file
        from codeindex.errors import QueryError

        try:
            budget = existing_budget(self.root)
        except QueryError:
            return False
        return (
            budget is not None and write_index_file(self.root, self._map(), budget=budget).changed
        )

    def _sync_structure(self) -> None:
        self.sync(structure_only=True, wait_seconds=_WAIT_SECONDS)


_CONTEXT, _MOST_BUDGET = 4_000, 100_000
"""Tokens of what pages are planned from, and of the longest map that is one."""
