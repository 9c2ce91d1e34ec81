"""Questions to the wiki."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from codeindex import git
from codeindex.errors import GitError, QueryError
from codeindex.types import FileChange
from codeindex.wiki.citations import check_citations, find_links
from codeindex.wiki.contents import parse_planned_pages
from codeindex.wiki.page import Contradiction, Failure, WikiPage, map_failure_texts
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

ChangesSince = Callable[[str], Mapping[str, FileChange] | None]
_MOST_UNCOVERED = 12


def search_pages(desk: PageWriter, query: str, *, limit: int, include_failures: bool) -> FoundPages:
    """Return the pages that speak of a query."""
    desk.demand()
    pages = [one for one in desk.folder.shelf().pages.values() if one.id != CONTENTS_ID]
    found = rank_pages(pages, query)
    results = tuple(
        FoundPage(
            page=one.page.id,
            title=desk.safe(one.page.title),
            page_type=one.page.type,
            score=round(one.score, 3),
            excerpt=desk.safe(page_excerpt(one.page, query, failures=include_failures)),
            failures=_shown(desk, one.page) if include_failures else (),
        )
        for one in found[:limit]
    )
    return FoundPages(query, len(found), results)


def find_page(desk: PageWriter, said: str) -> ReadPage:
    """Return a page by its id, or by a part of its title that no other has."""
    desk.demand()
    shelf = desk.folder.shelf()
    page = _meant(desk, shelf, said.strip())
    return ReadPage(
        page=page.id,
        title=desk.safe(page.title),
        page_type=page.type,
        version=page.version,
        path=page.path,
        commit=page.commit,
        draft=page.draft,
        source_files=tuple(one.path for one in page.sources),
        links=find_links(page.body),
        broken_links=find_broken_links(page, shelf.pages),
        linked_from=tuple(
            name
            for name, one in shelf.pages.items()
            if page.id in find_links(one.body) and one.id != page.id
        ),
        stale=tuple(one for one in check_citations(page, desk.tree) if one.state != "as written"),
        contradictions=tuple(
            Contradiction(desk.safe(one.description), desk.safe(one.source), one.resolved)
            for one in page.contradictions
        ),
        failures=_shown(desk, page),
        content=desk.safe(page.body),
    )


def _meant(desk: PageWriter, shelf: PageSet, said: str) -> WikiPage:
    if said in shelf.pages:
        return shelf.pages[said]
    mine = [one for one in shelf.problems if f"/{said}.md" in one]
    if said and mine:
        raise QueryError(mine[0])
    part = said.casefold()
    found = [one for one in shelf.pages.values() if part and part in one.title.casefold()]
    exact = [one for one in found if one.title.casefold() == part]
    (*others, page) = exact or found or (None,)
    if page is None:
        raise QueryError(unknown_page_message(desk.folder, said))
    if others:
        names = ", ".join(one.id for one in found)
        raise QueryError(f"{said!r} is in the titles of {names}: name one of these pages.")
    return page


def _shown(desk: PageWriter, page: WikiPage) -> tuple[Failure, ...]:
    return tuple(map_failure_texts(one, desk.safe) for one in page.failures)


def wiki_status(desk: PageWriter, code: Sequence[str], *, changed: ChangesSince) -> WikiStatus:
    """Return how the wiki is, of a repository with these files of code."""
    shelf = desk.folder.shelf()
    pages = [one for name, one in shelf.pages.items() if name != CONTENTS_ID]
    known: dict[str, ChangesByPath | None] = {}
    states = []
    for page in pages:
        if page.commit not in known:
            known[page.commit] = changed(page.commit)
        states.append(_state(desk, page, known[page.commit], shelf.pages))
    ref = _newest(desk, {one.commit for one in pages if known[one.commit] is not None})
    contents = shelf.pages.get(CONTENTS_ID)
    planned = parse_planned_pages(contents) if contents else ()
    return WikiStatus(
        exists=desk.folder.exists,
        page_count=len(pages),
        ref=ref,
        commits_behind=max((one.commits_behind for one in states), default=0),
        stale_pages=sum(_is_stale(one) for one in states),
        coverage=_coverage(pages, code),
        planned=tuple(one.page for one in planned if one.page not in shelf.pages),
        problems=shelf.problems + _unknown_commits(pages, known),
        pages=tuple(states),
    )


def _is_stale(one: PageState) -> bool:
    return bool(one.changed_sources or any(cite.state != "moved" for cite in one.stale))


def _state(
    desk: PageWriter, page: WikiPage, changes: ChangesByPath | None, known: Mapping[str, WikiPage]
) -> PageState:
    changed = tuple(one.path for one, _ in changed_sources(page, desk.tree, changes))
    return PageState(
        page=page.id,
        title=desk.safe(page.title),
        page_type=page.type,
        commits_behind=_behind(desk, page) if changed and changes is not None else 0,
        changed_sources=changed,
        stale=tuple(one for one in check_citations(page, desk.tree) if one.state != "as written"),
        broken_links=find_broken_links(page, known),
        contradictions=sum(not one.resolved for one in page.contradictions),
        failures=sum(not (one.resolved or one.actual_fix) for one in page.failures),
        draft=page.draft,
    )


def _behind(desk: PageWriter, page: WikiPage) -> int:
    """Count the commits since a page was written that touched what it is about."""
    paths = [f":(literal){one.path}" for one in page.sources]
    asked = ("--count", f"{page.commit}..HEAD", "--", *paths)
    try:
        return int(git.run_git("rev-list", *asked, cwd=desk.folder.root))
    except GitError:
        return 0


def _newest(desk: PageWriter, commits: set[str]) -> str:
    """Return the commit among these that has the fewest after it."""
    wanted = sorted(one for one in commits if one)
    if not wanted:
        return ""
    try:
        asked = ("--no-walk=sorted", "--max-count=1", *wanted)
        return git.run_git("rev-list", *asked, cwd=desk.folder.root).decode("ascii").strip()
    except GitError:
        return ""


def _coverage(pages: Sequence[WikiPage], code: Sequence[str]) -> SourceCoverage:
    about = {one.path for page in pages for one in page.sources}
    others = [one for one in code if one not in about]
    covered = len(code) - len(others)
    percent = round(100 * covered / len(code), 1) if code else 0.0
    return SourceCoverage(covered, len(code), percent, tuple(others[:_MOST_UNCOVERED]))


def _unknown_commits(
    pages: Sequence[WikiPage], known: Mapping[str, ChangesByPath | None]
) -> tuple[str, ...]:
    lost = [one for one in pages if one.commit and known[one.commit] is None]
    return tuple(
        f"The commit {one.commit[:12]} of the page {one.id!r} is unknown here (rebased away, or the"
        " clone is shallow): its sources are compared by their content."
        for one in lost
    )
