"""From changes of files to the pages that may not be true any more."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from codeindex.errors import OutdatedError
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


def update_wiki(desk: PageWriter, *, since: str, changed: ChangesSince) -> WikiUpdate:
    """Return the affected pages, after correcting citations whose lines have moved."""
    desk.demand()
    moved = _reanchored(desk)
    known: dict[str, ChangesByPath | None] = {}
    found = find_stale_pages(desk, since=since, changed=_remembered(changed, known))
    return WikiUpdate(
        since=since,
        head=desk.commit,
        affected=tuple(found),
        reanchored=moved,
        uncovered=_uncovered(desk, known),
        notes=(_NO_GIT,) if None in known.values() else (),
        message=_message(found),
    )


def find_stale_pages(desk: PageWriter, *, since: str, changed: ChangesSince) -> list[StalePage]:
    """Return the pages whose sources changed since a commit, or since each was written."""
    found: list[StalePage] = []
    changed = _remembered(changed, {})
    for name, page in desk.folder.shelf().pages.items():
        if name == CONTENTS_ID:
            continue
        commit = since or page.commit
        changes = changed(commit)
        told = find_staleness(
            _by_commit_alone(page) if since else page,
            desk.tree,
            changes,
            commit=commit if changes is not None else "",
            safe=desk.safe,
        )
        found += [told] if told else []
    return found


def _remembered(changed: ChangesSince, known: dict[str, ChangesByPath | None]) -> ChangesSince:
    """Ask git once for each commit."""

    def once(commit: str) -> ChangesByPath | None:
        if commit not in known:
            known[commit] = changed(commit)
        return known[commit]

    return once


def _by_commit_alone(page: WikiPage) -> WikiPage:
    """Return a page as if it did not know what its sources held: who names a commit means it."""
    return replace(page, sources=tuple(replace(one, digest="") for one in page.sources))


def _reanchored(desk: PageWriter) -> tuple[MovedCitation, ...]:
    found: list[MovedCitation] = []
    for name, page in desk.folder.shelf().pages.items():
        moved = {
            one.at: one.now for one in check_citations(page, desk.tree) if one.state == "moved"
        }
        if not moved or name == CONTENTS_ID:
            continue
        with suppress(OutdatedError), desk.folder.writing():  # another time, if somebody is at it
            desk.folder.put(_with_cites(page, moved))
            found += [MovedCitation(name, at, now) for at, now in moved.items()]
    return tuple(found)


def _with_cites(page: WikiPage, moved: dict[str, str]) -> WikiPage:
    cites = tuple(replace(one, at=moved.get(one.at, one.at)) for one in page.cites)
    return replace(page, body=reanchor_citations(page.body, moved), cites=cites)


def _uncovered(desk: PageWriter, known: dict[str, ChangesByPath | None]) -> tuple[str, ...]:
    pages = desk.folder.shelf().pages.values()
    about = {one.path for page in pages for one in page.sources}
    changed = {
        change.path
        for changes in known.values()
        for change in (changes or {}).values()
        if change.status != "removed" and not change.path.startswith(".codeindex/")
    } - {"INDEX.md"}
    return tuple(sorted(changed - about)[:_MOST_UNCOVERED])


def _message(found: Sequence[StalePage]) -> str:
    if not found:
        return "No page is affected."
    pages = "1 page is" if len(found) == 1 else f"{len(found)} pages are"
    return (
        f"{pages} affected: read each change, write the page anew, and save it with"
        " `codeindex wiki contribute` (the tool wiki_contribute), its version as the base."
    )
