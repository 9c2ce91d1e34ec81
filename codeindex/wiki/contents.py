"""Generate the part of the contents page between two markers: lists of pages and of plans."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from codeindex.text.truncate import first_sentence
from codeindex.wiki.page import PAGE_TYPES, WikiPage
from codeindex.wiki.page_ids import CONTENTS_ID, is_page_id

_BEGIN, _END = "<!-- pages: kept by codeindex -->", "<!-- end of pages -->"
_PLANNED = re.compile(r"^- \[ \] `([^`\n]+)` \((\w+)\) (.*?)(?:: (.*))?$", re.MULTILINE)
_HEADINGS = {
    "architecture": "Architecture",
    "module": "Modules",
    "entity": "Things",
    "topic": "Topics",
}
_NO_PROSE = ("#", "<", "|", ">", "- ", "* ", "!", "```", "~~~")
_LONGEST = 160


@dataclass(frozen=True, slots=True)
class PlannedPage:
    """A page that should be written; `source_files` are the files that it should describe."""

    page: str
    title: str
    page_type: str
    reason: str
    source_files: tuple[str, ...] = ()


def new_contents(name: str, plans: Sequence[PlannedPage]) -> WikiPage:
    """Return the contents page of a new wiki, which lists the planned pages.

    `name` is the name of the repository.
    """
    body = f"""# {name}: wiki

What is known about this repository and cannot be read off one file: decisions, how parts work
together, what was tried and failed. Each page is markdown; its front matter says which files it is
about. `codeindex wiki status` says what is out of date.

{_BEGIN}
{_END}"""
    page = WikiPage(id=CONTENTS_ID, title=f"{name}: wiki", type="index", body=body)
    return update_contents(page, {}, plans)


def update_contents(
    contents: WikiPage, pages: Mapping[str, WikiPage], plans: Iterable[PlannedPage] | None = None
) -> WikiPage:
    """Return the contents page of a wiki with new lists: of the pages, and of the planned pages.

    `pages` maps ids to the existing pages; planned pages that exist are not listed. If `plans` is
    None, the plans on the contents page are kept. A contents page without the two markers is
    returned unchanged.
    """
    planned = parse_planned_pages(contents) if plans is None else plans
    open_plans = [plan for plan in planned if plan.page not in pages]
    before, generated, after = _split_body(contents.body)
    if not generated:
        return contents
    text = "\n".join((_BEGIN, *_page_list(pages), *_plan_list(open_plans), _END))
    return replace(contents, body=f"{before}{text}{after}")


def _split_body(body: str) -> tuple[str, str, str]:
    """Split the text of the contents page into (before, generated part, after).

    The generated part includes its two markers. Without both markers, the result is (body, '', '').
    """
    start = body.find(_BEGIN)
    end = body.find(_END, start) + len(_END)
    if start < 0 or end < len(_END):
        return body, "", ""
    return body[:start], body[start:end], body[end:]


def parse_planned_pages(contents: WikiPage) -> tuple[PlannedPage, ...]:
    """Return the planned pages that are listed on a contents page."""
    result = _PLANNED.findall(_split_body(contents.body)[1])
    return tuple(
        PlannedPage(page, title, kind, reason)
        for page, kind, title, reason in result
        if is_page_id(page)
    )


def page_summary(page: WikiPage) -> str:
    """Return the first sentence of a page's prose, truncated; '' if it has no prose."""
    paragraphs = (line.strip() for line in page.body.split("\n\n"))
    first = next(
        (
            paragraph
            for paragraph in paragraphs
            if paragraph and not paragraph.startswith(_NO_PROSE)
        ),
        "",
    )
    return first_sentence(first, _LONGEST)


def _page_list(pages: Mapping[str, WikiPage]) -> Iterator[str]:
    for kind in PAGE_TYPES:
        own_pages = [page for page in pages.values() if page.type == kind]
        if own_pages:
            yield from ("", f"## {_HEADINGS[kind]}", "")
        for page in sorted(own_pages, key=lambda page: page.id):
            yield f"- [{_one_line(page.title)}]({page.id}.md): {page_summary(page)}".rstrip(": ")


def _plan_list(plans: Sequence[PlannedPage]) -> Iterator[str]:
    if plans:
        yield from ("", "## To be written", "")
    for plan in plans:
        reason = f": {_one_line(plan.reason)}" if plan.reason else ""
        yield f"- [ ] `{plan.page}` ({plan.page_type}) {_one_line(plan.title)}{reason}"
    yield ""


def _one_line(text: str) -> str:
    return " ".join(text.split())
