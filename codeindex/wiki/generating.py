"""Beginning a wiki, and saying what was written and where things belong."""

from __future__ import annotations

from collections.abc import Sequence

from codeindex.errors import QueryError, WikiError
from codeindex.wiki.citations import unfounded
from codeindex.wiki.contents import Plan, new_contents
from codeindex.wiki.ids import INDEX, slug
from codeindex.wiki.outcomes import SuggestedContribution, Suggestion, WikiPlan, WrittenPage
from codeindex.wiki.page import Page, path_of
from codeindex.wiki.page_writer import Desk, broken_links, candidates, demand_pages, heading_of
from codeindex.wiki.ranking import GOOD, Ranked

_OFFERED = 5


def generate(desk: Desk, name: str, plans: Sequence[Plan], *, context: str) -> WikiPlan:
    """Write the page of contents of a new wiki, in place of one that git has."""
    with desk.folder.writing():
        removed = _removed(desk) if desk.folder.exists else ()
        desk.folder.put(new_contents(name, plans))
        desk.keep_contents()
    return WikiPlan(
        path=path_of(INDEX),
        pages=tuple(plans),
        removed=removed,
        context=context,
        message=(
            f"{path_of(INDEX)} is written, with {len(plans)} pages to write. Read the code of each,"
            " write its page with `codeindex wiki contribute` (the tool wiki_contribute), and leave"
            " out or add pages as you see fit."
        ),
    )


def _removed(desk: Desk) -> tuple[str, ...]:
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
    return tuple(one for one in shelf.pages if one != INDEX)


def told(desk: Desk, page: Page, is_new: bool) -> WrittenPage:
    """Say what was written."""
    shelf = desk.folder.shelf()
    broken = broken_links(page, {*shelf.pages, page.id})
    status = "created" if is_new else "updated"
    said = [f"{page.path} {status}, version {page.version}."]
    said += [f"Links to nothing yet: {', '.join(broken)}."] if broken else []
    redacted = page.body.count("[REDACTED]")
    absent = unfounded(page.body, desk.tree)
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


def suggest(desk: Desk, synthesis: str, *, source_pages: Sequence[str]) -> SuggestedContribution:
    """Say where a text belongs."""
    desk.demand()
    text = desk.text(synthesis)
    if not text.strip():
        raise QueryError("`synthesis` is empty: say what was found.")
    demand_pages(desk.folder, source_pages)
    found = candidates(desk.folder.shelf().pages, text, consulted=source_pages, files=())
    some = tuple(_suggestion(one, text, source_pages) for one in found[:_OFFERED])
    if found and found[0].share >= GOOD:
        best = found[0].page
        said = f"Add it to the page {best.id!r}: it speaks of most of this."
        return SuggestedContribution("update", best.id, best.title, some, said)
    title = heading_of(text)
    said = f"No page speaks of most of this: write a new one, {slug(title)!r}."
    return SuggestedContribution("create", slug(title), title, some, said)


def _suggestion(one: Ranked, text: str, consulted: Sequence[str]) -> Suggestion:
    named = [source.path for source in one.page.sources if source.path in text]
    reasons = [f"about {', '.join(named)}"] if named else []
    reasons += ["consulted"] if one.page.id in consulted else []
    reasons += [] if reasons else ["speaks of the same things"]
    return Suggestion(one.page.id, one.page.title, round(one.share, 2), "; ".join(reasons))
