"""List stale pages, and correct citations whose lines moved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

from codeindex.errors import OutdatedError
from codeindex.secrets import safe_path
from codeindex.types.report import plural
from codeindex.wiki.citations import check_citations, reanchor_citations
from codeindex.wiki.page import WikiPage
from codeindex.wiki.page_ids import CONTENTS_ID
from codeindex.wiki.page_writer import PageWriter
from codeindex.wiki.queries import ChangesSince
from codeindex.wiki.read_reports import MovedCitation, WikiUpdate
from codeindex.wiki.stale_pages import ChangesByPath, StalePage, find_staleness

_MOST_UNCOVERED = 20
_NO_GIT = (
    "git knows no commit to compare with: sources are compared by their content, without diffs."
)


def update_wiki(writer: PageWriter, *, since: str, changed: ChangesSince) -> WikiUpdate:
    """Correct the citations of moved lines, and report the pages that are still stale.

    A page is stale if its sources or citations changed. `since` is a commit to compare with; if it
    is '', each page is compared with the commit at which it was written.
    """
    writer.demand()
    moved = _correct_citations(writer)
    stale_pages = find_stale_pages(writer, since=since, changed=changed)
    pages = writer.folder.read_page_set().pages
    changes = [changed(since or page.commit) for name, page in pages.items() if name != CONTENTS_ID]
    return WikiUpdate(
        since=since,
        head=writer.commit,
        affected=tuple(stale_pages),
        reanchored=moved,
        uncovered=_uncovered_changes(pages.values(), changes),
        notes=(_NO_GIT,) if None in changes else (),
        message=_message(stale_pages),
    )


def find_stale_pages(writer: PageWriter, *, since: str, changed: ChangesSince) -> list[StalePage]:
    """Return the pages whose sources or citations changed since the commit `since`.

    If it is '', each page is compared with the commit at which it was written.
    """
    stale_pages: list[StalePage] = []
    for name, page in writer.folder.read_page_set().pages.items():
        if name == CONTENTS_ID:
            continue
        commit = since or page.commit
        changes = changed(commit)
        stale_page = find_staleness(
            _without_digests(page) if since else page,
            writer.tree,
            changes,
            commit=commit if changes is not None else "",
            safe=writer.safe,
        )
        stale_pages += [stale_page] if stale_page else []
    return stale_pages


def _without_digests(page: WikiPage) -> WikiPage:
    """Return a page without source digests, so that its sources are compared with a commit."""
    return replace(page, sources=tuple(replace(source, digest="") for source in page.sources))


def _correct_citations(writer: PageWriter) -> tuple[MovedCitation, ...]:
    citations: list[MovedCitation] = []
    for name, page in writer.folder.read_page_set().pages.items():
        moved = {
            check.at: check.now
            for check in check_citations(page, writer.tree)
            if check.state == "moved"
        }
        if not moved or name == CONTENTS_ID:
            continue
        with (
            suppress(OutdatedError),
            writer.folder.writing(),
        ):  # a page that is being written is corrected next time
            writer.folder.put(_move_citations(page, moved))
            citations += [MovedCitation(name, at, now) for at, now in moved.items()]
    return tuple(citations)


def _move_citations(page: WikiPage, moved: dict[str, str]) -> WikiPage:
    cites = tuple(
        replace(citation, at=moved.get(citation.at, citation.at)) for citation in page.cites
    )
    return replace(page, body=reanchor_citations(page.body, moved), cites=cites)


def _uncovered_changes(
    pages: Iterable[WikiPage], changes: Iterable[ChangesByPath | None]
) -> tuple[str, ...]:
    """Return the paths of changed files that no page describes; at most `_MOST_UNCOVERED`."""
    about = {source.path for page in pages for source in page.sources}
    changed = {
        change.path
        for since in changes
        for change in (since or {}).values()
        if change.status != "removed" and not change.path.startswith(".codeindex/")
    } - {"INDEX.md"}
    return tuple(map(safe_path, sorted(changed - about)[:_MOST_UNCOVERED]))


def _message(stale_pages: Sequence[StalePage]) -> str:
    if not stale_pages:
        return "No page is affected."
    pages = plural(len(stale_pages), "page is", "pages are")
    return (
        f"{pages} affected: read each change, write the page anew, and save it with"
        " `codeindex wiki contribute` (the tool wiki_contribute), its version as the base."
    )
