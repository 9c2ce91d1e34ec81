"""Search and read wiki pages, and report the state of the wiki."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from codeindex import git
from codeindex.errors import GitError, QueryError
from codeindex.wiki.citations import CitationCheck, check_citations, find_links
from codeindex.wiki.contents import parse_planned_pages
from codeindex.wiki.page import Contradiction, FailureNote, WikiPage, map_failure_texts
from codeindex.wiki.page_ids import CONTENTS_ID
from codeindex.wiki.page_store import PageSet
from codeindex.wiki.page_writer import PageWriter, find_broken_links, unknown_page_message
from codeindex.wiki.ranking import page_excerpt, rank_pages
from codeindex.wiki.read_reports import (
    FoundPage,
    FoundPages,
    PageState,
    ReadPage,
    SourceCoverage,
    WikiStatus,
)
from codeindex.wiki.stale_pages import ChangesByPath, changed_sources

ChangesSince = Callable[[str], ChangesByPath | None]
"""Returns what changed since a commit, None if git does not know it; it may be called often."""
_MAX_UNCOVERED = 12


def search_pages(
    writer: PageWriter, query: str, *, limit: int, include_failures: bool
) -> FoundPages:
    """Return the pages that match a query, best first."""
    writer.demand()
    pages = [
        page for page in writer.folder.read_page_set().pages.values() if page.id != CONTENTS_ID
    ]
    ranked_pages = rank_pages(pages, query)
    results = tuple(
        FoundPage(
            page=ranked_page.page.id,
            title=writer.safe(ranked_page.page.title),
            page_type=ranked_page.page.type,
            score=round(ranked_page.score, 3),
            excerpt=writer.safe(page_excerpt(ranked_page.page, query, failures=include_failures)),
            failures=_redact_failures(writer, ranked_page.page) if include_failures else (),
        )
        for ranked_page in ranked_pages[:limit]
    )
    return FoundPages(query, len(ranked_pages), results)


def find_page(writer: PageWriter, id_or_title: str) -> ReadPage:
    """Return the page with this id, or else the only page whose title contains this text."""
    writer.demand()
    page_set = writer.folder.read_page_set()
    page = _resolve_page(writer, page_set, id_or_title.strip())
    return ReadPage(
        page=page.id,
        title=writer.safe(page.title),
        page_type=page.type,
        version=page.version,
        path=page.path,
        commit=page.commit,
        draft=page.draft,
        source_files=tuple(other.path for other in page.sources),
        links=find_links(page.body),
        broken_links=find_broken_links(page, page_set.pages),
        linked_from=tuple(
            name
            for name, other in page_set.pages.items()
            if page.id in find_links(other.body) and other.id != page.id
        ),
        stale=_stale_citations(writer, page),
        contradictions=tuple(
            Contradiction(writer.safe(other.description), writer.safe(other.source), other.resolved)
            for other in page.contradictions
        ),
        failures=_redact_failures(writer, page),
        content=writer.safe(page.body),
    )


def _resolve_page(writer: PageWriter, page_set: PageSet, id_or_title: str) -> WikiPage:
    if id_or_title in page_set.pages:
        return page_set.pages[id_or_title]
    own_problems = [problem for problem in page_set.problems if f"/{id_or_title}.md" in problem]
    if id_or_title and own_problems:
        raise QueryError(own_problems[0])
    part = id_or_title.casefold()
    pages = [page for page in page_set.pages.values() if part and part in page.title.casefold()]
    exact = [page for page in pages if page.title.casefold() == part]
    (*others, page) = exact or pages or (None,)
    if page is None:
        raise QueryError(unknown_page_message(writer.folder, id_or_title))
    if others:
        names = ", ".join(page.id for page in pages)
        raise QueryError(f"Several titles contain {id_or_title!r}: name one of the pages {names}.")
    return page


def _redact_failures(writer: PageWriter, page: WikiPage) -> tuple[FailureNote, ...]:
    return tuple(map_failure_texts(failure, writer.safe) for failure in page.failures)


def wiki_status(writer: PageWriter, code: Sequence[str], *, changed: ChangesSince) -> WikiStatus:
    """Return the state of the wiki; `code` has the paths of code files, most central first."""
    page_set = writer.folder.read_page_set()
    pages = [page for name, page in page_set.pages.items() if name != CONTENTS_ID]
    states = [_page_state(writer, page, changed(page.commit), page_set.pages) for page in pages]
    known_commits = {page.commit for page in pages if changed(page.commit) is not None}
    contents = page_set.pages.get(CONTENTS_ID)
    planned = parse_planned_pages(contents) if contents else ()
    return WikiStatus(
        exists=writer.folder.exists,
        page_count=len(pages),
        ref=_newest_commit(writer, known_commits),
        commits_behind=max((state.commits_behind for state in states), default=0),
        stale_pages=sum(_is_stale(state) for state in states),
        coverage=_source_coverage(pages, code),
        planned=tuple(plan.page for plan in planned if plan.page not in page_set.pages),
        problems=page_set.problems + _unknown_commits(pages, known_commits),
        pages=tuple(states),
    )


def _stale_citations(writer: PageWriter, page: WikiPage) -> tuple[CitationCheck, ...]:
    checks = check_citations(page, writer.tree)
    return tuple(check for check in checks if check.state != "as written")


def _is_stale(state: PageState) -> bool:
    return bool(state.changed_sources or any(cite.state != "moved" for cite in state.stale))


def _page_state(
    writer: PageWriter,
    page: WikiPage,
    changes: ChangesByPath | None,
    known_pages: Mapping[str, WikiPage],
) -> PageState:
    changed = tuple(source.path for source, _ in changed_sources(page, writer.tree, changes))
    return PageState(
        page=page.id,
        title=writer.safe(page.title),
        page_type=page.type,
        commits_behind=_count_commits_behind(writer, page)
        if changed and changes is not None
        else 0,
        changed_sources=changed,
        stale=_stale_citations(writer, page),
        broken_links=find_broken_links(page, known_pages),
        contradictions=sum(not contradiction.resolved for contradiction in page.contradictions),
        failures=sum(not (failure.resolved or failure.actual_fix) for failure in page.failures),
        draft=page.draft,
    )


def _count_commits_behind(writer: PageWriter, page: WikiPage) -> int:
    """Count the commits that changed source files of a page since the page was written.

    The count is 0 if git does not know the commit of the page.
    """
    paths = [f":(literal){source.path}" for source in page.sources]
    options = ("--count", f"{page.commit}..HEAD", "--", *paths)
    try:
        return int(git.run_git("rev-list", *options, cwd=writer.folder.root))
    except GitError:
        return 0


def _newest_commit(writer: PageWriter, commits: set[str]) -> str:
    """Return the newest of these commits, '' if git knows none of them."""
    wanted = sorted(commit for commit in commits if commit)
    if not wanted:
        return ""
    try:
        options = ("--no-walk=sorted", "--max-count=1", *wanted)
        return git.run_git("rev-list", *options, cwd=writer.folder.root).decode("ascii").strip()
    except GitError:
        return ""


def _source_coverage(pages: Sequence[WikiPage], code: Sequence[str]) -> SourceCoverage:
    about = {source.path for page in pages for source in page.sources}
    others = [name for name in code if name not in about]
    covered = len(code) - len(others)
    percent = round(100 * covered / len(code), 1) if code else 0.0
    return SourceCoverage(covered, len(code), percent, tuple(others[:_MAX_UNCOVERED]))


def _unknown_commits(pages: Sequence[WikiPage], known: Collection[str]) -> tuple[str, ...]:
    """Return a sentence for each page whose commit is not in `known`."""
    lost = [page for page in pages if page.commit and page.commit not in known]
    return tuple(
        f"The commit {page.commit[:12]} of the page {page.id!r} is unknown here (rebased away, or"
        " the clone is shallow): its sources are compared by their content."
        for page in lost
    )
