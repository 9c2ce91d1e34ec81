"""The page of contents: what there is and what is planned, between marks, in a page of people's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

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
_SENTENCE = re.compile(r"^(.+?[.!?])(?:\s|$)", re.DOTALL)
_NO_PROSE = ("#", "<", "|", ">", "- ", "* ", "!", "```", "~~~")
_LONGEST = 160


@dataclass(frozen=True, slots=True)
class PlannedPage:
    """A page that is worth writing, and from what."""

    page: str
    title: str
    page_type: str
    reason: str
    source_files: tuple[str, ...] = ()


def new_contents(name: str, plans: Sequence[PlannedPage]) -> WikiPage:
    """Return the first page of contents of a repository."""
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
    """Return the page of contents with these pages, and what of the plan is not written yet."""
    planned = parse_planned_pages(contents) if plans is None else plans
    open_plans = [one for one in planned if one.page not in pages]
    before, kept, after = _parted(contents.body)
    if not kept:
        return contents
    text = "\n".join((_BEGIN, *_listed(pages), *_open(open_plans), _END))
    return replace(contents, body=f"{before}{text}{after}")


def _parted(body: str) -> tuple[str, str, str]:
    """Return what is before the marks, what they enclose with them, and what is after."""
    start = body.find(_BEGIN)
    end = body.find(_END, start) + len(_END)
    if start < 0 or end < len(_END):
        return body, "", ""
    return body[:start], body[start:end], body[end:]


def parse_planned_pages(contents: WikiPage) -> tuple[PlannedPage, ...]:
    """Return the pages that a page of contents says are to be written."""
    found = _PLANNED.findall(_parted(contents.body)[1])
    return tuple(
        PlannedPage(page, title, kind, reason)
        for page, kind, title, reason in found
        if is_page_id(page)
    )


def page_summary(page: WikiPage) -> str:
    """Return the first sentence of a page's text."""
    paragraphs = (one.strip() for one in page.body.split("\n\n"))
    first = next((one for one in paragraphs if one and not one.startswith(_NO_PROSE)), "")
    plain = " ".join(first.split())
    found = _SENTENCE.match(plain)
    said = found[1] if found else plain
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST].rsplit(' ', 1)[0]} …"


def _listed(pages: Mapping[str, WikiPage]) -> Iterator[str]:
    for kind in PAGE_TYPES:
        own = [one for one in pages.values() if one.type == kind]
        if own:
            yield from ("", f"## {_HEADINGS[kind]}", "")
        for one in sorted(own, key=lambda page: page.id):
            yield f"- [{_flat(one.title)}]({one.id}.md): {page_summary(one)}".rstrip(": ")


def _open(plans: Sequence[PlannedPage]) -> Iterator[str]:
    if plans:
        yield from ("", "## To be written", "")
    for one in plans:
        reason = f": {_flat(one.reason)}" if one.reason else ""
        yield f"- [ ] `{one.page}` ({one.page_type}) {_flat(one.title)}{reason}"
    yield ""


def _flat(text: str) -> str:
    return " ".join(text.split())
