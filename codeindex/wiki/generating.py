"""Beginning a wiki, and saying what was written and where things belong."""

from __future__ import annotations

from collections.abc import Sequence

from codeindex.errors import QueryError, WikiError
from codeindex.wiki.citations import missing_citations
from codeindex.wiki.contents import PlannedPage, new_contents
from codeindex.wiki.page import WikiPage, page_path
from codeindex.wiki.page_ids import CONTENTS_ID, make_page_id
from codeindex.wiki.page_writer import (
    PageWriter,
    find_broken_links,
    rank_target_pages,
    require_pages,
    text_heading,
)
from codeindex.wiki.ranking import TARGET_THRESHOLD, RankedPage
from codeindex.wiki.write_reports import (
    PageSuggestion,
    SuggestedContribution,
    WikiPlan,
    WrittenPage,
)

_OFFERED = 5


def generate_wiki(
    desk: PageWriter, name: str, plans: Sequence[PlannedPage], *, context: str
) -> WikiPlan:
    """Write the page of contents of a new wiki, in place of one that git has."""
    with desk.folder.writing():
        removed = _removed(desk) if desk.folder.exists else ()
        desk.folder.put(new_contents(name, plans))
        desk.keep_contents()
    return WikiPlan(
        path=page_path(CONTENTS_ID),
        pages=tuple(plans),
        removed=removed,
        context=context,
        message=(
            f"{page_path(CONTENTS_ID)} is written, with {len(plans)} pages to write. Read the code"
            " of each, write its page with `codeindex wiki contribute` (the tool wiki_contribute),"
            " and leave out or add pages as you see fit."
        ),
    )


def _removed(desk: PageWriter) -> tuple[str, ...]:
    """Delete all pages if each can be had back from git; WikiError names those that cannot."""
    shelf = desk.folder.shelf()
    if shelf.problems:
        raise WikiError(shelf.problems[0])
    if unsafe := [one for one in shelf.pages if not desk.folder.is_committed(one)]:
        raise WikiError(
            f"Not in git as they are: {', '.join(unsafe)}. Commit them first: to begin anew, all"
            " pages are deleted."
        )
    for one in shelf.pages:
        desk.folder.remove(one)
    return tuple(one for one in shelf.pages if one != CONTENTS_ID)


def describe_written_page(desk: PageWriter, page: WikiPage, is_new: bool) -> WrittenPage:
    """Say what was written."""
    shelf = desk.folder.shelf()
    broken = find_broken_links(page, {*shelf.pages, page.id})
    status = "created" if is_new else "updated"
    said = [f"{page.path} {status}, version {page.version}."]
    said += [f"Links to nothing yet: {', '.join(broken)}."] if broken else []
    redacted = page.body.count("[REDACTED]")
    absent = missing_citations(page.body, desk.tree)
    said += [f"Cites what is not there: {', '.join(absent)}."] if absent else []
    said += ["Secrets were taken out of it."] if redacted else []
    return WrittenPage(
        status="created" if is_new else "updated",
        page=page.id,
        title=page.title,
        path=page.path,
        version=page.version,
        citations=len(page.cites),
        unfounded=absent,
        broken_links=broken,
        redacted=redacted,
        message=" ".join(said),
    )


def suggest_page(
    desk: PageWriter, synthesis: str, *, source_pages: Sequence[str]
) -> SuggestedContribution:
    """Say where a text belongs."""
    desk.demand()
    text = desk.text(synthesis)
    if not text.strip():
        raise QueryError("`synthesis` is empty: say what was found.")
    require_pages(desk.folder, source_pages)
    found = rank_target_pages(desk.folder.shelf().pages, text, consulted=source_pages, files=())
    some = tuple(_suggestion(one, text, source_pages) for one in found[:_OFFERED])
    if found and found[0].share >= TARGET_THRESHOLD:
        best = found[0].page
        said = f"Add it to the page {best.id!r}: it speaks of most of this."
        return SuggestedContribution("update", best.id, best.title, some, said)
    title = text_heading(text)
    said = f"No page speaks of most of this: write a new one, {make_page_id(title)!r}."
    return SuggestedContribution("create", make_page_id(title), title, some, said)


def _suggestion(one: RankedPage, text: str, consulted: Sequence[str]) -> PageSuggestion:
    named = [source.path for source in one.page.sources if source.path in text]
    reasons = [f"about {', '.join(named)}"] if named else []
    reasons += ["consulted"] if one.page.id in consulted else []
    reasons += [] if reasons else ["speaks of the same things"]
    return PageSuggestion(one.page.id, one.page.title, round(one.share, 2), "; ".join(reasons))
