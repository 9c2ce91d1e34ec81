"""Start a wiki, report written pages, and suggest a page for a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from codeindex.errors import WikiError
from codeindex.wiki.citations import missing_citations
from codeindex.wiki.contents import PlannedPage, new_contents
from codeindex.wiki.page import WikiPage, page_path
from codeindex.wiki.page_ids import CONTENTS_ID, make_page_id
from codeindex.wiki.page_writer import (
    PageWriter,
    find_broken_links,
    rank_target_pages,
    synthesis_text,
    text_heading,
)
from codeindex.wiki.ranking import TARGET_THRESHOLD, RankedPage
from codeindex.wiki.write_reports import (
    PageSuggestion,
    SuggestedContribution,
    WikiPlan,
    WrittenPage,
)

_MAX_CANDIDATES = 5


def generate_wiki(
    writer: PageWriter, name: str, plans: Sequence[PlannedPage], *, context: str
) -> WikiPlan:
    """Begin a new wiki: delete all pages of an old one, and write the contents page.

    `name` is the name of the repository, `plans` are the pages to write, and `context` is a text
    about the repository for the result. Raise WikiError if a page of the old wiki is not committed,
    and then delete nothing.
    """
    with writer.folder.writing():
        removed = _remove_pages(writer) if writer.folder.exists else ()
        writer.folder.put(new_contents(name, plans))
        writer.keep_contents()
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


def _remove_pages(writer: PageWriter) -> tuple[str, ...]:
    """Delete all pages of the wiki; return their ids without that of the contents page.

    Raise WikiError, without deleting anything, if a page cannot be read or is not committed.
    """
    page_set = writer.folder.read_page_set()
    if page_set.problems:
        raise WikiError(page_set.problems[0])
    if unsafe := [page for page in page_set.pages if not writer.folder.is_committed(page)]:
        raise WikiError(
            f"These pages have uncommitted changes: {', '.join(unsafe)}. Commit them first, because"
            " all pages are deleted to begin again."
        )
    for page_id in page_set.pages:
        writer.folder.remove(page_id)
    return tuple(page for page in page_set.pages if page != CONTENTS_ID)


def describe_written_page(writer: PageWriter, page: WikiPage, is_new: bool) -> WrittenPage:
    """Return the report about a written page: status, broken links, wrong citations, redactions."""
    page_set = writer.folder.read_page_set()
    broken = find_broken_links(page, {*page_set.pages, page.id})
    status: Literal["created", "updated"] = "created" if is_new else "updated"
    texts = [f"{page.path} {status}, version {page.version}."]
    texts += [f"Links to pages that do not exist yet: {', '.join(broken)}."] if broken else []
    redacted = page.body.count("[REDACTED]")
    absent = missing_citations(page.body, writer.tree)
    texts += [f"Cites files or lines that do not exist: {', '.join(absent)}."] if absent else []
    texts += ["Secrets in it were redacted."] if redacted else []
    return WrittenPage(
        status=status,
        page=page.id,
        title=page.title,
        path=page.path,
        version=page.version,
        citations=len(page.cites),
        unfounded=absent,
        broken_links=broken,
        redacted=redacted,
        message=" ".join(texts),
    )


def suggest_page(
    writer: PageWriter, synthesis: str, *, source_pages: Sequence[str]
) -> SuggestedContribution:
    """Return which page the text `synthesis` should be added to, or a new page if none fits.

    `synthesis` is what an agent found out. `source_pages` are the ids of the pages from which it
    was made; they are preferred.
    """
    writer.demand()
    text = synthesis_text(writer, synthesis, source_pages)
    ranked_pages = rank_target_pages(
        writer.folder.read_page_set().pages, text, consulted=source_pages, files=()
    )
    suggestions = tuple(
        _make_suggestion(ranked_page, text, source_pages)
        for ranked_page in ranked_pages[:_MAX_CANDIDATES]
    )
    if ranked_pages and ranked_pages[0].share >= TARGET_THRESHOLD:
        best = ranked_pages[0].page
        phrase = f"Add it to the page {best.id!r}: it covers most of this."
        return SuggestedContribution("update", best.id, best.title, suggestions, phrase)
    title = text_heading(text)
    phrase = f"No page covers most of this: create the page {make_page_id(title)!r}."
    return SuggestedContribution("create", make_page_id(title), title, suggestions, phrase)


def _make_suggestion(
    ranked_page: RankedPage, text: str, consulted: Sequence[str]
) -> PageSuggestion:
    named = [source.path for source in ranked_page.page.sources if source.path in text]
    reasons = [f"about {', '.join(named)}"] if named else []
    reasons += ["consulted"] if ranked_page.page.id in consulted else []
    reasons += [] if reasons else ["covers the same topics"]
    return PageSuggestion(
        ranked_page.page.id, ranked_page.page.title, round(ranked_page.share, 2), "; ".join(reasons)
    )
