"""Writing pages: each change is made to the page as it is then, alone, or not at all."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TypeVar

from codeindex.errors import OutdatedError, QueryError, WikiError
from codeindex.text.sanitize import escape_text
from codeindex.wiki.citations import find_citations, find_links
from codeindex.wiki.contents import update_contents
from codeindex.wiki.page import Contradiction, Failure, PageSource, WikiPage, map_failure_texts
from codeindex.wiki.page_ids import CONTENTS_ID, make_page_id, require_page_id
from codeindex.wiki.page_store import WikiFolder
from codeindex.wiki.ranking import TARGET_THRESHOLD, RankedPage, rank_targets
from codeindex.wiki.source_files import SourceFiles

Noted = TypeVar("Noted", Contradiction, Failure)
FAILURES_ID = "failures"
"""The page of failures that belong to no other."""


@dataclass(frozen=True, slots=True)
class PageWriter:
    """Where pages are written: `safe` takes secrets out of what is to be written."""

    folder: WikiFolder
    tree: SourceFiles
    commit: str
    safe: Callable[[str], str]

    def text(self, said: str) -> str:
        return self.safe(escape_text(said.replace("\r\n", "\n"))).strip("\n")

    def change(self, page: str, make: Callable[[WikiPage | None], WikiPage]) -> WikiPage:
        """Write what is made of a page as it is now, and keep the page of contents."""
        self.demand()
        with self.folder.writing():
            written = self.folder.put(make(self.folder.page(page)))
            self.keep_contents()
        return written

    def demand(self) -> None:
        if not self.folder.exists:
            raise WikiError(
                f"'{self.folder.root}' has no wiki yet: begin one with `codeindex wiki generate`"
                " (the tool wiki_generate)."
            )

    def keep_contents(self) -> None:
        """Bring the page of contents up to date; one that cannot be read waits for its people."""
        with contextlib.suppress(WikiError):
            shelf = self.folder.shelf()
            contents = shelf.pages.get(CONTENTS_ID)
            others = {name: one for name, one in shelf.pages.items() if name != CONTENTS_ID}
            if contents is not None:
                self.folder.put(update_contents(contents, others))

    def sources(self, paths: Iterable[str]) -> tuple[PageSource, ...]:
        """Return files as a page's sources; QueryError for what is no file of the repository."""
        found = {}
        for said in paths:
            path = said.strip().removeprefix("./")
            digest = self.tree.digest(path)
            if not digest:
                raise QueryError(
                    f"'{said}' is no file of the repository that a page can be about: name files"
                    " relative to its root."
                )
            found[path] = PageSource(path, digest)
        return tuple(found[path] for path in sorted(found))


@dataclass(frozen=True, slots=True)
class Contribution:
    """What somebody wants a page to say; `base` is the version that they have read."""

    page: str
    content: str
    title: str = ""
    page_type: str = "topic"
    source_files: Sequence[str] = ()
    contradictions: Sequence[Contradiction] = ()
    resolve_contradictions: bool = False
    failures: Sequence[Failure] = ()
    resolve_failures: bool = False
    base: str = ""
    draft: bool = False


def contribute_page(desk: PageWriter, given: Contribution) -> tuple[WikiPage, bool]:
    """Create or update a page; return it, and whether it is new."""
    page = require_page_id(given.page)
    body = desk.text(given.content)
    if not body.strip():
        raise QueryError("`content` is empty: give the markdown of the whole page.")
    if body.startswith("---\n"):
        raise QueryError("`content` begins with front matter: give the markdown below it only.")
    new = False

    def make(known: WikiPage | None) -> WikiPage:
        nonlocal new
        new = known is None
        _check_base(desk, known, given)
        return _restated(desk, known or _blank(given), given, body)

    return desk.change(page, make), new


def _check_base(desk: PageWriter, known: WikiPage | None, given: Contribution) -> None:
    """Refuse to replace what the writer has not read, unless git has it anyway."""
    if known is None:
        if given.base:
            raise OutdatedError(
                f"The page {given.page!r} is gone since you read it: leave `base` out to write it"
                " anew."
            )
        return
    if given.base and given.base != known.version:
        raise OutdatedError(
            f"The page {given.page!r} is not as you read it: it is version {known.version} now,"
            f" and not {given.base}. Nothing was written: read it again (wiki_read) and put both"
            " together."
        )
    if not given.base and not desk.folder.is_committed(known.id):
        raise OutdatedError(
            f"The page {given.page!r} has text that is not committed: read it (wiki_read), then"
            f" give its `version` as `base`, so that nothing in it is lost."
        )


def _blank(given: Contribution) -> WikiPage:
    if not given.title.strip():
        raise QueryError(f"There is no page {given.page!r} yet: give a `title` to create it.")
    return WikiPage(id=given.page, title=given.title, type=given.page_type)


def _restated(desk: PageWriter, known: WikiPage, given: Contribution, body: str) -> WikiPage:
    """Return a page that says something anew: all that it rests on is as it is now."""
    cites = find_citations(body, desk.tree)
    named = given.source_files or [one.path for one in known.sources if desk.tree.digest(one.path)]
    cited = [one.at.rpartition(":")[0] for one in cites]
    return replace(
        known,
        title=" ".join(desk.text(given.title).split()) or known.title,
        body=body,
        commit=desk.commit,
        draft=given.draft,
        sources=desk.sources([*named, *cited]),
        cites=cites,
        contradictions=(
            *_resolved(known.contradictions, given.resolve_contradictions),
            *(_safe_contradiction(desk, one) for one in given.contradictions),
        ),
        failures=(
            *_resolved(known.failures, given.resolve_failures),
            *(redact_failure(desk, one) for one in given.failures),
        ),
    )


def _resolved(known: Sequence[Noted], wanted: bool) -> Sequence[Noted]:
    return [replace(one, resolved=True) for one in known] if wanted else known


def _safe_contradiction(desk: PageWriter, one: Contradiction) -> Contradiction:
    if not one.description.strip():
        raise QueryError("A contradiction needs a `description`.")
    return Contradiction(desk.text(one.description), desk.text(one.source))


def redact_failure(desk: PageWriter, one: Failure) -> Failure:
    """Return a failure as it may be written; QueryError for one that says too little."""
    for name in ("symptom", "attempted_fix", "diagnosis"):
        if not getattr(one, name).strip():
            raise QueryError(f"A failure needs a `{name}`: say what was seen, tried and found.")
    return map_failure_texts(one, desk.text)


def record_failure(desk: PageWriter, failure: Failure, *, page: str = "") -> tuple[WikiPage, bool]:
    """Add a failure to a page, the best matching one if none is named; return if it is new."""
    safe = redact_failure(desk, failure)
    told = f"{safe.symptom}\n{safe.diagnosis}\n{safe.attempted_fix}"
    target = page or _target(desk, told, (), safe.source_files) or FAILURES_ID
    require_page_id(target)
    if page and desk.folder.page(page) is None:
        raise QueryError(unknown_page_message(desk.folder, page))
    new = False

    def make(known: WikiPage | None) -> WikiPage:
        nonlocal new
        new = known is None
        found = known or WikiPage(
            id=FAILURES_ID,
            title="What was tried and failed",
            body="# What was tried and failed\n\nFixes that did not work, in the front matter of"
            " this page; `codeindex wiki search --include-failures` finds them.",
            commit=desk.commit,
        )
        return replace(found, failures=(*found.failures, safe))

    return desk.change(target, make), new


def add_knowledge(
    desk: PageWriter, synthesis: str, *, source_pages: Sequence[str], title: str
) -> tuple[WikiPage, bool]:
    """Add knowledge to the page it belongs to, or make it a topic of its own."""
    body = desk.text(synthesis)
    if not body.strip():
        raise QueryError("`synthesis` is empty: say what was found.")
    require_pages(desk.folder, source_pages)
    heading = " ".join(desk.text(title).split()) or text_heading(body)
    target = _target(desk, f"{heading}\n{body}", source_pages, ()) or require_page_id(
        make_page_id(heading)
    )
    new = False

    def make(known: WikiPage | None) -> WikiPage:
        nonlocal new
        new = known is None
        if known is None:
            cites = find_citations(body, desk.tree)
            known = WikiPage(id=target, title=heading, commit=desk.commit)
            text = f"# {heading}\n\n{_below_heading(body, heading)}{_origin(source_pages)}"
        else:
            origin = _origin([one for one in source_pages if one != target])
            text = _with_note(known.body, body, title=title and heading) + origin
            kept = {one.at for one in known.cites}
            cites = (
                *known.cites,
                *(c for c in find_citations(body, desk.tree) if c.at not in kept),
            )
        cited = {one.at.rpartition(":")[0] for one in cites} - {one.path for one in known.sources}
        sources = (*known.sources, *desk.sources(path for path in cited if desk.tree.digest(path)))
        ordered = tuple(sorted(sources, key=lambda one: one.path))
        return replace(known, body=text, cites=cites, sources=ordered)

    return desk.change(target, make), new


def _with_note(body: str, note: str, *, title: str) -> str:
    """Return a page's text with a note at its end, in a section of its own if it has a title."""
    if title or note.startswith("#"):
        heading = title or text_heading(note)
        return f"{body}\n\n## {heading}\n\n{_below_heading(note, heading)}"
    between = "" if _NOTES in body.split("\n") else f"\n\n{_NOTES}"
    return f"{body}{between}\n\n{note}"


_NOTES = "## Notes"


def text_heading(text: str) -> str:
    """Return what a text can be called: its heading, or how its first sentence begins."""
    first = next((line.strip() for line in text.split("\n") if line.strip()), "Note")
    if first.startswith("#"):
        return first.lstrip("# ").strip() or "Note"
    some = first.split(". ")[0].split()[:8]
    return " ".join(some).rstrip(".,:;") or "Note"


def _below_heading(body: str, heading: str) -> str:
    first, _, rest = body.partition("\n")
    return rest.strip("\n") if first.lstrip("# ").strip() == heading and rest.strip() else body


def _origin(pages: Sequence[str]) -> str:
    return f"\n\nFrom {', '.join(f'[[{one}]]' for one in pages)}." if pages else ""


def _target(desk: PageWriter, text: str, consulted: Sequence[str], files: Sequence[str]) -> str:
    """Return the page that a text belongs to, '' if to none."""
    best = rank_target_pages(desk.folder.shelf().pages, text, consulted=consulted, files=files)
    return best[0].page.id if best and best[0].share >= TARGET_THRESHOLD else ""


def rank_target_pages(
    pages: Mapping[str, WikiPage], text: str, *, consulted: Sequence[str], files: Sequence[str]
) -> list[RankedPage]:
    """Return the pages that a text may be added to, the best first."""
    others = [one for one in pages.values() if one.id != CONTENTS_ID]
    return rank_targets(others, text, consulted=consulted, files=files)


def require_pages(folder: WikiFolder, names: Sequence[str]) -> None:
    """Raise QueryError for the first of some pages that there is not."""
    for one in names:
        if one not in folder.shelf().pages:
            raise QueryError(unknown_page_message(folder, one))


def unknown_page_message(folder: WikiFolder, page: str) -> str:
    """Say which pages there are that may have been meant."""
    known = [one for one in folder.shelf().pages if one != CONTENTS_ID]
    near = get_close_matches(page, known, 5, 0.3) or sorted(known)[:5]
    return f"There is no page {page!r}: there are {', '.join(near) or 'none yet'}."


def find_broken_links(page: WikiPage, known: Iterable[str]) -> tuple[str, ...]:
    """Return the links of a page that lead nowhere."""
    there = set(known)
    return tuple(one for one in find_links(page.body) if one not in there)
